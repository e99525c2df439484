// Scales per row along either dimension.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

// Along rows, or both: amaxes of 250 rows and 1000 columns first, into cells that start at zero. Along columns alone there are none.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<250x1000xbf16>, %[[W:.*]]: tensor<512x1000xbf16>, %[[G:.*]]: tensor<512x250xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<1250xf32>
// CHECK: %[[AMAX:.*]] = qtile.launch @[[AMAXES:.*]](%[[X]], %[[ZERO]]) sizes(%{{.*}}, %{{.*}}) tied [1] : (tensor<250x1000xbf16>, tensor<1250xf32>) -> tensor<1250xf32>
// CHECK: %[[XQ:.*]]:4 = qtile.launch @[[BOTH:.*]](%[[X]], %[[AMAX]]) sizes(%{{.*}}, %{{.*}}) tied [-1, -1, -1, -1]
// CHECK-SAME: -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<252xf32, #qtile.stored<row of 250x1>>,
// CHECK-SAME: tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<1000xf32, #qtile.stored<row of 1000x1>>)
// CHECK: %[[WQ:.*]]:2 = qtile.launch @[[ALONG:.*]](%[[W]])
// CHECK: %[[GQ:.*]]:2 = qtile.launch @{{.*}}(%[[G]])
// CHECK: qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1, %[[WQ]]#0, %[[WQ]]#1)
// CHECK: qtile.launch @{{.*}}(%[[GQ]]#0, %[[GQ]]#1, %[[XQ]]#2, %[[XQ]]#3)
//
// CHECK: qtile.kernel @[[AMAXES]](%{{.*}}: !qtile.global<bf16>, %{{.*}}: !qtile.global<f32>, %{{.*}}: i32, %{{.*}}: i32) on @sm_90a
// CHECK-NEXT: qtile.amax %{{.*}} by #{{.*}} into
// CHECK: qtile.kernel @[[BOTH]](
// CHECK-NEXT: qtile.quantize {{.*}} amax %{{.*}} along_columns({{.*}}) along_rows({{.*}})
// CHECK: qtile.kernel @[[ALONG]](
// CHECK-NOT: amax
// CHECK: qtile.return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>, !qt.tensor<1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %y = qt.matmul %q#0, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %q#1 : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}

// -----

// Each matrix of a batch has amaxes of its own; how many, the sizes say.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x?x64xbf16>,
// CHECK-NOT: qt.
// CHECK: affine.apply #{{.*}}()[%{{.*}}]
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<3x?xf32>)
// CHECK: %[[AMAX:.*]] = qtile.launch @{{.*}}(%[[X]], %[[ZERO]]) sizes(%{{.*}}, %{{.*}}, %{{.*}}) tied [1] : (tensor<3x?x64xbf16>, tensor<3x?xf32>)
// CHECK: qtile.launch @{{.*}}(%[[X]], %[[AMAX]]) {{.*}} tied [-1, -1]
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<3x?x64xbf16>, %w: tensor<3x16x?xbf16>) -> tensor<3x64x16xbf16> {
  %q = qt.multi_quantize %x permutations [[0, 2, 1]] : tensor<3x?x64xbf16> to !qt.tensor<3x64x?xbf16, #row>
  %wq = qt.quantize %w : tensor<3x16x?xbf16> to !qt.tensor<3x16x?xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<3x64x?xbf16, #row>, !qt.tensor<3x16x?xbf16, #row> -> tensor<3x64x16xbf16>
  return %y : tensor<3x64x16xbf16>
}

// -----

// Beside scales per row, one for all of an operand is that of each of its rows.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}} -> (tensor<1x32x128xi8, #qtile.stored<panels of 18x64>>, tensor<f32>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<20xf32>
// CHECK: %[[SCALES:.*]] = linalg.broadcast ins(%[[WQ]]#1 : tensor<f32>) outs(%[[EMPTY]] : tensor<20xf32>) dimensions = [0]
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[WQ]]#0, %[[SCALES]])
// CHECK: qtile.gemm %{{.*}} as row by %{{.*}}, %{{.*}} as row by
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#whole = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<32x64xbf16>, %w: tensor<18x64xbf16>) -> tensor<32x18xbf16> {
  %q = qt.quantize %x : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #row>
  %wq = qt.quantize %w : tensor<18x64xbf16> to !qt.tensor<18x64xbf16, #whole>
  %y = qt.matmul %q, %wq : !qt.tensor<32x64xbf16, #row>, !qt.tensor<18x64xbf16, #whole> -> tensor<32x18xbf16>
  return %y : tensor<32x18xbf16>
}
