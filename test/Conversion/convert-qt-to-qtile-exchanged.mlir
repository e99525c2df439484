// Weights on the left: kernels have scales of 128x128 on the right alone, so that the product is computed transposed.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile=remarks --split-input-file --verify-diagnostics | FileCheck %s

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>

// The kernel's bias is for columns of what it leaves, which are rows of the product: the addition stays.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: tensor<512x1000xbf16>, %[[X:.*]]: tensor<250x1000xbf16>,
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}}(%[[W]])
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[X]])
// CHECK: %[[Y:.*]] = qtile.launch @[[GEMM:.*]](%[[XQ]]#0, %[[XQ]]#1, %[[WQ]]#0, %[[WQ]]#1) sizes(%{{.*}}) tied [-1]
// CHECK-SAME: -> tensor<250x512xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<250x512xf32>) outs(%{{.*}} : tensor<512x250xf32>) permutation = [1, 0]
// CHECK: arith.addf %[[T]]
// CHECK: qtile.kernel @[[GEMM]](
// CHECK-NEXT: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_128x128 by %{{.*}} likely [250, 512, 1000]
func.func @main(%w: tensor<512x1000xbf16>, %x: tensor<250x1000xbf16>, %b: tensor<512x250xf32>) -> tensor<512x250xf32> {
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #square>
  %xq = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  // expected-remark @+1 {{computed transposed, and transposed again by the engine: no kernel has scales for 128x128 on the left}}
  %y = qt.matmul %wq, %xq : !qt.tensor<512x1000xbf16, #square>, !qt.tensor<250x1000xbf16, #row> -> tensor<512x250xf32>
  %sum = arith.addf %y, %b : tensor<512x250xf32>
  return %sum : tensor<512x250xf32>
}

// -----

// A batch, of sizes that are not known.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[Y:.*]] = qtile.launch @{{.*}} -> tensor<6x?x512xbf16>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2], [3]] output_shape {{.*}} : tensor<6x?x512xbf16> into tensor<2x3x?x512xbf16>
// CHECK: linalg.transpose ins(%[[E]] : tensor<2x3x?x512xbf16>) outs(%{{.*}} : tensor<2x3x512x?xbf16>) permutation = [0, 1, 3, 2]
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1, 1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1, 128, 128] by fdiv>]>
func.func @main(%w: tensor<2x3x512x1000xbf16>, %x: tensor<2x3x?x1000xbf16>) -> tensor<2x3x512x?xbf16> {
  %wq = qt.quantize %w : tensor<2x3x512x1000xbf16> to !qt.tensor<2x3x512x1000xbf16, #square>
  %xq = qt.quantize %x : tensor<2x3x?x1000xbf16> to !qt.tensor<2x3x?x1000xbf16, #row>
  // expected-remark @+1 {{computed transposed}}
  %y = qt.matmul %wq, %xq : !qt.tensor<2x3x512x1000xbf16, #square>, !qt.tensor<2x3x?x1000xbf16, #row> -> tensor<2x3x512x?xbf16>
  return %y : tensor<2x3x512x?xbf16>
}
