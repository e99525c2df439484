// The contraction routine gives what plain loops give: odd sizes, a batch, two k dimensions, strided operands, f16 and bf16.

// RUN: fp8-run %s --init=normal:3 | FileCheck %s
// CHECK: result0: I64 = 0
#a = affine_map<(b, m, n, k, l) -> (l, b, k, m)>
#b = affine_map<(b, m, n, k, l) -> (b, k, n, l)>
#c = affine_map<(b, m, n, k, l) -> (m, b, n)>
#id = affine_map<(x, y, z) -> (x, y, z)>
#all = affine_map<(x, y, z) -> ()>
func.func @main(%a: tensor<3x2x5x37xf16>, %b: tensor<2x9x33x6xbf16>) -> tensor<i64> {
  %bs = tensor.extract_slice %b[0, 2, 0, 1] [2, 5, 33, 3] [1, 1, 1, 2] : tensor<2x9x33x6xbf16> to tensor<2x5x33x3xbf16>
  %zero = arith.constant dense<0.5> : tensor<37x2x33xf32>
  %fast = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %bs : tensor<3x2x5x37xf16>, tensor<2x5x33x3xbf16>) outs(%zero : tensor<37x2x33xf32>) {
  ^bb0(%x: f16, %y: bf16, %o: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<37x2x33xf32>
  // The negated product subtracted is the same number and no contraction to the recogniser.
  %slow = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %bs : tensor<3x2x5x37xf16>, tensor<2x5x33x3xbf16>) outs(%zero : tensor<37x2x33xf32>) {
  ^bb0(%x: f16, %y: bf16, %o: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %n = arith.negf %p : f32
    %s = arith.subf %o, %n : f32
    linalg.yield %s : f32
  } -> tensor<37x2x33xf32>
  %none = arith.constant dense<0> : tensor<i64>
  %differ = linalg.generic {indexing_maps = [#id, #id, #all], iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%fast, %slow : tensor<37x2x33xf32>, tensor<37x2x33xf32>) outs(%none : tensor<i64>) {
  ^bb0(%x: f32, %y: f32, %o: i64):
    %d = arith.cmpf une, %x, %y : f32
    %i = arith.extui %d : i1 to i64
    %s = arith.addi %o, %i : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  return %differ : tensor<i64>
}
