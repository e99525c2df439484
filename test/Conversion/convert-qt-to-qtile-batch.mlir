// Batched products and their quantizers: dimensions of the batch become one, in front, for which launches have an integer.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s

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

// -----

// A batch that is quantized again is made of the panels of the batch, and so are numbers for whoever decodes it.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x250x1000xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[X]]) {{.*}} -> (tensor<4x8x256x128xi8, #qtile.stored<panels of 4x250x1000>>, tensor<4x8x252xf32, #qtile.stored<block_1x128 of 4x250x8>>)
// CHECK: %[[XT:.*]]:2 = qtile.launch @[[AGAIN:.*]](%[[XQ]]#0, %[[XQ]]#1) sizes(%c4_i32{{.*}}, %c250_i32{{.*}}, %c1000_i32{{.*}}) tied [-1, -1]
// CHECK-SAME: -> (tensor<4x2x1008x128xi8, #qtile.stored<panels of 4x1000x250>>, tensor<4x2x1000xf32, #qtile.stored<block_1x128 of 4x1000x2>>)
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[XT]]#0, %[[XT]]#1) {{.*}} -> tensor<4x512x1000xbf16>
// CHECK: %[[N:.*]] = qtile.launch @[[DECODE:.*]](%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> tensor<4x250x1000xbf16>
// CHECK: linalg.transpose ins(%[[N]] : tensor<4x250x1000xbf16>) {{.*}} permutation = [0, 2, 1]
// CHECK: qtile.kernel @[[AGAIN]](
// CHECK-NEXT: qtile.requantize {{.*}} sizes(%{{.*}}, %{{.*}}) in batch(%{{.*}}) by #{{.*}} along_rows(
// CHECK: qtile.kernel @[[DECODE]](
// CHECK-NEXT: qtile.dequantize {{.*}} along columns sizes(%{{.*}}, %{{.*}}) in batch(%{{.*}}) into
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
func.func @main(%x: tensor<4x250x1000xbf16>, %w: tensor<4x512x1000xbf16>, %g: tensor<4x512x250xbf16>)
    -> (tensor<4x250x512xbf16>, tensor<4x512x1000xbf16>, tensor<4x1000x250xbf16>) {
  %q = qt.quantize %x : tensor<4x250x1000xbf16> to !qt.tensor<4x250x1000xbf16, #row>
  %t = qt.transpose %q permutation = [0, 2, 1] : !qt.tensor<4x250x1000xbf16, #row> -> !qt.tensor<4x1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<4x1000x250xbf16, #column> to !qt.tensor<4x1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<4x512x1000xbf16> to !qt.tensor<4x512x1000xbf16, #row>
  %gq = qt.quantize %g : tensor<4x512x250xbf16> to !qt.tensor<4x512x250xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<4x250x1000xbf16, #row>, !qt.tensor<4x512x1000xbf16, #row> -> tensor<4x250x512xbf16>
  %dw = qt.matmul %gq, %r : !qt.tensor<4x512x250xbf16, #row>, !qt.tensor<4x1000x250xbf16, #row> -> tensor<4x512x1000xbf16>
  %n = qt.dequantize %t : !qt.tensor<4x1000x250xbf16, #column> to tensor<4x1000x250xbf16>
  return %y, %dw, %n : tensor<4x250x512xbf16>, tensor<4x512x1000xbf16>, tensor<4x1000x250xbf16>
}

// -----

// Codes that are recomputed for a requantizer alone, of a batch: along the rows of each matrix, where they are codes of the transpose.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}}(%{{.*}}) {{.*}} -> (tensor<4x4x1008x128xi8, #qtile.stored<panels of 4x1000x512>>, tensor<4x4x1000xf32,
// CHECK: %[[WR:.*]]:2 = qtile.launch @{{.*}}(%[[WQ]]#0, %[[WQ]]#1) {{.*}} -> (tensor<4x8x512x128xi8, #qtile.stored<panels of 4x512x1000>>,
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
func.func @main(%w: tensor<4x512x1000xbf16>, %h: tensor<4x64x1000xbf16>) -> tensor<4x512x64xbf16> {
  %wq = qt.quantize %w : tensor<4x512x1000xbf16> to !qt.tensor<4x512x1000xbf16, #column>
  %wr = qt.requantize %wq : !qt.tensor<4x512x1000xbf16, #column> to !qt.tensor<4x512x1000xbf16, #row>
  %hq = qt.quantize %h : tensor<4x64x1000xbf16> to !qt.tensor<4x64x1000xbf16, #row>
  %y = qt.matmul %wr, %hq : !qt.tensor<4x512x1000xbf16, #row>, !qt.tensor<4x64x1000xbf16, #row> -> tensor<4x512x64xbf16>
  return %y : tensor<4x512x64xbf16>
}

// -----

// What lies in panels as one matrix is no source for a batch, which is left in panels of its own.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: qtile.launch @{{.*}} -> (tensor<1x64x128xi8, #qtile.stored<panels of 64x128>>,
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}} -> (tensor<2x1x32x128xi8, #qtile.stored<panels of 2x32x128>>,
// CHECK: qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> (tensor<2x1x128x128xi8, #qtile.stored<panels of 2x128x32>>,
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
func.func @main(%x: tensor<2x32x128xbf16>, %w: tensor<16x128xbf16>, %v: tensor<2x16x32xbf16>) -> (tensor<64x16xbf16>, tensor<2x16x128xbf16>) {
  %q = qt.quantize %x : tensor<2x32x128xbf16> to !qt.tensor<2x32x128xbf16, #row>
  %flat = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x32x128xbf16, #row> -> !qt.tensor<64x128xbf16, #row>
  %wq = qt.quantize %w : tensor<16x128xbf16> to !qt.tensor<16x128xbf16, #row>
  %vq = qt.quantize %v : tensor<2x16x32xbf16> to !qt.tensor<2x16x32xbf16, #row>
  %t = qt.transpose %q permutation = [0, 2, 1] : !qt.tensor<2x32x128xbf16, #row> -> !qt.tensor<2x128x32xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<2x128x32xbf16, #column> to !qt.tensor<2x128x32xbf16, #row>
  %y = qt.matmul %flat, %wq : !qt.tensor<64x128xbf16, #row>, !qt.tensor<16x128xbf16, #row> -> tensor<64x16xbf16>
  %z = qt.matmul %vq, %r : !qt.tensor<2x16x32xbf16, #row>, !qt.tensor<2x128x32xbf16, #row> -> tensor<2x16x128xbf16>
  return %y, %z : tensor<64x16xbf16>, tensor<2x16x128xbf16>
}

// -----

// A batch of one is none, whether the operand begins with it or it was added; what the product is added to and its result follow.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<192x128xbf16>, %[[W:.*]]: tensor<1x128x256xbf16>, %[[C:.*]]: tensor<1x192x256xf32>)
// CHECK-NOT: qt.
// CHECK-DAG: %[[W0:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2]] : tensor<1x128x256xbf16> into tensor<128x256xbf16>
// CHECK-DAG: qtile.launch @{{.*}}(%[[X]]) {{.*}} -> (tensor<1x192x128xi8, #qtile.stored<panels of 192x128>>,
// CHECK-DAG: qtile.launch @{{.*}}(%[[W0]]) {{.*}} -> (tensor<1x256x128xi8, #qtile.stored<panels of 256x128>>,
// CHECK: %[[C0:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1], [2]]
// CHECK: %[[Y:.*]] = qtile.launch @{{.*}}({{.*}}, %[[C0]]) {{.*}} -> tensor<192x256xf32>
// CHECK: %[[Y3:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2]] output_shape [1, 192, 256]
// CHECK: return %[[Y3]]
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<1x128x256xbf16>, %c: tensor<1x192x256xf32>) -> tensor<1x192x256xf32> {
  %q = qt.quantize %x : tensor<192x128xbf16> to !qt.tensor<192x128xbf16, #row>
  %q3 = qt.reshape %q [[0, 1], [2]] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<1x192x128xbf16, #row>
  %wq = qt.multi_quantize %w permutations [[0, 2, 1]] : tensor<1x128x256xbf16> to !qt.tensor<1x256x128xbf16, #square>
  %y = qt.matmul %q3, %wq plus %c : tensor<1x192x256xf32> : !qt.tensor<1x192x128xbf16, #row>, !qt.tensor<1x256x128xbf16, #square> -> tensor<1x192x256xf32>
  return %y : tensor<1x192x256xf32>
}

// -----

// Dimensions that were expanded and that the product has side by side again are one; what else reads the codes is expanded as numbers.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<192x128xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[X]]) {{.*}} -> (tensor<1x192x128xi8, #qtile.stored<panels of 192x128>>,
// CHECK: %[[Y:.*]] = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1, {{.*}} -> tensor<192x64xbf16>
// CHECK: %[[N:.*]] = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> tensor<192x128xbf16>
// CHECK: %[[N4:.*]] = tensor.expand_shape %[[N]] {{\[}}[0, 1, 2], [3]] output_shape [2, 1, 96, 128]
// CHECK: return %[[Y]], %[[N4]]
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<64x128xbf16>) -> (tensor<192x64xbf16>, tensor<2x1x96x128xbf16>) {
  %q = qt.quantize %x : tensor<192x128xbf16> to !qt.tensor<192x128xbf16, #row>
  %q4 = qt.reshape %q [[0, 1, 2], [3]] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<2x1x96x128xbf16, #row>
  %t4 = qt.transpose %q4 permutation = [1, 0, 2, 3] : !qt.tensor<2x1x96x128xbf16, #row> -> !qt.tensor<1x2x96x128xbf16, #row>
  %q2 = qt.reshape %t4 [[0, 1, 2], [3]] : !qt.tensor<1x2x96x128xbf16, #row> -> !qt.tensor<192x128xbf16, #row>
  %wq = qt.quantize %w : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #row>
  %y = qt.matmul %q2, %wq : !qt.tensor<192x128xbf16, #row>, !qt.tensor<64x128xbf16, #row> -> tensor<192x64xbf16>
  %n = qt.dequantize %q4 : !qt.tensor<2x1x96x128xbf16, #row> to tensor<2x1x96x128xbf16>
  return %y, %n : tensor<192x64xbf16>, tensor<2x1x96x128xbf16>
}

// -----

// Parts of one dimension that the product has apart are none of the source's.
//
// CHECK-LABEL: func.func @main
// CHECK: qt.matmul
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<2x64x128xbf16>) -> tensor<2x96x64xbf16> {
  %q = qt.quantize %x : tensor<192x128xbf16> to !qt.tensor<192x128xbf16, #row>
  %q3 = qt.reshape %q [[0, 1], [2]] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<2x96x128xbf16, #row>
  %wq = qt.quantize %w : tensor<2x64x128xbf16> to !qt.tensor<2x64x128xbf16, #row>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: a quantized tensor is expanded into dimensions that the product has apart}}
  %y = qt.matmul %q3, %wq : !qt.tensor<2x96x128xbf16, #row>, !qt.tensor<2x64x128xbf16, #row> -> tensor<2x96x64xbf16>
  return %y : tensor<2x96x64xbf16>
}
