// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.broadcast has a program that breaks it alone.

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
