// A graph's own casts to and from 8-bit floats are arithmetic: nearest even, overflow as IEEE 754 has it.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:6:1.0625,-0.0,448,465,1e6,0.0009765625
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: result0: 6xF8_E4M3 = [1, -0, 448, nan, nan, 0]
// CHECK: result1: 6xF8_E5M2 = [1, -0, 448, 448, inf, 0.0009765625]
// CHECK: result2: 6xF32 = [2, -0, nan, nan, nan, 0]
// CHECK: result3: 2xF8_E4M3 = [1.5, -2]
// CHECK: result4: F32 = 0.25

// RUN: not fp8-run %S/Inputs/undefined-format.mlir --init=normal:1 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: undefined-format.mlir{{.*}}: 'arith.truncf' op expected floats of a format that Numerics defines, got 'f8E3M4'
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<6xf32>) -> (tensor<6xf8E4M3FN>, tensor<6xf8E5M2>, tensor<6xf32>, tensor<2xf8E4M3FN>, f32) {
  %e4 = tensor.empty() : tensor<6xf8E4M3FN>
  %e5 = tensor.empty() : tensor<6xf8E5M2>
  %e = tensor.empty() : tensor<6xf32>
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<6xf32>) outs(%e4, %e5, %e : tensor<6xf8E4M3FN>, tensor<6xf8E5M2>, tensor<6xf32>) {
  ^bb0(%v: f32, %o4: f8E4M3FN, %o5: f8E5M2, %o: f32):
    %a = arith.truncf %v : f32 to f8E4M3FN
    %b = arith.truncf %v : f32 to f8E5M2
    %sum = arith.addf %a, %a : f8E4M3FN
    %wide = arith.extf %sum : f8E4M3FN to f32
    linalg.yield %a, %b, %wide : f8E4M3FN, f8E5M2, f32
  } -> (tensor<6xf8E4M3FN>, tensor<6xf8E5M2>, tensor<6xf32>)
  %c = arith.constant dense<[1.5, -2.0]> : tensor<2xf8E4M3FN>
  // A scale of 2^-2 as a power of two.
  %byte = arith.constant 125 : i8
  %scale = arith.bitcast %byte : i8 to f8E8M0FNU
  %quarter = arith.extf %scale : f8E8M0FNU to f32
  return %r#0, %r#1, %r#2, %c, %quarter : tensor<6xf8E4M3FN>, tensor<6xf8E5M2>, tensor<6xf32>, tensor<2xf8E4M3FN>, f32
}
