// A contraction adds products in the order of k to what is there: an order or a fused multiply-add shows in these.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:1x4:1,1,1,1 arg1=F32:1x4:16777216,1,1,-16777216 arg2=F32:1x1:1 \
// RUN:   arg3=F32:1x2:1.00024414,-1 arg4=F32:1x2:1.00024414,1.00048828
// RUN: fp8-run %s --args=%t.in | FileCheck %s

// 1 + 2^24 is 2^24, and adding 1 twice leaves it: 0. Pairs of sums would give 2.
// CHECK: result0: 1x1xF32 = [0]
// (1 + 2^-12)^2 rounds to 1 + 2^-11, which the second product takes away. Fused, 2^-24 stays.
// CHECK: result1: 1x1xF32 = [0]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>, %c: tensor<1x1xf32>, %d: tensor<1x2xf32>, %e: tensor<1x2xf32>)
    -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x4xf32>, tensor<1x4xf32>) outs(%c : tensor<1x1xf32>) -> tensor<1x1xf32>
  %zero = arith.constant dense<0.0> : tensor<1x1xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c] ins(%d, %e : tensor<1x2xf32>, tensor<1x2xf32>) outs(%zero : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<1x1xf32>
}
