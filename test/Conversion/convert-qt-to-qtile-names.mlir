// A kernel is called after what it computes, and has a number where another is called so. Asking whether there is a kernel takes
// no name.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile | FileCheck %s

// CHECK: qtile.kernel @gemm_row(
// CHECK: qtile.kernel @gemm_row_0(
// CHECK: qtile.kernel @quantize_row(
// CHECK: qtile.kernel @quantize_row_1(
// CHECK: qtile.kernel @quantize_row_2(
// CHECK-NOT: qtile.kernel
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<32x64xbf16>, %w: tensor<16x64xbf16>, %v: tensor<48x64xbf16>) -> (tensor<32x16xbf16>, tensor<32x48xbf16>) {
  %xq = qt.quantize %x : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #row>
  %wq = qt.quantize %w : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #row>
  %vq = qt.quantize %v : tensor<48x64xbf16> to !qt.tensor<48x64xbf16, #row>
  %y = qt.matmul %xq, %wq : !qt.tensor<32x64xbf16, #row>, !qt.tensor<16x64xbf16, #row> -> tensor<32x16xbf16>
  %z = qt.matmul %xq, %vq : !qt.tensor<32x64xbf16, #row>, !qt.tensor<48x64xbf16, #row> -> tensor<32x48xbf16>
  return %y, %z : tensor<32x16xbf16>, tensor<32x48xbf16>
}
