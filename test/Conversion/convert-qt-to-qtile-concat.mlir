// A concatenation of quantized tensors, of whole blocks, is the quantized concatenation, and its quantizer a kernel.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s

// Two parts, one of them seen through views, in both orientations: the concatenation is made once and read once.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x128x128xbf16>, %[[Y:.*]]: tensor<2x1x128x32xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[Y3:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0], [1, 2], [3]]
// CHECK: %[[C:.*]] = tensor.concat dim(2) %[[X]], %[[Y3]]
// CHECK: %[[C2:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1], [2]] : tensor<2x128x160xbf16> into tensor<256x160xbf16>
// CHECK: %[[Q:.*]]:4 = qtile.launch @{{.*}}(%[[C2]]) {{.*}} -> (tensor<2x256x128xi8, #qtile.stored<panels of 256x160>>,
// CHECK-SAME: tensor<2x160x128xi8, #qtile.stored<panels of 160x256>>,
// CHECK-NOT: qt.
// CHECK-DAG: qtile.launch @{{.*}}(%[[Q]]#0, %[[Q]]#1,
// CHECK-DAG: qtile.launch @{{.*}}(%[[Q]]#2, %[[Q]]#3,
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#tokens = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128, 1] by fdiv>]>
#tokens4 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1, 128, 1] by fdiv>]>
func.func @main(%x: tensor<2x128x128xbf16>, %y: tensor<2x1x128x32xbf16>, %w: tensor<64x160xbf16>, %g: tensor<64x256xbf16>) -> (tensor<256x64xbf16>, tensor<160x64xbf16>) {
  %xq:2 = qt.multi_quantize %x permutations [[0, 1, 2], [0, 1, 2]] : tensor<2x128x128xbf16> to !qt.tensor<2x128x128xbf16, #row>, !qt.tensor<2x128x128xbf16, #tokens>
  %yq = qt.quantize %y : tensor<2x1x128x32xbf16> to !qt.tensor<2x1x128x32xbf16, #row>
  %yt = qt.quantize %y : tensor<2x1x128x32xbf16> to !qt.tensor<2x1x128x32xbf16, #tokens4>
  %y0 = qt.reshape %yq [[0], [1, 2], [3]] : !qt.tensor<2x1x128x32xbf16, #row> -> !qt.tensor<2x128x32xbf16, #row>
  %y1 = qt.reshape %yt [[0], [1, 2], [3]] : !qt.tensor<2x1x128x32xbf16, #tokens4> -> !qt.tensor<2x128x32xbf16, #tokens>
  // expected-remark @below {{quantizer moved below 'qt.concat': no kernel reads codes that it moves}}
  %c0 = qt.concat dim(2) %xq#0, %y0 : (!qt.tensor<2x128x128xbf16, #row>, !qt.tensor<2x128x32xbf16, #row>) -> !qt.tensor<2x128x160xbf16, #row>
  %r0 = qt.reshape %c0 [[0, 1], [2]] : !qt.tensor<2x128x160xbf16, #row> -> !qt.tensor<256x160xbf16, #row>
  %wq = qt.quantize %w : tensor<64x160xbf16> to !qt.tensor<64x160xbf16, #row>
  %dx = qt.matmul %r0, %wq : !qt.tensor<256x160xbf16, #row>, !qt.tensor<64x160xbf16, #row> -> tensor<256x64xbf16>
  // expected-remark @below {{quantizer moved below 'qt.concat': no kernel reads codes that it moves}}
  %c1 = qt.concat dim(2) %xq#1, %y1 : (!qt.tensor<2x128x128xbf16, #tokens>, !qt.tensor<2x128x32xbf16, #tokens>) -> !qt.tensor<2x128x160xbf16, #tokens>
  %t1 = qt.transpose %c1 permutation = [2, 0, 1] : !qt.tensor<2x128x160xbf16, #tokens> -> !qt.tensor<160x2x128xbf16, #row>
  %r1 = qt.reshape %t1 [[0], [1, 2]] : !qt.tensor<160x2x128xbf16, #row> -> !qt.tensor<160x256xbf16, #row>
  %gq = qt.quantize %g : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #row>
  %dw = qt.matmul %r1, %gq : !qt.tensor<160x256xbf16, #row>, !qt.tensor<64x256xbf16, #row> -> tensor<160x64xbf16>
  return %dx, %dw : tensor<256x64xbf16>, tensor<160x64xbf16>
}

// -----

// A part that was transposed, and one that is read alone too: it has two launches.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<128x64xbf16>, %[[Y:.*]]: tensor<64x32xbf16>,
// CHECK-NOT: qt.
// CHECK: qtile.launch @{{.*}}(%[[Y]])
// CHECK: linalg.transpose ins(%[[X]] : tensor<128x64xbf16>) {{.*}} permutation = [1, 0]
// CHECK: %[[C:.*]] = tensor.concat dim(1) %{{.*}}, %[[Y]] : (tensor<64x128xbf16>, tensor<64x32xbf16>) -> tensor<64x160xbf16>
// CHECK: qtile.launch @{{.*}}(%[[C]])
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<128x64xbf16>, %y: tensor<64x32xbf16>, %w: tensor<16x160xbf16>, %v: tensor<16x32xbf16>) -> (tensor<64x16xbf16>, tensor<64x16xbf16>) {
  %xq = qt.multi_quantize %x permutations [[1, 0]] : tensor<128x64xbf16> to !qt.tensor<64x128xbf16, #row>
  %yq = qt.quantize %y : tensor<64x32xbf16> to !qt.tensor<64x32xbf16, #row>
  // expected-remark @below {{quantizer moved below 'qt.concat': no kernel reads codes that it moves}}
  %c = qt.concat dim(1) %xq, %yq : (!qt.tensor<64x128xbf16, #row>, !qt.tensor<64x32xbf16, #row>) -> !qt.tensor<64x160xbf16, #row>
  %wq = qt.quantize %w : tensor<16x160xbf16> to !qt.tensor<16x160xbf16, #row>
  %vq = qt.quantize %v : tensor<16x32xbf16> to !qt.tensor<16x32xbf16, #row>
  %a = qt.matmul %c, %wq : !qt.tensor<64x160xbf16, #row>, !qt.tensor<16x160xbf16, #row> -> tensor<64x16xbf16>
  %b = qt.matmul %yq, %vq : !qt.tensor<64x32xbf16, #row>, !qt.tensor<16x32xbf16, #row> -> tensor<64x16xbf16>
  return %a, %b : tensor<64x16xbf16>, tensor<64x16xbf16>
}

// -----

// Codes that came with the graph stay.
//
// CHECK-LABEL: func.func @main
// CHECK: qt.concat
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<64x128xbf16>, %s: tensor<64x1xf32>, %w: tensor<16x256xbf16>) -> tensor<64x16xbf16> {
  %xq = qt.quantize %x scales(%s : tensor<64x1xf32>) : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #row>
  %c = qt.concat dim(1) %xq, %xq : (!qt.tensor<64x128xbf16, #row>, !qt.tensor<64x128xbf16, #row>) -> !qt.tensor<64x256xbf16, #row>
  %wq = qt.quantize %w : tensor<16x256xbf16> to !qt.tensor<16x256xbf16, #row>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it comes from 'qt.concat'}}
  %a = qt.matmul %c, %wq : !qt.tensor<64x256xbf16, #row>, !qt.tensor<16x256xbf16, #row> -> tensor<64x16xbf16>
  return %a : tensor<64x16xbf16>
}
