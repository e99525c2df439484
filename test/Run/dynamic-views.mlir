// A dimension split into two that are both known at run time only; upstream's expand-strided-metadata crashes on this one.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:2x3x2:1,2,3,4,5,6,7,8,9,10,11,12
// RUN: %python %S/Inputs/tensors.py write %t.want result0=F32:3x2x2:1,2,7,8,3,4,9,10,5,6,11,12 result1=F32:2x2x3:1,3,5,2,4,6,7,9,11,8,10,12
// RUN: fp8-run %s --args=%t.in --compare=%t.want | FileCheck %s
// CHECK: result0: {{.*}}relative error 0,
// CHECK: result1: {{.*}}relative error 0,
// RUN: %python %S/Inputs/tensors.py write %t.empty arg0=F32:2x0x2:
// RUN: fp8-run %s --args=%t.empty | FileCheck %s --check-prefix=EMPTY
// EMPTY: result0: 0x2x2xF32 = []
func.func @main(%x: tensor<?x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x2xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x2xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x2xf32> into tensor<?x2xf32>
  %split = tensor.expand_shape %rows [[0, 1], [2]] output_shape [%a, %b, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  %e = tensor.empty(%b, %a) : tensor<?x?x2xf32>
  %turned = linalg.transpose ins(%split : tensor<?x?x2xf32>) outs(%e : tensor<?x?x2xf32>) permutation = [1, 0, 2]
  // The same with rows that do not lie one behind the other.
  %ab = arith.muli %a, %b : index
  %f = tensor.empty(%ab) : tensor<2x?xf32>
  %columns = linalg.transpose ins(%rows : tensor<?x2xf32>) outs(%f : tensor<2x?xf32>) permutation = [1, 0]
  %parts = tensor.expand_shape %columns [[0], [1, 2]] output_shape [2, %a, %b] : tensor<2x?xf32> into tensor<2x?x?xf32>
  %g = tensor.empty(%a, %b) : tensor<?x2x?xf32>
  %out = linalg.transpose ins(%parts : tensor<2x?x?xf32>) outs(%g : tensor<?x2x?xf32>) permutation = [1, 0, 2]
  return %turned, %out : tensor<?x?x2xf32>, tensor<?x2x?xf32>
}
