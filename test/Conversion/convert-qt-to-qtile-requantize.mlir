// What is quantized again is made of the panels of what quantized it first.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

// What the weight gradient reads is made of the panels that the forward product reads, of its transpose.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<250x1000xbf16>, %{{.*}}: tensor<512x1000xbf16>, %{{.*}}: tensor<512x250xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[X]]) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>)
// CHECK: %[[ROWS:.*]] = arith.constant 250 : i32
// CHECK: %[[COLUMNS:.*]] = arith.constant 1000 : i32
// CHECK: %[[XT:.*]]:2 = qtile.launch @[[AGAIN:.*]](%[[XQ]]#0, %[[XQ]]#1) sizes(%[[ROWS]], %[[COLUMNS]]) tied [-1, -1]
// CHECK-SAME: -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<2x1000xf32, #qtile.stored<block_1x128 of 1000x2>>)
// CHECK: qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1, %{{.*}}, %{{.*}}) {{.*}} -> tensor<250x512xbf16>
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[XT]]#0, %[[XT]]#1) {{.*}} -> tensor<512x1000xbf16>
// CHECK: qtile.kernel @[[AGAIN]](
// CHECK-NEXT: qtile.requantize %{{.*}} by %{{.*}} as #[[ROW:.*]] of bf16 sizes(%{{.*}}, %{{.*}}) by #[[ROW]] along_rows(
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<250x1000xbf16, #row> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #square>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #square> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}

// -----

// Codes that are recomputed for a requantizer alone are left in panels for it, from a tensor of any rank; along the rows of its
// matrix, where they are codes of the transpose.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[M:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x125x1000xbf16> into tensor<250x1000xbf16>
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[M]]) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[XT:.*]]:2 = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>,
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[XT]]#0, %[[XT]]#1) {{.*}} -> tensor<512x1000xbf16>
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}}(%[[W:arg[0-9]]]) {{.*}} -> (tensor<4x1008x128xi8, #qtile.stored<panels of 1000x512>>, tensor<4x1000xf32,
// CHECK: %[[ROWS:.*]] = arith.constant 1000 : i32
// CHECK: %[[COLUMNS:.*]] = arith.constant 512 : i32
// CHECK: %[[WR:.*]]:2 = qtile.launch @{{.*}}(%[[WQ]]#0, %[[WQ]]#1) sizes(%[[ROWS]], %[[COLUMNS]]) {{.*}} -> (tensor<8x512x128xi8, #qtile.stored<panels of 512x1000>>,
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#first = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1, 1] by fdiv_pow2>]>
func.func @main(%x: tensor<2x125x1000xbf16>, %g: tensor<512x250xbf16>, %w: tensor<512x1000xbf16>, %h: tensor<64x1000xbf16>)
    -> (tensor<512x1000xbf16>, tensor<512x64xbf16>) {
  %q = qt.multi_quantize %x permutations [[2, 0, 1]] : tensor<2x125x1000xbf16> to !qt.tensor<1000x2x125xbf16, #first>
  %t = qt.reshape %q [[0], [1, 2]] : !qt.tensor<1000x2x125xbf16, #first> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #row>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #column>
  %wr = qt.requantize %wq : !qt.tensor<512x1000xbf16, #column> to !qt.tensor<512x1000xbf16, #row>
  %hq = qt.quantize %h : tensor<64x1000xbf16> to !qt.tensor<64x1000xbf16, #row>
  %y = qt.matmul %wr, %hq : !qt.tensor<512x1000xbf16, #row>, !qt.tensor<64x1000xbf16, #row> -> tensor<512x64xbf16>
  return %dw, %y : tensor<512x1000xbf16>, tensor<512x64xbf16>
}

// -----

// A scheme that no kernel requantizes by: numbers are made of the panels, and quantized.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%{{.*}}) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[N:.*]] = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> tensor<250x1000xbf16>
// CHECK: %[[NT:.*]] = linalg.transpose ins(%[[N]] : tensor<250x1000xbf16>)
// CHECK: qtile.launch @{{.*}}(%[[NT]]) {{.*}} -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<1000xf32, #qtile.stored<row of 1000x1>>)
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<250x1000xbf16, #row> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #all>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #all>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #all>, !qt.tensor<1000x250xbf16, #all> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}
