// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.reshape has a program that breaks it alone.

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
