// Numbers are made of panels, unless codes are read too.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

// Who else reads numbers of what lies in panels reads them from there: no codes are computed a second time.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%{{.*}}) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[N:.*]] = qtile.launch @[[DECODE:.*]](%[[XQ]]#0, %[[XQ]]#1) {{.*}} tied [-1] : {{.*}} -> tensor<250x1000xbf16>
// CHECK: %[[N3:.*]] = tensor.expand_shape %[[N]] {{\[}}[0, 1], [2]] output_shape [2, 125, 1000]
// CHECK: linalg.transpose ins(%[[N3]] : tensor<2x125x1000xbf16>) {{.*}} permutation = [2, 0, 1]
// CHECK: qtile.kernel @[[DECODE]](
// CHECK-NEXT: qtile.dequantize %{{.*}} by %{{.*}} as #{{.*}} along columns sizes(%{{.*}}, %{{.*}}) into %{{.*}} : !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#first = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1, 1] by fdiv>]>
func.func @main(%x: tensor<2x125x1000xbf16>, %w: tensor<512x1000xbf16>) -> (tensor<250x512xbf16>, tensor<1000x2x125xbf16>) {
  %q = qt.quantize %x : tensor<2x125x1000xbf16> to !qt.tensor<2x125x1000xbf16, #row>
  %c = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x125x1000xbf16, #row> -> !qt.tensor<250x1000xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %y = qt.matmul %c, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %t = qt.transpose %q permutation = [2, 0, 1] : !qt.tensor<2x125x1000xbf16, #row> -> !qt.tensor<1000x2x125xbf16, #first>
  %n = qt.dequantize %t : !qt.tensor<1000x2x125xbf16, #first> to tensor<1000x2x125xbf16>
  return %y, %n : tensor<250x512xbf16>, tensor<1000x2x125xbf16>
}

// -----

// But not where the codes themselves are read: they are there, and decoding them is one byte.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK: qtile.launch
// CHECK: qt.dequantize %[[Q]]
// CHECK: return %{{.*}}, %{{.*}}, %[[Q]]
// CHECK-NOT: qtile.dequantize
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>)
    -> (tensor<250x512xbf16>, tensor<250x1000xbf16>, !qt.tensor<250x1000xbf16, #row>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %n = qt.dequantize %q : !qt.tensor<250x1000xbf16, #row> to tensor<250x1000xbf16>
  return %y, %n, %q : tensor<250x512xbf16>, tensor<250x1000xbf16>, !qt.tensor<250x1000xbf16, #row>
}
