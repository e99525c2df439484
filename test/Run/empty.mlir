// Dimensions of size 0: a sum over nothing is what it starts from, a product of nothing has no elements.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:3x0: arg1=F32:2x0: arg2=F32:0x4:
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: result0: 3x2xF32 = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
// CHECK: result1: 0x4xF32 = []
func.func @main(%a: tensor<3x0xf32>, %b: tensor<2x0xf32>, %c: tensor<0x4xf32>) -> (tensor<3x2xf32>, tensor<0x4xf32>) {
  %half = arith.constant dense<0.5> : tensor<3x2xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<3x0xf32>, tensor<2x0xf32>) outs(%half : tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<0x4xf32>
  %n = linalg.negf ins(%c : tensor<0x4xf32>) outs(%e : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %r, %n : tensor<3x2xf32>, tensor<0x4xf32>
}
