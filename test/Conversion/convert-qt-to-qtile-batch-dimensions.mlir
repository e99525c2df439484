// Which dimensions are a batch: not those of one matrix, nor those that the product has side by side again.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s

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

// Parts of one dimension that the product has apart are none of the source's: numbers are expanded before they are quantized.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<192x128xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK: qtile.launch @{{.*}}(%[[E]])
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<2x64x128xbf16>) -> tensor<2x96x64xbf16> {
  %q = qt.quantize %x : tensor<192x128xbf16> to !qt.tensor<192x128xbf16, #row>
  // expected-remark @below {{quantizer moved below 'qt.reshape': no kernel reads codes that it moves}}
  %q3 = qt.reshape %q [[0, 1], [2]] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<2x96x128xbf16, #row>
  %wq = qt.quantize %w : tensor<2x64x128xbf16> to !qt.tensor<2x64x128xbf16, #row>
  %y = qt.matmul %q3, %wq : !qt.tensor<2x96x128xbf16, #row>, !qt.tensor<2x64x128xbf16, #row> -> tensor<2x96x64xbf16>
  return %y : tensor<2x96x64xbf16>
}
