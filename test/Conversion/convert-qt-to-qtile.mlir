// Products and their quantizers become launches of kernels, with what lies between them in panels.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>

// One launch quantizes x along both its dimensions; each product reads one of them.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<250x1000xbf16>, %[[W:.*]]: tensor<512x1000xbf16>, %[[G:.*]]: tensor<512x250xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:4 = qtile.launch @[[BOTH:.*]](%[[X]]) sizes(%{{.*}}, %{{.*}}) tied [-1, -1, -1, -1] : (tensor<250x1000xbf16>)
// CHECK-SAME: -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>,
// CHECK-SAME: tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<2x1000xf32, #qtile.stored<block_1x128 of 1000x2>>)
// CHECK: %[[WQ:.*]]:2 = qtile.launch @[[SQUARE:.*]](%[[W]])
// CHECK-SAME: tensor<4x8xf32, #qtile.stored<block_128x128 of 4x8>>
// CHECK: %[[GQ:.*]]:2 = qtile.launch @[[ROWS:.*]](%[[G]])
// CHECK: %[[Y:.*]] = qtile.launch @[[FPROP:.*]](%[[XQ]]#0, %[[XQ]]#1, %[[WQ]]#0, %[[WQ]]#1) sizes(%{{.*}}) tied [-1]
// CHECK-SAME: -> tensor<250x512xbf16>
// CHECK: %[[DW:.*]] = qtile.launch @[[WGRAD:.*]](%[[GQ]]#0, %[[GQ]]#1, %[[XQ]]#2, %[[XQ]]#3)
// CHECK-SAME: -> tensor<512x1000xbf16>
// CHECK: return %[[Y]], %[[DW]]
//
// CHECK: qtile.kernel @[[FPROP]](%{{.*}}: !qtile.global<f8E4M3FN>, %{{.*}}: !qtile.global<f32>, %{{.*}}: !qtile.global<f8E4M3FN>, %{{.*}}: !qtile.global<f32>, %{{.*}}: !qtile.global<bf16>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) on @sm_90a
// CHECK-NEXT: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_128x128 by %{{.*}} likely [250, 512, 1000]
// CHECK: qtile.kernel @[[WGRAD]](
// CHECK-NEXT: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_1x128 by %{{.*}} likely [512, 1000, 250]
// CHECK: qtile.kernel @[[BOTH]](
// CHECK-NEXT: qtile.quantize {{.*}} along_columns({{.*}}) along_rows({{.*}})
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>, !qt.tensor<1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #square>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %y = qt.matmul %q#0, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #square> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %q#1 : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}

// -----

// Scales per tensor: our own amax first, into a cell that starts at zero, also where a producer returns one.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[AMAX:.*]] = qtile.launch @{{.*}}(%[[X:.*]], %[[ZERO]]) {{.*}} tied [1]
// CHECK: qtile.launch @{{.*}}(%[[X]], %[[AMAX]]) {{.*}} -> (tensor<1x32x128xi8, #qtile.stored<panels of 32x64>>, tensor<f32>)
// CHECK: qtile.gemm %{{.*}} as tensor by %{{.*}}, %{{.*}} as tensor by
#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<32x64xbf16>, %w: tensor<16x64xbf16>, %a: tensor<f32>) -> tensor<32x16xbf16> {
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #e4m3>
  %wq = qt.quantize %w : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #e5m2>
  %y = qt.matmul %q, %wq : !qt.tensor<32x64xbf16, #e4m3>, !qt.tensor<16x64xbf16, #e5m2> -> tensor<32x16xbf16>
  return %y : tensor<32x16xbf16>
}

// -----

// Heads come together in front of a product: the numbers are transposed, as no kernel transposes codes.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x4x32x64xbf16>) outs(%{{.*}}) permutation = [0, 2, 1, 3]
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2, 3]] : tensor<2x32x4x64xbf16> into tensor<64x256xbf16>
// CHECK: qtile.launch @{{.*}}(%[[M]])
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 64] by fdiv>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<2x4x32x64xbf16>, %w: tensor<16x256xbf16>) -> tensor<64x16xbf16> {
  %t = tensor.empty() : tensor<2x32x4x64xbf16>
  %h = linalg.transpose ins(%x : tensor<2x4x32x64xbf16>) outs(%t : tensor<2x32x4x64xbf16>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %h [[0, 1], [2, 3]] : tensor<2x32x4x64xbf16> into tensor<64x256xbf16>
  %q = qt.quantize %c : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #all>
  %wq = qt.quantize %w : tensor<16x256xbf16> to !qt.tensor<16x256xbf16, #all>
  %y = qt.matmul %q, %wq : !qt.tensor<64x256xbf16, #all>, !qt.tensor<16x256xbf16, #all> -> tensor<64x16xbf16>
  return %y : tensor<64x16xbf16>
}
