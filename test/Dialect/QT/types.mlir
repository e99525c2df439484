// RUN: fp8-opt %s | fp8-opt | FileCheck %s
//
// The type of a quantized tensor reads what it prints, at the edges of rank and size too.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#one = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [32] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// Schemes have a name, or every type would spell them in full.
// CHECK-DAG: #[[FP8:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[ONE:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
// CHECK-DAG: #[[MX:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>

// CHECK: @rank_0(!qt.tensor<f32, #[[FP8]]>)
func.func private @rank_0(!qt.tensor<f32, #fp8>)
// CHECK: @rank_1(!qt.tensor<5xf16, #[[ONE]]>)
func.func private @rank_1(!qt.tensor<5xf16, #one>)
// CHECK: @dynamic(!qt.tensor<?x?xbf16, #[[MX]]>)
func.func private @dynamic(!qt.tensor<?x?xbf16, #mx>)
// CHECK: @empty(!qt.tensor<0x64xbf16, #[[MX]]>)
func.func private @empty(!qt.tensor<0x64xbf16, #mx>)
// CHECK: @huge(!qt.tensor<4611686018427387904x9223372036854775807xbf16, #[[MX]]>)
func.func private @huge(!qt.tensor<4611686018427387904x9223372036854775807xbf16, #mx>)

// The parts of a type, as qt.assemble wants them: a partial block has a scale of its own.
// CHECK-LABEL: func @parts_partial_block
func.func @parts_partial_block(%c: tensor<3x33xi8>, %s: tensor<3x2xi8>) -> !qt.tensor<3x33xf32, #mx> {
  %q = qt.assemble %c, %s : tensor<3x33xi8>, tensor<3x2xi8> -> !qt.tensor<3x33xf32, #mx>
  return %q : !qt.tensor<3x33xf32, #mx>
}

// A scale level per tensor has one scale for each batch slice.
// CHECK-LABEL: func @parts_per_batch_slice
func.func @parts_per_batch_slice(%c: tensor<7x3x33xi8>, %s: tensor<7x3x3xi8>, %t: tensor<7xf32>)
    -> !qt.tensor<7x3x33xf32, #nv> {
  %q = qt.assemble %c, %s, %t : tensor<7x3x33xi8>, tensor<7x3x3xi8>, tensor<7xf32> -> !qt.tensor<7x3x33xf32, #nv>
  return %q : !qt.tensor<7x3x33xf32, #nv>
}

// An empty dimension has no blocks.
// CHECK-LABEL: func @parts_empty
func.func @parts_empty(%c: tensor<4x0xi8>, %s: tensor<4x0xi8>) -> !qt.tensor<4x0xf32, #mx> {
  %q = qt.assemble %c, %s : tensor<4x0xi8>, tensor<4x0xi8> -> !qt.tensor<4x0xf32, #mx>
  return %q : !qt.tensor<4x0xf32, #mx>
}

// A dynamic dimension has a dynamic number of blocks.
// CHECK-LABEL: func @parts_dynamic
func.func @parts_dynamic(%c: tensor<?x?xi8>, %s: tensor<?x?xi8>) -> !qt.tensor<?x?xf32, #mx> {
  %q = qt.assemble %c, %s : tensor<?x?xi8>, tensor<?x?xi8> -> !qt.tensor<?x?xf32, #mx>
  return %q : !qt.tensor<?x?xf32, #mx>
}

// A tensor of one dimension takes the last size of a block.
// CHECK-LABEL: func @parts_rank_1
func.func @parts_rank_1(%c: tensor<33xi8>, %s: tensor<2xi8>) -> !qt.tensor<33xf32, #mx> {
  %q = qt.assemble %c, %s : tensor<33xi8>, tensor<2xi8> -> !qt.tensor<33xf32, #mx>
  return %q : !qt.tensor<33xf32, #mx>
}
