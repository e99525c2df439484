// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// What the result of a matrix product must hold, one constraint each.

qtile.kernel @c8_panels(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected a result of bf16 or f16, or of codes by a scheme, in panels, got 'f32'}}
  qtile.gemm %a as none, %a as none into %d in panels sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f32>
  qtile.return
}

// -----

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @c8_row_major(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected codes in panels, got row_major}}
  qtile.gemm %a as none, %a as none into %a as #e4m3 of bf16 by %s sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @c8_codes(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected codes of f8E4M3FN or f8E5M2, those of the scheme, got 'f8E4M3FN' for #qt.scheme<f8E5M2}}
  qtile.gemm %a as none, %a as none into %a in panels as #e5m2 of bf16 by %s sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
qtile.kernel @c8_rows(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected one scale of f32 for all of a result, by which its numbers are multiplied, got #qt.scheme}}
  qtile.gemm %a as none, %a as none into %a in panels as #rows of bf16 by %s sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

#divided = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, apply = div_decode>]>
qtile.kernel @c8_divided(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected one scale of f32 for all of a result, by which its numbers are multiplied, got #qt.scheme}}
  qtile.gemm %a as none, %a as none into %a in panels as #divided of bf16 by %s sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @c8_numbers(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected codes of bf16, f16 or f32, got codes of 'i8'}}
  qtile.gemm %a as none, %a as none into %a in panels as #e4m3 of i8 by %s sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

qtile.kernel @c9_bias(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected numbers for columns of bf16, f16 or f32, got 'f8E4M3FN'}}
  qtile.gemm %a as none, %a as none into %d plus %a : !qtile.global<f8E4M3FN> sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

func.func @c1_columns(%f: !qtile.fragment<64x128xf32>, %c: !qtile.columns<64xf32>) {
  // expected-error @+1 {{expected 128 columns, got 64}}
  %0 = qtile.add_columns %f, %c : !qtile.fragment<64x128xf32>, !qtile.columns<64xf32>
  return
}

// -----

func.func @c3_keep(%f: !qtile.fragment<64x128xf32>, %t: !qtile.shared<64x128xf32, panels>, %i: i32) {
  // expected-error @+1 {{expected to keep columns of elements of at most 16 bits, got '!qtile.shared<64x128xf32, panels>'}}
  qtile.stage_fragment %f to %t[%i] keep %i : !qtile.fragment<64x128xf32> to !qtile.shared<64x128xf32, panels>
  return
}

// -----

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @c2_codes(%f: !qtile.fragment<16x64xf32>, %t: !qtile.shared<16x64xf8E4M3FN, panels>, %i: i32, %x: f32) {
  // expected-error @+1 {{expected codes of a fragment of 64 rows and a multiple of 16 columns, got '!qtile.fragment<16x64xf32>'}}
  qtile.stage_fragment %f to %t[%i] as #e4m3 of bf16 by %x : !qtile.fragment<16x64xf32> to !qtile.shared<16x64xf8E4M3FN, panels>
  return
}

// -----

func.func @c1_panels(%t: !qtile.shared<64x96xbf16, panels>, %g: !qtile.global<bf16>, %i: i32) {
  // expected-error @+1 {{expected a tile of whole panels, got '!qtile.shared<64x96xbf16, panels>'}}
  qtile.store_panels %t to %g[%i] panels %i apart %i count %i : !qtile.shared<64x96xbf16, panels> to !qtile.global<bf16>
  return
}

// -----

func.func @c1_panels_elements(%t: !qtile.shared<64x64xbf16, panels>, %g: !qtile.global<f16>, %i: i32) {
  // expected-error @+1 {{expected one element type, got a tile of 'bf16' into 'f16'}}
  qtile.store_panels %t to %g[%i] panels %i apart %i count %i : !qtile.shared<64x64xbf16, panels> to !qtile.global<f16>
  return
}
