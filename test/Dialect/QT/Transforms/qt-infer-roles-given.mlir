// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --qt-infer-roles | FileCheck %s

// Codes and scales hide no weight: fprop and dgrad of a layer whose weight is FP8 in the graph, quantized there or before, are
// told from the codes, and belong to one linear; also where the scales of columns lie along what dgrad sums.

// CHECK-LABEL: func.func @main
// CHECK: linalg.contract {{.*}}qt.gemm = #qt.gemm<fprop>, {{.*}}qt.linear = #qt.linear<0, argument = 1, sums = [0]>{{.*}}qt.roles = #qt.roles<activation, weight>
// CHECK: linalg.contract {{.*}}qt.gemm = #qt.gemm<dgrad>, {{.*}}qt.linear = #qt.linear<0, argument = 1, sums = [0]>{{.*}}qt.roles = #qt.roles<gradient, weight>
// CHECK: linalg.contract {{.*}}qt.gemm = #qt.gemm<wgrad>, {{.*}}qt.linear = #qt.linear<0, argument = 1, sums = [0]>{{.*}}qt.roles = #qt.roles<activation, gradient>
func.func @main(%x: tensor<6x64xbf16>, %w: tensor<64x4xf8E4M3FN>, %s: tensor<4xf32>, %g: tensor<6x4xbf16> {qt.role = #qt.role<gradient>})
    -> (tensor<6x4xf32>, tensor<6x64xf32>, tensor<64x4xf32>) {
  %e = tensor.empty() : tensor<64x4xf32>
  %sb = linalg.broadcast ins(%s : tensor<4xf32>) outs(%e : tensor<64x4xf32>) dimensions = [0]
  %w32 = arith.extf %w : tensor<64x4xf8E4M3FN> to tensor<64x4xf32>
  %wd = arith.mulf %w32, %sb : tensor<64x4xf32>
  %z0 = arith.constant dense<0.0> : tensor<6x4xf32>
  %x32 = arith.extf %x : tensor<6x64xbf16> to tensor<6x64xf32>
  %g32 = arith.extf %g : tensor<6x4xbf16> to tensor<6x4xf32>
  %y = linalg.matmul ins(%x32, %wd : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %et = tensor.empty() : tensor<4x64xf32>
  %wt = linalg.transpose ins(%wd : tensor<64x4xf32>) outs(%et : tensor<4x64xf32>) permutation = [1, 0]
  %z1 = arith.constant dense<0.0> : tensor<6x64xf32>
  %dx = linalg.matmul ins(%g32, %wt : tensor<6x4xf32>, tensor<4x64xf32>) outs(%z1 : tensor<6x64xf32>) -> tensor<6x64xf32>
  %ex = tensor.empty() : tensor<64x6xf32>
  %xt = linalg.transpose ins(%x32 : tensor<6x64xf32>) outs(%ex : tensor<64x6xf32>) permutation = [1, 0]
  %z2 = arith.constant dense<0.0> : tensor<64x4xf32>
  %dw = linalg.matmul ins(%xt, %g32 : tensor<64x6xf32>, tensor<6x4xf32>) outs(%z2 : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %y, %dx, %dw : tensor<6x4xf32>, tensor<6x64xf32>, tensor<64x4xf32>
}
