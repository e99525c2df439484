// Where a view moves codes that no kernel reads, numbers move, and what the view makes is quantized: the same bits.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file 2>/dev/null | FileCheck %s --check-prefix=SHARES

// Two slices of a weight, each in both orientations: a slice is made and read once for both.
//
// SHARES: qtile.shares = #qtile.shares<[<location = {{.*}}>] moved [<location = {{.*}}, view = "qt.slice">
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: tensor<512x256xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[A:.*]] = tensor.extract_slice %[[W]][0, 0] [384, 256] [1, 1]
// CHECK: qtile.launch @{{.*}}(%[[A]]) {{.*}} -> (tensor<2x384x128xi8, #qtile.stored<panels of 384x256>>, {{.*}} tensor<3x256x128xi8, #qtile.stored<panels of 256x384>>,
// CHECK: %[[B:.*]] = tensor.extract_slice %[[W]][384, 0] [128, 256] [1, 1]
// CHECK: qtile.launch @{{.*}}(%[[B]]) {{.*}} -> (tensor<2x128x128xi8, #qtile.stored<panels of 128x256>>, {{.*}} tensor<1x256x128xi8, #qtile.stored<panels of 256x128>>,
// CHECK-NOT: tensor.extract_slice
// CHECK-NOT: linalg.transpose
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%w: tensor<512x256xbf16>, %x: tensor<64x256xbf16>, %d: tensor<64x384xbf16>, %e: tensor<64x128xbf16>)
    -> (tensor<64x384xbf16>, tensor<64x128xbf16>, tensor<64x256xbf16>, tensor<64x256xbf16>) {
  %wq:2 = qt.multi_quantize %w permutations [[0, 1], [1, 0]] in <forward> : tensor<512x256xbf16> to !qt.tensor<512x256xbf16, #square>, !qt.tensor<256x512xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.slice': no kernel reads codes that it moves}}
  %a = qt.slice %wq#0[0, 0] [384, 256] [1, 1] : !qt.tensor<512x256xbf16, #square> -> !qt.tensor<384x256xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.slice'}}
  %b = qt.slice %wq#0[384, 0] [128, 256] [1, 1] : !qt.tensor<512x256xbf16, #square> -> !qt.tensor<128x256xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.slice'}}
  %at = qt.slice %wq#1[0, 0] [256, 384] [1, 1] : !qt.tensor<256x512xbf16, #square> -> !qt.tensor<256x384xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.slice'}}
  %bt = qt.slice %wq#1[0, 384] [256, 128] [1, 1] : !qt.tensor<256x512xbf16, #square> -> !qt.tensor<256x128xbf16, #square>
  %xq = qt.quantize %x : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #row>
  %dq = qt.quantize %d : tensor<64x384xbf16> to !qt.tensor<64x384xbf16, #row>
  %eq = qt.quantize %e : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #row>
  %0 = qt.matmul %xq, %a : !qt.tensor<64x256xbf16, #row>, !qt.tensor<384x256xbf16, #square> -> tensor<64x384xbf16>
  %1 = qt.matmul %xq, %b : !qt.tensor<64x256xbf16, #row>, !qt.tensor<128x256xbf16, #square> -> tensor<64x128xbf16>
  %2 = qt.matmul %dq, %at : !qt.tensor<64x384xbf16, #row>, !qt.tensor<256x384xbf16, #square> -> tensor<64x256xbf16>
  %3 = qt.matmul %eq, %bt : !qt.tensor<64x128xbf16, #row>, !qt.tensor<256x128xbf16, #square> -> tensor<64x256xbf16>
  return %0, %1, %2, %3 : tensor<64x384xbf16>, tensor<64x128xbf16>, tensor<64x256xbf16>, tensor<64x256xbf16>
}

// -----

// A pad of a dynamic number of rows, a repetition behind a transpose whose new dimension comes first, and a dimension that
// only the product has in parts.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<192x128xbf16>, %[[N:.*]]: index, %[[W:.*]]: tensor<128x64xbf16>
// CHECK-NOT: qt.
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0] high[%[[N]], 0]
// CHECK: tensor.yield %{{.*}} : bf16
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[W]] : tensor<128x64xbf16>) outs(%{{.*}} : tensor<2x128x64xbf16>) dimensions = [0]
// CHECK: qtile.launch @{{.*}}(%[[B]])
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2]] output_shape [2, 96, 128]
// CHECK: qtile.launch @{{.*}}(%[[E]])
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%x: tensor<192x128xbf16>, %n: index, %w: tensor<128x64xbf16>, %v: tensor<64x128xbf16>) -> (tensor<?x64xbf16>, tensor<2x96x64xbf16>) {
  %q = qt.quantize %x : tensor<192x128xbf16> to !qt.tensor<192x128xbf16, #row>
  // expected-remark @below {{quantizer moved below 'qt.pad'}}
  %p = qt.pad %q low[0, 0] high[%n, 0] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<?x128xbf16, #row>
  %vq = qt.quantize %v : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #square>
  %0 = qt.matmul %p, %vq : !qt.tensor<?x128xbf16, #row>, !qt.tensor<64x128xbf16, #square> -> tensor<?x64xbf16>
  %wq = qt.multi_quantize %w permutations [[1, 0]] : tensor<128x64xbf16> to !qt.tensor<64x128xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.broadcast'}}
  %b = qt.broadcast %wq dimensions = [0] : !qt.tensor<64x128xbf16, #square> -> !qt.tensor<2x64x128xbf16, #square>
  // expected-remark @below {{quantizer moved below 'qt.reshape'}}
  %e = qt.reshape %q [[0, 1], [2]] : !qt.tensor<192x128xbf16, #row> -> !qt.tensor<2x96x128xbf16, #row>
  %1 = qt.matmul %e, %b : !qt.tensor<2x96x128xbf16, #row>, !qt.tensor<2x64x128xbf16, #square> -> tensor<2x96x64xbf16>
  return %0, %1 : tensor<?x64xbf16>, tensor<2x96x64xbf16>
}

// -----

// What a product quantizes again is looked through; views that kernels read through stay above the quantizer.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x128x256xbf16>,
// CHECK-NOT: qt.
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 128] [2, 128, 128] [1, 1, 1] : tensor<2x128x256xbf16> to tensor<2x128x128xbf16>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[}}[0, 1], [2]]
// CHECK: %[[Q:.*]]:2 = qtile.launch @{{.*}}(%[[C]])
// CHECK: qtile.launch @{{.*}}(%[[Q]]#0, %[[Q]]#1)
// CHECK-NOT: qt.
// CHECK: return
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<2x128x256xbf16>, %g: tensor<64x256xbf16>) -> tensor<128x64xbf16> {
  %q = qt.quantize %x : tensor<2x128x256xbf16> to !qt.tensor<2x128x256xbf16, #row>
  // expected-remark @below {{quantizer moved below 'qt.slice'}}
  %s = qt.slice %q[0, 0, 128] [2, 128, 128] [1, 1, 1] : !qt.tensor<2x128x256xbf16, #row> -> !qt.tensor<2x128x128xbf16, #row>
  %c = qt.reshape %s [[0, 1], [2]] : !qt.tensor<2x128x128xbf16, #row> -> !qt.tensor<256x128xbf16, #row>
  %t = qt.transpose %c permutation = [1, 0] : !qt.tensor<256x128xbf16, #row> -> !qt.tensor<128x256xbf16, #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>>
  %r = qt.requantize %t : !qt.tensor<128x256xbf16, #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>> to !qt.tensor<128x256xbf16, #row>
  %gq = qt.quantize %g : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #row>
  %0 = qt.matmul %r, %gq : !qt.tensor<128x256xbf16, #row>, !qt.tensor<64x256xbf16, #row> -> tensor<128x64xbf16>
  return %0 : tensor<128x64xbf16>
}

// -----

// Codes under scales that are given stay, whatever moves them.
//
// CHECK-LABEL: func.func @main
// CHECK: qt.slice
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<64x256xbf16>, %s: tensor<64x2xf32>, %w: tensor<16x128xbf16>) -> tensor<64x16xbf16> {
  %q = qt.quantize %x scales(%s : tensor<64x2xf32>) : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #row>
  %c = qt.slice %q[0, 128] [64, 128] [1, 1] : !qt.tensor<64x256xbf16, #row> -> !qt.tensor<64x128xbf16, #row>
  %wq = qt.quantize %w : tensor<16x128xbf16> to !qt.tensor<16x128xbf16, #row>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it comes from 'qt.slice'}}
  %0 = qt.matmul %c, %wq : !qt.tensor<64x128xbf16, #row>, !qt.tensor<16x128xbf16, #row> -> tensor<64x16xbf16>
  return %0 : tensor<64x16xbf16>
}
