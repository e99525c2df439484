// Batches that are quantized again are made of the panels of batches.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

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
