// Ops that stand for several: softmax, pad, concat; and branches between blocks.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:1x2:3,3 arg1=BOOL::0
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: result0: 1x2xF32 = [0.5, 0.5]
// CHECK: result1: 2x3xF32 = [7, 3, 3, 7, 7, 7]
// CHECK: result2: 1x4xF32 = [3, 3, 0.5, 0.5]
func.func @main(%x: tensor<1x2xf32>, %c: tensor<i1>) -> (tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x4xf32>) {
  %e = tensor.empty() : tensor<1x2xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %z = arith.constant 7.0 : f32
  %p = tensor.pad %x low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<1x2xf32> to tensor<2x3xf32>
  %t = tensor.concat dim(1) %x, %y : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^bb1(%x : tensor<1x2xf32>), ^bb1(%y : tensor<1x2xf32>)
^bb1(%r: tensor<1x2xf32>):
  return %r, %p, %t : tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x4xf32>
}
