// RUN: fp8-opt %s --recipe=mxfp8 2>&1 | FileCheck %s

// Casts and arithmetic on whole tensors are what they are as linalg.generic: the weight is one, and is quantized as it is stored.

// CHECK: quantized 1 of 1 GEMMs of block linears
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xbf16>, %[[W:.*]]: tensor<4x5xbf16>)
// CHECK-DAG: qt.quantize %[[W]] in <forward> : tensor<4x5xbf16>
// CHECK: qt.matmul {{.*}} -> tensor<3x4xbf16>
// CHECK-NOT: arith.truncf
// CHECK: func.func
func.func @main(%x: tensor<3x5xbf16>, %w: tensor<4x5xbf16>) -> tensor<3x4xbf16> {
  %wide = arith.extf %w : tensor<4x5xbf16> to tensor<4x5xf32>
  %a = arith.extf %x : tensor<3x5xbf16> to tensor<3x5xf32>
  %twice = arith.addf %a, %a : tensor<3x5xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %t = linalg.transpose ins(%wide : tensor<4x5xf32>) outs(%e : tensor<5x4xf32>) permutation = [1, 0]
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = linalg.matmul ins(%twice, %t : tensor<3x5xf32>, tensor<5x4xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = arith.truncf %y : tensor<3x4xf32> to tensor<3x4xbf16>
  return %r : tensor<3x4xbf16>
}
