// Elementary functions are the formulas of Numerics: within a unit in the last place of what Python's libm gives for f32, and
// the same bits in a vector loop, for a scalar and for a constant.

// RUN: fp8-run %s --init=normal:5 --out=%t.out
// RUN: %python %S/Inputs/check_math.py %t.out | FileCheck %s
// CHECK: 4096 numbers, 8 functions: 0 differ by more than a unit in the last place
// CHECK: scalar and constant: 0 differ from the loop
// CHECK: cube: 0 differ
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>,
    tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, f32, f32) {
  %c3 = arith.constant 3 : i64
  %e = math.exp %x : tensor<4096xf32>
  %abs = math.absf %x : tensor<4096xf32>
  %l = math.log %abs : tensor<4096xf32>
  %t = math.tanh %x : tensor<4096xf32>
  %r = math.erf %x : tensor<4096xf32>
  %s = math.sin %x : tensor<4096xf32>
  %c = math.cos %x : tensor<4096xf32>
  %p = math.powf %abs, %x : tensor<4096xf32>
  %q = math.rsqrt %abs : tensor<4096xf32>
  %n = tensor.empty() : tensor<4096xf32>
  %cube = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%n : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = math.fpowi %a, %c3 : f32, i64
    linalg.yield %b : f32
  } -> tensor<4096xf32>
  %i = arith.constant 7 : index
  %x7 = tensor.extract %x[%i] : tensor<4096xf32>
  %e7 = math.exp %x7 : f32
  %k = arith.constant 1.0 : f32
  %ek = math.exp %k : f32
  return %x, %e, %l, %t, %r, %s, %c, %p, %q, %cube, %e7, %ek : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>,
    tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, f32, f32
}
