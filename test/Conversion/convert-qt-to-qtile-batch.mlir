// Batched products and their quantizers: dimensions of the batch become one, in front, for which launches have an integer.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

// A scale per tensor is one for each matrix: so are amaxes. Codes and scales are stacks.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x160x128xbf16>, %[[W:.*]]: tensor<4x128x256xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[AMAX:.*]] = qtile.launch @[[AMAXES:.*]](%[[X]], %[[ZERO]]) sizes(%c4_i32, %c160_i32, %c128_i32) tied [1] {{.*}} -> tensor<4xf32>
// CHECK: %[[XQ:.*]]:2 = qtile.launch @[[QUANTIZE:.*]](%[[X]], %[[AMAX]]) sizes(
// CHECK-SAME: -> (tensor<4x1x160x128xi8, #qtile.stored<panels of 4x160x128>>, tensor<4xf32>)
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}}(%[[W]], %{{[0-9]+}}) sizes(
// CHECK-SAME: -> (tensor<4x1x256x128xi8, #qtile.stored<panels of 4x256x128>>, tensor<4xf32>)
// CHECK: %[[Y:.*]] = qtile.launch @[[GEMM:.*]](%[[XQ]]#0, %[[XQ]]#1, %[[WQ]]#0, %[[WQ]]#1) sizes(
// CHECK-SAME: -> tensor<4x160x256xbf16>
// CHECK: return %[[Y]]
//
// CHECK: qtile.kernel @[[GEMM]](%{{.*}}, %[[D:.*]]: !qtile.global<bf16>, %[[E:.*]]: i32, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[K:.*]]: i32) on
// CHECK-NEXT: qtile.gemm {{.*}} into %[[D]] sizes(%[[M]], %[[N]], %[[K]]) in batch(%[[E]]) likely [160, 256, 128, 4]
// CHECK: qtile.kernel @[[AMAXES]](
// CHECK-NEXT: qtile.amax {{.*}} in batch(
// CHECK: qtile.kernel @[[QUANTIZE]](
// CHECK-NEXT: qtile.quantize {{.*}} in batch(
#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x160x128xbf16>, %w: tensor<4x128x256xbf16>) -> tensor<4x160x256xbf16> {
  %q = qt.quantize %x : tensor<4x160x128xbf16> to !qt.tensor<4x160x128xbf16, #e4m3>
  %wq = qt.multi_quantize %w permutations [[0, 2, 1]] : tensor<4x128x256xbf16> to !qt.tensor<4x256x128xbf16, #e4m3>
  %y = qt.matmul %q, %wq : !qt.tensor<4x160x128xbf16, #e4m3>, !qt.tensor<4x256x128xbf16, #e4m3> -> tensor<4x160x256xbf16>
  return %y : tensor<4x160x256xbf16>
}

// -----

// The batch lies amid the source: numbers are transposed, once for both orientations that products read.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<128x4x160xbf16>) outs(%{{.*}}) permutation = [1, 0, 2]
// CHECK: qtile.launch @{{.*}}(%[[T]]) {{.*}} tied [-1, -1, -1, -1]
// CHECK-SAME: -> (tensor<4x2x128x128xi8, #qtile.stored<panels of 4x128x160>>, tensor<4x2x128xf32, #qtile.stored<block_1x128 of 4x128x2>>,
// CHECK-SAME: tensor<4x1x160x128xi8, #qtile.stored<panels of 4x160x128>>, tensor<4x1x160xf32, #qtile.stored<block_1x128 of 4x160x1>>)
// CHECK-NOT: qt.matmul
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%g: tensor<128x4x160xbf16>, %x: tensor<4x256x160xbf16>, %w: tensor<4x256x128xbf16>) -> (tensor<4x128x256xbf16>, tensor<4x160x256xbf16>) {
  %gq:2 = qt.multi_quantize %g permutations [[1, 0, 2], [1, 2, 0]] : tensor<128x4x160xbf16> to !qt.tensor<4x128x160xbf16, #row>, !qt.tensor<4x160x128xbf16, #row>
  %xq = qt.quantize %x : tensor<4x256x160xbf16> to !qt.tensor<4x256x160xbf16, #row>
  %wq = qt.quantize %w : tensor<4x256x128xbf16> to !qt.tensor<4x256x128xbf16, #square>
  %dw = qt.matmul %gq#0, %xq : !qt.tensor<4x128x160xbf16, #row>, !qt.tensor<4x256x160xbf16, #row> -> tensor<4x128x256xbf16>
  %dx = qt.matmul %gq#1, %wq : !qt.tensor<4x160x128xbf16, #row>, !qt.tensor<4x256x128xbf16, #square> -> tensor<4x160x256xbf16>
  return %dw, %dx : tensor<4x128x256xbf16>, tensor<4x160x256xbf16>
}

// -----

// Two dimensions of a batch, one of them not known: the result has both again.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x3x32x64xbf16>
// CHECK: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2], [3]] : tensor<?x3x32x64xbf16> into tensor<?x32x64xbf16>
// CHECK: qtile.launch @{{.*}}(%[[M]]) sizes(%{{.*}}) shapes(%{{.*}}) tied [-1, -1]
// CHECK-SAME: -> (tensor<?x1x32x128xi8, #qtile.stored<panels of ?x32x64>>, tensor<?x32xf32, #qtile.stored<row of ?x32x1>>)
// CHECK: %[[Y:.*]] = qtile.launch @{{.*}} -> tensor<?x32x16xbf16>
// CHECK: tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2], [3]] output_shape [%[[B]], 3, 32, 16] : tensor<?x32x16xbf16> into tensor<?x3x32x16xbf16>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<?x3x32x64xbf16>, %w: tensor<?x3x16x64xbf16>) -> tensor<?x3x32x16xbf16> {
  %q = qt.quantize %x : tensor<?x3x32x64xbf16> to !qt.tensor<?x3x32x64xbf16, #all>
  %wq = qt.quantize %w : tensor<?x3x16x64xbf16> to !qt.tensor<?x3x16x64xbf16, #all>
  %y = qt.matmul %q, %wq : !qt.tensor<?x3x32x64xbf16, #all>, !qt.tensor<?x3x16x64xbf16, #all> -> tensor<?x3x32x16xbf16>
  return %y : tensor<?x3x32x16xbf16>
}

// -----

// One quantizer, read as one matrix by a product and as a batch by another: a launch each.
//
// CHECK-LABEL: func.func @main
// CHECK: qtile.launch @{{.*}} : (tensor<64x128xbf16>) -> (tensor<1x64x128xi8, #qtile.stored<panels of 64x128>>,
// CHECK: qtile.launch @{{.*}} : (tensor<2x32x128xbf16>) -> (tensor<2x1x32x128xi8, #qtile.stored<panels of 2x32x128>>,
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<2x32x128xbf16>, %w: tensor<16x128xbf16>, %v: tensor<2x16x128xbf16>) -> (tensor<64x16xbf16>, tensor<2x32x16xbf16>) {
  %q = qt.quantize %x : tensor<2x32x128xbf16> to !qt.tensor<2x32x128xbf16, #row>
  %flat = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x32x128xbf16, #row> -> !qt.tensor<64x128xbf16, #row>
  %wq = qt.quantize %w : tensor<16x128xbf16> to !qt.tensor<16x128xbf16, #row>
  %vq = qt.quantize %v : tensor<2x16x128xbf16> to !qt.tensor<2x16x128xbf16, #row>
  %y = qt.matmul %flat, %wq : !qt.tensor<64x128xbf16, #row>, !qt.tensor<16x128xbf16, #row> -> tensor<64x16xbf16>
  %z = qt.matmul %q, %vq : !qt.tensor<2x32x128xbf16, #row>, !qt.tensor<2x16x128xbf16, #row> -> tensor<2x32x16xbf16>
  return %y, %z : tensor<64x16xbf16>, tensor<2x32x16xbf16>
}
