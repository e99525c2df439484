// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// What a matrix product must hold, one constraint each.

qtile.kernel @c1_scales(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected scales of the left operand under row, got none}}
  qtile.gemm %a as row, %a as row into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c2_pairs(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected scalings of the operands to be alike, or block_1x128 and block_128x128, got row and none}}
  qtile.gemm %a as row by %s, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c3_codes(%a: !qtile.global<bf16>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected codes of 8 bits of the left operand under scales of blocks, got 'bf16'}}
  qtile.gemm %a as block_1x128 by %s, %a as block_1x128 by %s into %d sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c4_likely(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected three likely sizes of at least 1, got [4096, 0, 128]}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) likely [4096, 0, 128] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

func.func @promote_pairs(%p: !qtile.fragment<64x176xf32>, %s: f32) {
  // expected-error @+1 {{expected pairs of scales, each for an equal multiple of 8 of 176 columns, got 6 scales}}
  %0 = qtile.promote %p by %s, %s, %s, %s, %s, %s : !qtile.fragment<64x176xf32>
  return
}

// -----

qtile.kernel @c2_alpha(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %x: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_120a {
  // expected-error @+1 {{expected alpha under tensor or block_1x16 alone, got it under block_1x32}}
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s alpha %x into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c3_codes_of_4_bits(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_120a {
  // expected-error @+1 {{expected codes of f4E2M1FN of the left operand under block_1x16, got 'f8E4M3FN'}}
  qtile.gemm %a as block_1x16 by %s, %a as block_1x16 by %s into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c3_codes_of_4_bits_alone(%a: !qtile.global<f4E2M1FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_120a {
  // expected-error @+1 {{expected codes of 4 bits under block_1x16 alone, got 'f4E2M1FN' under none}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f4E2M1FN>, !qtile.global<f4E2M1FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c4_likely_groups(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected four likely sizes of at least 1, got [4096, 4096, 128]}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) in batch(%m) likely [4096, 4096, 128] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c5_bounds(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected bounds in counted_rows, got none}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) in counted_rows(%m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c6_maps(%a: !qtile.global<bf16>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected maps where operands are row_major and transposed, got none}}
  qtile.gemm %a as none in row_major, %a as none in transposed into %d sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c5_bounds_of_batch(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<i32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected no bounds in batch, got some}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) in batch(%m by %b) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c6_no_maps(%a: !qtile.global<bf16>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected no maps where operands are panels and panels, got some}}
  qtile.gemm %a as none, %a as none into %d maps %w sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c5_grouping(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected a grouping beside groups and there alone, got none with some groups}}
  "qtile.gemm"(%a, %a, %d, %m, %m, %m, %m) <{lhsScaling = #qtile<scaling none>, rhsScaling = #qtile<scaling none>,
    operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0>}>
    : (!qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN>, !qtile.global<bf16>, i32, i32, i32, i32) -> ()
  qtile.return
}

// -----

qtile.kernel @c6_scaling(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected row-major operands to have scaling none, got row}}
  qtile.gemm %a as row in row_major by %s, %a as row in row_major by %s into %d maps %w sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c6_elements(%a: !qtile.global<bf16>, %b: !qtile.global<f8E4M3FN>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected elements of 16 bits of the right operand, beside one that is row major, got 'f8E4M3FN'}}
  qtile.gemm %a as none in row_major, %b as none in row_major into %d maps %w sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c6_groups(%a: !qtile.global<bf16>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %bounds: !qtile.global<i32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected no groups but a batch where operands are row major, got rows}}
  qtile.gemm %a as none in row_major, %a as none in row_major into %d maps %w sizes(%m, %m, %m) in rows(%m by %bounds) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c8_none(%a: !qtile.global<bf16>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected strides of a batch of row-major operands, got none}}
  qtile.gemm %a as none in row_major, %a as none in row_major into %d maps %w sizes(%m, %m, %m) in batch(%m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c8_one(%a: !qtile.global<bf16>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected no strides but those of a batch of row-major operands, got some}}
  qtile.gemm %a as none in row_major, %a as none in row_major into %d maps %w sizes(%m, %m, %m) strides of %m [%m, %m, %m], [%m, %m, %m] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c8_three(%a: !qtile.global<bf16>, %w: !qtile.global<i8>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected 3 strides of the right operand, got 2}}
  qtile.gemm %a as none in row_major, %a as none in row_major into %d maps %w sizes(%m, %m, %m) in batch(%m) strides of %m [%m, %m, %m], [%m, %m] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c7_accumulate(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected to accumulate in f32, got 'bf16'}}
  qtile.gemm %a as none, %a as none into %d accumulate sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c11_promoted(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected promoted sums under tensor or row alone, got them under block_1x128}}
  qtile.gemm %a as block_1x128 by %s, %a as block_1x128 by %s promoted into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.kernel @c11_promoted_numbers(%a: !qtile.global<bf16>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected promoted sums under tensor or row alone, got them under none}}
  qtile.gemm %a as none, %a as none promoted into %d sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
