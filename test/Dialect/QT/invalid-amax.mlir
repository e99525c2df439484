// RUN: fp8-opt %s --split-input-file --verify-diagnostics
//
// One error for each numbered constraint of what computes, takes or returns an amax.

func.func @amax_c1_shape(%x: tensor<3x65xbf16>) {
  // expected-error @+1 {{expected the result of shape 3x3 (ceildiv of 3x65 by [1, 32]), got 3x2}}
  %a = qt.amax %x <per block [1, 32]> : tensor<3x65xbf16> -> tensor<3x2xf32>
  return
}

// -----

func.func @amax_c1_shape_per_tensor(%x: tensor<4x3x65xbf16>) {
  // expected-error @+1 {{expected the result of shape 4 (one for each batch slice), got (rank 0)}}
  %a = qt.amax %x <per tensor> : tensor<4x3x65xbf16> -> tensor<f32>
  return
}

// -----

func.func @amax_c1_rank(%x: tensor<65xbf16>) {
  // expected-error @+1 {{expected a block of at most 1 sizes, the input's rank, after leading ones, got #qt.amax<per block [2, 32]>}}
  %a = qt.amax %x <per block [2, 32]> : tensor<65xbf16> -> tensor<3xf32>
  return
}

// -----

func.func @amax_c1_encoding(%x: tensor<65xbf16, "sparse">) {
  // expected-error @+1 {{expected the input without an encoding, got "sparse"}}
  %a = qt.amax %x <per tensor> : tensor<65xbf16, "sparse"> -> tensor<f32>
  return
}

// -----

// expected-error @+1 {{expected a block size of at least 1 or '*', got 0}}
func.func private @amax_attribute_c1() attributes {test.amax = #qt.amax<per block [1, 0]>}

// -----

// expected-error @+1 {{expected the name of a NaN rule, got 'drop'; NaN rules are propagate, ignore}}
func.func private @amax_attribute_nan() attributes {test.amax = #qt.amax<per tensor, nan = drop>}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c5_shape(%x: tensor<3x65xbf16>, %a: tensor<f32>) {
  // expected-error @+1 {{expected the amax of shape 3x3 (ceildiv of 3x65 by [1, 32]), got (rank 0)}}
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

// Under two levels it is the outer one's.
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @quantize_c5_level(%x: tensor<3x65xbf16>, %a: tensor<3x5xf32>) {
  // expected-error @+1 {{expected the amax of shape (rank 0) (one for each batch slice), got 3x5}}
  %q = qt.quantize %x amax(%a : tensor<3x5xf32>) : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #nv>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @quantize_c5_alone(%x: tensor<3x65xbf16>, %a: tensor<f32>) {
  // expected-error @+1 {{expected scales or an amax, got both}}
  %q = qt.quantize %x scales(%a : tensor<f32>) amax(%a : tensor<f32>) : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #fp8>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @multi_quantize_c1_results(%x: tensor<3x65xbf16>) {
  // expected-error @+1 {{expected at least one result and a permutation for each, got 1 results and 2 permutations}}
  %q = qt.multi_quantize %x permutations [[0, 1], [1, 0]] : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @multi_quantize_c1_permutation(%x: tensor<3x65xbf16>) {
  // expected-error @+1 {{expected a permutation of 2 dimensions for result 1, got [1, 1]}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 1]]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>, !qt.tensor<65x3xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @multi_quantize_c2_shape(%x: tensor<3x65xbf16>) {
  // expected-error @+1 {{expected the input for result 1 of shape 65x3, the quantized tensor's, got 3x65}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>, !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @multi_quantize_c2_batch(%x: tensor<4x3x65xbf16>) {
  // expected-error @+1 {{expected a scheme for result 1 that can be transposed back, got #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1, 2], [2, 1, 0]]
           : tensor<4x3x65xbf16> to !qt.tensor<4x3x65xbf16, #fp8>, !qt.tensor<65x3x4xbf16, #fp8>
  return
}

// -----

#stochastic = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], rounding = stochastic>
func.func @multi_quantize_c3_rounding(%x: tensor<3x65xbf16>) {
  // expected-error @+1 {{expected a rounding that needs no random bits, got stochastic}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #stochastic>, !qt.tensor<65x3xbf16, #stochastic>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @multi_quantize_c4_number(%x: tensor<3x65xbf16>, %a: tensor<f32>) {
  // expected-error @+1 {{expected 'reads' to hold numbers of amaxes, of which there are 1, or -1, got 1}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<f32>) reads [0, 1]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #fp8>, !qt.tensor<65x3xbf16, #fp8>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @multi_quantize_c4_unread(%x: tensor<3x65xbf16>, %a: tensor<f32>) {
  // expected-error @+1 {{expected every amax to be read, got none that reads number 0}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<f32>) reads [-1, -1]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #fp8>, !qt.tensor<65x3xbf16, #fp8>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @multi_quantize_c4_entries(%x: tensor<3x65xbf16>, %a: tensor<f32>) {
  // expected-error @+1 {{expected 'reads' to have an entry for each of 2 results beside amaxes and none without, got 1}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<f32>) reads [0]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #fp8>, !qt.tensor<65x3xbf16, #fp8>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @multi_quantize_c4_shape(%x: tensor<3x65xbf16>, %a: tensor<3x1xf32>) {
  // In the layout of the input, the columns of which are the rows of result 1.
  // expected-error @+1 {{expected the amax for result 1 of shape 1x65 (ceildiv of 3x65 by [*, 1]), got 3x1}}
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<3x1xf32>) reads [-1, 0]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #row>, !qt.tensor<65x3xbf16, #row>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @matmul_c5_count(%a: !qt.tensor<3x65xbf16, #row>) {
  // expected-error @+1 {{expected an amax result for each of 2 blocks, got 1}}
  %y, %m = qt.matmul %a, %a amax [#qt.amax<per tensor>, #qt.amax<per block [1, *]>]
    : !qt.tensor<3x65xbf16, #row>, !qt.tensor<3x65xbf16, #row> -> tensor<3x3xbf16>, tensor<f32>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @matmul_c5_shape(%a: !qt.tensor<3x65xbf16, #row>) {
  // expected-error @+1 {{expected amax 0 of shape 3x1 (ceildiv of 3x3 by [1, *]), got (rank 0)}}
  %y, %m = qt.matmul %a, %a amax [#qt.amax<per block [1, *]>]
    : !qt.tensor<3x65xbf16, #row>, !qt.tensor<3x65xbf16, #row> -> tensor<3x3xbf16>, tensor<f32>
  return
}
