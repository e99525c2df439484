// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of quantize, dequantize, requantize, transpose and the parts has a program that breaks it alone.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c1_one_shape(%x: tensor<3x64xbf16>) {
  // expected-error @+1 {{'qt.quantize' op expected the input of shape 3x65, the quantized tensor's, got 3x64}}
  qt.quantize %x : tensor<3x64xbf16> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c1_one_rank(%x: tensor<195xbf16>) {
  // expected-error @+1 {{'qt.quantize' op expected the input of shape 3x65, the quantized tensor's, got 195}}
  qt.quantize %x : tensor<195xbf16> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c1_no_encoding(%x: tensor<3x65xbf16, 7>) {
  // expected-error @+1 {{'qt.quantize' op expected the input without an encoding, got 7 : i64}}
  qt.quantize %x : tensor<3x65xbf16, 7> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c2_expressed_type(%x: tensor<3x65xf32>) {
  // expected-error @+1 {{'qt.quantize' op expected the input of element type 'bf16', the expressed type, got 'f32'}}
  qt.quantize %x : tensor<3x65xf32> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @quantize_c3_scales_of_all_levels(%x: tensor<3x65xf32>, %s: tensor<3x5xi8>) {
  // expected-error @+1 {{'qt.quantize' op expected scales for 2 levels, got 1}}
  qt.quantize %x scales(%s : tensor<3x5xi8>) : tensor<3x65xf32> to !qt.tensor<3x65xf32, #nv>
  return
}

// -----

// The last block is partial and has a scale: 65 by 32 are three.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c3_scale_shape(%x: tensor<3x65xf32>, %s: tensor<3x2xi8>) {
  // expected-error @+1 {{'qt.quantize' op expected scales of shape 3x3 for scale level 0 (ceildiv of 3x65 by [1, 32]), got 3x2}}
  qt.quantize %x scales(%s : tensor<3x2xi8>) : tensor<3x65xf32> to !qt.tensor<3x65xf32, #mx>
  return
}

// -----

// Scales that are not powers of two do not get rounded to bytes behind the codes' back.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @quantize_c3_scale_type(%x: tensor<3x65xf32>, %s: tensor<3x3xf32>) {
  // expected-error @+1 {{'qt.quantize' op expected scales of element type 'i8' for scale level 0, got 'f32'}}
  qt.quantize %x scales(%s : tensor<3x3xf32>) : tensor<3x65xf32> to !qt.tensor<3x65xf32, #mx>
  return
}

// -----

#random = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], rounding = stochastic>
func.func @quantize_c4_no_random_bits(%x: tensor<3x65xf32>) {
  // expected-error @+1 {{'qt.quantize' op expected a rounding that needs no random bits, got stochastic}}
  qt.quantize %x : tensor<3x65xf32> to !qt.tensor<3x65xf32, #random>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @dequantize_c1_one_shape(%q: !qt.tensor<3x65xf32, #mx>) {
  // expected-error @+1 {{'qt.dequantize' op expected the result of shape 3x65, the quantized tensor's, got 65x3}}
  qt.dequantize %q : !qt.tensor<3x65xf32, #mx> to tensor<65x3xf32>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @dequantize_c2_expressed_type(%q: !qt.tensor<3x65xbf16, #mx>) {
  // expected-error @+1 {{'qt.dequantize' op expected the result of element type 'bf16', the expressed type, got 'f32'}}
  qt.dequantize %q : !qt.tensor<3x65xbf16, #mx> to tensor<3x65xf32>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @requantize_c1_one_shape(%q: !qt.tensor<3x65xf32, #mx>) {
  // expected-error @+1 {{'qt.requantize' op expected the result of shape 3x65, the operand's, got 65x3}}
  qt.requantize %q : !qt.tensor<3x65xf32, #mx> to !qt.tensor<65x3xf32, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @requantize_c1_one_expressed_type(%q: !qt.tensor<3x65xf32, #mx>) {
  // expected-error @+1 {{'qt.requantize' op expected the result of expressed type 'f32', the operand's, got 'bf16'}}
  qt.requantize %q : !qt.tensor<3x65xf32, #mx> to !qt.tensor<3x65xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#random = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], rounding = stochastic>
func.func @requantize_c2_rounding(%q: !qt.tensor<3x65xf32, #mx>) {
  // expected-error @+1 {{'qt.requantize' op expected a rounding that needs no random bits, got stochastic}}
  qt.requantize %q : !qt.tensor<3x65xf32, #mx> to !qt.tensor<3x65xf32, #random>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @transpose_c1_permutation(%q: !qt.tensor<2x3xf32, #row>) {
  // expected-error @+2 {{'qt.transpose' op expected a permutation of 2 dimensions, got [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  qt.transpose %q permutation = [1, 1] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<3x2xf32, #row>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @transpose_c2_batch_stays(%q: !qt.tensor<2x3x5xf32, #fp8>) {
  // expected-error @+2 {{'qt.transpose' op expected batch dimension 0 to stay in place under a scale level per tensor, got dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  qt.transpose %q permutation = [1, 0, 2] : !qt.tensor<2x3x5xf32, #fp8> -> !qt.tensor<3x2x5xf32, #fp8>
  return
}

// -----

// The block moves with the dimensions.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @transpose_forgets_the_block(%q: !qt.tensor<2x3xf32, #row>) {
  // expected-error @+2 {{inferred type(s) '!qt.tensor<3x2xf32, <f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>>' are incompatible with return type(s)}}
  // expected-error @+1 {{failed to infer returned types}}
  qt.transpose %q permutation = [1, 0] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<3x2xf32, #row>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @constant_c1_static() {
  // expected-error @+1 {{'qt.constant' op expected a static shape, got ?}}
  qt.constant <dense<[1, 2]> : tensor<2xi8>, [dense<1.0> : tensor<f32>]> : !qt.tensor<?xf32, #fp8>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @constant_c2_codes_type() {
  // expected-error @+1 {{'qt.constant' op expected codes of type 'tensor<2xi8>', got 'tensor<2xf8E4M3FN>'}}
  qt.constant <dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>, [dense<1.0> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @constant_c3_bytes_of_a_resource() {
  // expected-error @+1 {{'qt.constant' op expected codes of 3 bytes, as 'tensor<3xi8>' has, got 2}}
  qt.constant <dense_resource<codes> : tensor<3xi8>, [dense<1.0> : tensor<f32>]> : !qt.tensor<3xf32, #fp8>
  return
}
{-# dialect_resources: { builtin: { codes: "0x040000001D7E" } } #-}

// -----

// A negative number is not a code of four bits.
#mxfp4 = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
func.func @constant_c4_bits_of_a_code() {
  // expected-error @+1 {{'qt.constant' op expected codes of 4 bits, as f4E2M1FN has, got 255 for element 1}}
  qt.constant <dense<[15, -1]> : tensor<2xi8>, [dense<127> : tensor<1xi8>]> : !qt.tensor<2xf32, #mxfp4>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @assemble_c1_scales_type(%c: tensor<2x3xi8>, %s: tensor<2xf32>) {
  // expected-error @+1 {{'qt.assemble' op expected scales of shape 2x1 for scale level 0 (ceildiv of 2x3 by [1, *]), got 2}}
  qt.assemble %c, %s : tensor<2x3xi8>, tensor<2xf32> -> !qt.tensor<2x3xf32, #row>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @disassemble_c1_codes_type(%q: !qt.tensor<2x3xf32, #row>) {
  // expected-error @+1 {{'qt.disassemble' op expected codes of type 'tensor<2x3xi8>', got 'tensor<2x3xi16>'}}
  %c, %s = qt.disassemble %q : !qt.tensor<2x3xf32, #row> -> tensor<2x3xi16>, tensor<2x1xf32>
  return
}

// -----

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @assemble_scales_of_tensor(%c: tensor<37x101xi8>, %s: tensor<1xf32>) {
  // expected-error @+1 {{for scale level 0 (one for each batch slice), got 1}}
  qt.assemble %c, %s : tensor<37x101xi8>, tensor<1xf32> -> !qt.tensor<37x101xf32, #tensor>
  return
}
