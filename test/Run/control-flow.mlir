// Counted loops, loops with a condition and branches on tensors; a scatter of equal rows keeps its order.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=I64:3:1,1,0 arg1=F32:3x2:16777216,1,1,2,5,6
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: result0: 2x2xF32 = [5, 6, 16777216, 3]
// CHECK: result1: F32 = 1024
// CHECK: result2: I64 = 10
#id = affine_map<(d0) -> (d0)>
func.func @main(%rows: tensor<3xi64>, %values: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<f32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zeros = arith.constant dense<0.0> : tensor<2x2xf32>
  %scattered = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %zeros) -> tensor<2x2xf32> {
    %r = tensor.extract %rows[%i] : tensor<3xi64>
    %row = arith.index_cast %r : i64 to index
    %v = tensor.extract_slice %values[%i, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %o = tensor.extract_slice %t[%row, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
    %sum = linalg.add ins(%o, %v : tensor<2xf32>, tensor<2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
    %u = tensor.insert_slice %sum into %t[%row, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<2x2xf32>
    scf.yield %u : tensor<2x2xf32>
  }
  %one = arith.constant dense<1.0> : tensor<f32>
  %limit = arith.constant 1000.0 : f32
  %n0 = arith.constant 0 : i64
  %n1 = arith.constant 1 : i64
  %doubled:2 = scf.while (%x = %one, %n = %n0) : (tensor<f32>, i64) -> (tensor<f32>, i64) {
    %v = tensor.extract %x[] : tensor<f32>
    %small = arith.cmpf olt, %v, %limit : f32
    scf.condition(%small) %x, %n : tensor<f32>, i64
  } do {
  ^bb0(%x: tensor<f32>, %n: i64):
    %v = tensor.extract %x[] : tensor<f32>
    %w = arith.addf %v, %v : f32
    %t = tensor.from_elements %w : tensor<f32>
    %m = arith.addi %n, %n1 : i64
    scf.yield %t, %m : tensor<f32>, i64
  }
  return %scattered, %doubled#0, %doubled#1 : tensor<2x2xf32>, tensor<f32>, i64
}
