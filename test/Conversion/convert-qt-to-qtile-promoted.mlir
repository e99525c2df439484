// RUN: fp8-opt %s --qt-fuse-amax=remarks=false --qtile-load-target --convert-qt-to-qtile=target=sm_90a | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --convert-qt-to-qtile=target=sm_120a | FileCheck %s --check-prefix=BLACKWELL
//
// Products whose sums are promoted have kernels that do that, also if they return an amax. Under scales of blocks all kernels do, and on a target whose
// instructions add in f32 none has to.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>

// CHECK-DAG: qtile.gemm {{.*}} as tensor by %{{.*}}, {{.*}} as tensor by %{{[^ ]*}} into
// CHECK-DAG: qtile.gemm {{.*}} as tensor by %{{.*}}, {{.*}} as tensor by %{{[^ ]*}} promoted into
// CHECK-DAG: qtile.gemm {{.*}} as row by %{{.*}}, {{.*}} as row by %{{[^ ]*}} promoted into
// CHECK-DAG: qtile.gemm {{.*}} as block_1x128 by %{{.*}}, {{.*}} as block_1x128 by %{{[^ ]*}} into
// BLACKWELL: qtile.gemm {{.*}} as block_1x32 by %{{.*}}, {{.*}} as block_1x32 by %{{[^ ]*}} into
func.func @main(%a: tensor<256x512xbf16>, %b: tensor<384x512xbf16>) -> (tensor<256x384xbf16>, tensor<f32>, tensor<256x384xbf16>, tensor<256x384xbf16>, tensor<256x384xbf16>, tensor<256x384xbf16>) {
  %0 = qt.quantize %a : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #fp8>
  %1 = qt.quantize %b : tensor<384x512xbf16> to !qt.tensor<384x512xbf16, #fp8>
  %2 = qt.matmul %0, %1 promoted : !qt.tensor<256x512xbf16, #fp8>, !qt.tensor<384x512xbf16, #fp8> -> tensor<256x384xbf16>
  %amax = qt.amax %2 <per tensor> : tensor<256x384xbf16> -> tensor<f32>
  %3 = qt.matmul %0, %1 : !qt.tensor<256x512xbf16, #fp8>, !qt.tensor<384x512xbf16, #fp8> -> tensor<256x384xbf16>
  %4 = qt.quantize %a : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #row>
  %5 = qt.quantize %b : tensor<384x512xbf16> to !qt.tensor<384x512xbf16, #row>
  %6 = qt.matmul %4, %5 promoted : !qt.tensor<256x512xbf16, #row>, !qt.tensor<384x512xbf16, #row> -> tensor<256x384xbf16>
  %7 = qt.quantize %a : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #block>
  %8 = qt.quantize %b : tensor<384x512xbf16> to !qt.tensor<384x512xbf16, #block>
  %9 = qt.matmul %7, %8 promoted : !qt.tensor<256x512xbf16, #block>, !qt.tensor<384x512xbf16, #block> -> tensor<256x384xbf16>
  %10 = qt.quantize %a : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #mx>
  %11 = qt.quantize %b : tensor<384x512xbf16> to !qt.tensor<384x512xbf16, #mx>
  %12 = qt.matmul %10, %11 promoted : !qt.tensor<256x512xbf16, #mx>, !qt.tensor<384x512xbf16, #mx> -> tensor<256x384xbf16>
  return %2, %amax, %3, %6, %9, %12 : tensor<256x384xbf16>, tensor<f32>, tensor<256x384xbf16>, tensor<256x384xbf16>, tensor<256x384xbf16>, tensor<256x384xbf16>
}
