// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of the ops that move quantized tensors has a program that breaks it alone.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c1_ranks(%q: !qt.tensor<2x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected operand and result of different ranks of at least 1, got ranks 2 and 2}}
  qt.reshape %q [[0], [1]] : !qt.tensor<2x64xbf16, #mx> -> !qt.tensor<2x64xbf16, #mx>
  return
}

// -----

#e = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1] by fdiv>]>
func.func @reshape_c1_rank_zero(%q: !qt.tensor<1xbf16, #e>) {
  // expected-error @+1 {{'qt.reshape' op expected operand and result of different ranks of at least 1, got ranks 1 and 0}}
  qt.reshape %q [] : !qt.tensor<1xbf16, #e> -> !qt.tensor<bf16, #e>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c1_number_of_groups(%q: !qt.tensor<2x3x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected 2 groups of dimensions, one for each of the smaller rank, got 3}}
  qt.reshape %q [[0], [1], [2]] : !qt.tensor<2x3x64xbf16, #mx> -> !qt.tensor<6x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c1_order(%q: !qt.tensor<2x3x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected dimension 0 next in group 0, got 1}}
  qt.reshape %q [[1, 0], [2]] : !qt.tensor<2x3x64xbf16, #mx> -> !qt.tensor<6x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c1_empty_group(%q: !qt.tensor<2x3x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected at least one dimension in group 1, got none}}
  qt.reshape %q [[0, 1, 2], []] : !qt.tensor<2x3x64xbf16, #mx> -> !qt.tensor<6x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c1_all_dimensions(%q: !qt.tensor<2x3x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected groups of 3 dimensions, got 2}}
  qt.reshape %q [[0], [1]] : !qt.tensor<2x3x64xbf16, #mx> -> !qt.tensor<2x3xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c2_product(%q: !qt.tensor<2x3x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected dimension 0 of the smaller rank to have size 6, that of its group, got 5}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x3x64xbf16, #mx> -> !qt.tensor<5x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c2_dynamic(%q: !qt.tensor<2x?x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected dimension 0 of the smaller rank to have size ?, that of its group, got 6}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x?x64xbf16, #mx> -> !qt.tensor<6x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c3_sizes(%q: !qt.tensor<?x64xbf16, #mx>, %n: index) {
  // expected-error @+1 {{'qt.reshape' op expected 2 sizes, one for each dynamic dimension of an expanded result, got 1}}
  qt.reshape %q [[0, 1], [2]] sizes(%n) : !qt.tensor<?x64xbf16, #mx> -> !qt.tensor<?x?x64xbf16, #mx>
  return
}

// -----

// A block of 32 columns is not a number of rows of 24.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2, 24] by rceil_mul>]>
func.func @reshape_c4_blocks(%q: !qt.tensor<2x4x24xbf16, #rows>) {
  // expected-error @+1 {{'qt.reshape' op expected blocks of 32 of a dimension of 96 to be blocks of dimensions of [4, 24] at scale level 0, got [2, 24]}}
  qt.reshape %q [[0], [1, 2]] : !qt.tensor<2x4x24xbf16, #rows> -> !qt.tensor<2x96xbf16, #mx>
  return
}

// -----

// Blocks that begin anew in every row are none of all rows.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c4_partial_blocks(%q: !qt.tensor<2x4x48xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected blocks of 32 of a dimension of 192 to be blocks of dimensions of [4, 48] at scale level 0, got parts of [1, 32]}}
  qt.reshape %q [[0], [1, 2]] : !qt.tensor<2x4x48xbf16, #mx> -> !qt.tensor<2x192xbf16, #mx>
  return
}

// -----

// One scale for each of two slices is not one for both.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @reshape_c4_per_tensor(%q: !qt.tensor<2x4x48xbf16, #fp8>) {
  // expected-error @+1 {{'qt.reshape' op expected blocks of * of a dimension of 8 to be blocks of dimensions of [2, 4] at scale level 0, got [1, *]}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x4x48xbf16, #fp8> -> !qt.tensor<8x48xbf16, #fp8>
  return
}

// -----

// A block as large as a dimension of unknown size may be larger.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#many = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1024, 1024] by fdiv>]>
func.func @reshape_c4_unknown_size(%q: !qt.tensor<1x?x48xbf16, #fp8>) {
  // expected-error @+1 {{'qt.reshape' op expected blocks of 1024 of a dimension of ? to be blocks of dimensions of [1, ?] at scale level 0, got [1, *]}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<1x?x48xbf16, #fp8> -> !qt.tensor<?x48xbf16, #many>
  return
}

// -----

// An empty dimension has one scale under [*] and none under [4].
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#four = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 4] by fdiv>]>
func.func @reshape_c4_empty(%q: !qt.tensor<1x2x0xbf16, #four>) {
  // expected-error @+1 {{'qt.reshape' op expected blocks of * of a dimension of 0 to be blocks of dimensions of [0] at scale level 0, got [4]}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<1x2x0xbf16, #four> -> !qt.tensor<2x0xbf16, #row>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @reshape_c4_code_format(%q: !qt.tensor<2x4x64xbf16, #mx>) {
  // expected-error @+1 {{'qt.reshape' op expected schemes that are equal but for their blocks, and one expressed type, got others}}
  qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x4x64xbf16, #mx> -> !qt.tensor<8x64xbf16, #e5m2>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c1_numbers(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected 2 strides, one for each dimension, got 1}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c1_negative(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected offsets of at least 0, got -1 in dimension 0}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[-1, 0] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c2_within(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected a slice within dimension 0 of size 8, got element 9}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[1, 0] [5, 32] [2, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<5x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_begin(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice from 16}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 16] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_end(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice of 24}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 32] [8, 24] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x24xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_unknown_offset(%q: !qt.tensor<8x64xbf16, #mx>, %o: index) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice from an unknown offset}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, %o] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_stride(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got every element at a stride of 2}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1, 2] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @slice_c3_per_tensor(%q: !qt.tensor<8x64xbf16, #nv>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of * along dimension 0 at scale level 1, got a part of the dimension}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [4, 64] [1, 1] : !qt.tensor<8x64xbf16, #nv> -> !qt.tensor<4x64xbf16, #nv>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_type(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation}}
  // expected-error @+1 {{failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c1_operands() {
  // expected-error @+2 {{'qt.concat' op expected an operand of type !qt.tensor}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(0) : () -> !qt.tensor<8x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c1_dimension(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected a dimension below 2, got 2}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(2) %q, %q : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x64xbf16, #mx>) -> !qt.tensor<8x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c2_sizes(%a: !qt.tensor<8x64xbf16, #mx>, %b: !qt.tensor<7x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected operand 1 to have the type of operand 0 but for dimension 1}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<7x64xbf16, #mx>) -> !qt.tensor<8x128xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c2_schemes(%a: !qt.tensor<8x64xbf16, #mx>, %b: !qt.tensor<8x64xbf16, #e5m2>) {
  // expected-error @+2 {{'qt.concat' op expected operand 1 to have the type of operand 0 but for dimension 1}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x64xbf16, #e5m2>) -> !qt.tensor<8x128xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c3_divides(%a: !qt.tensor<8x48xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of 32 along dimension 1 at scale level 0 in every operand but the last, got 48 in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %a : (!qt.tensor<8x48xbf16, #mx>, !qt.tensor<8x48xbf16, #mx>) -> !qt.tensor<8x96xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c3_unknown(%a: !qt.tensor<8x?xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of 32 along dimension 1 at scale level 0 in every operand but the last, got an unknown size in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %a : (!qt.tensor<8x?xbf16, #mx>, !qt.tensor<8x?xbf16, #mx>) -> !qt.tensor<8x?xbf16, #mx>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @concat_c3_per_tensor(%a: !qt.tensor<8x64xbf16, #fp8>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of * along dimension 0 at scale level 0 in every operand but the last, got 8 in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(0) %a, %a : (!qt.tensor<8x64xbf16, #fp8>, !qt.tensor<8x64xbf16, #fp8>) -> !qt.tensor<16x64xbf16, #fp8>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @broadcast_c1_order(%q: !qt.tensor<64xbf16, #mx>) {
  // expected-error @+1 {{'qt.broadcast' op expected 2 ascending dimensions of the result, got 1, 0}}
  qt.broadcast %q dimensions = [1, 0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<2x3x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @broadcast_c2_sizes(%q: !qt.tensor<64xbf16, #mx>) {
  // expected-error @+1 {{'qt.broadcast' op expected the result to keep the size 64 of operand dimension 0, got 65}}
  qt.broadcast %q dimensions = [0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @broadcast_c3_sizes(%q: !qt.tensor<64xbf16, #mx>) {
  // expected-error @+1 {{'qt.broadcast' op expected 1 sizes, one for each new dynamic dimension, got 0}}
  qt.broadcast %q dimensions = [0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<?x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#sixteen = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 16] by rceil_mul>]>
func.func @broadcast_c4_block(%q: !qt.tensor<64xbf16, #mx>) {
  // expected-error @+1 {{'qt.broadcast' op expected blocks of 32 along dimension 1 at scale level 0, the operand's, got 16}}
  qt.broadcast %q dimensions = [0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<3x64xbf16, #sixteen>
  return
}

// -----

// If nothing is repeated, the one scale of the result is that of nothing.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @broadcast_c4_may_be_empty(%q: !qt.tensor<64xbf16, #fp8>, %n: index) {
  // expected-error @+1 {{'qt.broadcast' op expected a known size that is not 0 of new dimension 0 at scale level 0, where a block is all of it, got ?}}
  qt.broadcast %q dimensions = [0] sizes(%n) : !qt.tensor<64xbf16, #fp8> -> !qt.tensor<?x64xbf16, #fp8>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @broadcast_c4_code_format(%q: !qt.tensor<64xbf16, #mx>) {
  // expected-error @+1 {{'qt.broadcast' op expected schemes that are equal but for their blocks, and one expressed type, got others}}
  qt.broadcast %q dimensions = [0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<3x64xbf16, #e5m2>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c1_amounts(%q: !qt.tensor<5x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected high amounts of at least 0, got -1 in dimension 0}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[-1, 0] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<4x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c2_partial_block(%q: !qt.tensor<5x40xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of 32 along dimension 1 at scale level 0 with other elements, got 24 behind 40}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[0, 24] : !qt.tensor<5x40xbf16, #mx> -> !qt.tensor<5x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c2_in_front(%q: !qt.tensor<5x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of 32 along dimension 1 at scale level 0 with other elements, got 8 in front and 24 behind}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 8] high[0, 24] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<5x96xbf16, #mx>
  return
}

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @pad_c2_per_tensor(%q: !qt.tensor<5x64xbf16, #nv>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of * along dimension 0 at scale level 1 with other elements, got 0 in front and 3 behind}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[3, 0] : !qt.tensor<5x64xbf16, #nv> -> !qt.tensor<8x64xbf16, #nv>
  return
}
