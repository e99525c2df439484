// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import of what import wrote changes nothing: a product in normal form, a transpose, an unread output.

// RUN: fp8-opt --fp8-import-linalg %s -o %t.once 2>/dev/null
// RUN: fp8-opt --fp8-import-linalg %t.once -o %t.twice 2>%t.remarks
// RUN: diff %t.once %t.twice
// RUN: not grep . %t.remarks

#a = affine_map<(x, l, m, n, k) -> (k, m, x, l)>
#b = affine_map<(x, l, m, n, k) -> (x, n, k)>
#c = affine_map<(x, l, m, n, k) -> (n, x, m, l)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func private @negate(%x: tensor<5x2x3x4xbf16>) -> tensor<5x2x3x4xbf16> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%x : tensor<5x2x3x4xbf16>) {
  ^bb0(%o: bf16):
    %1 = arith.negf %o : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x2x3x4xbf16>
  return %0 : tensor<5x2x3x4xbf16>
}
func.func @main(%a: tensor<7x3x2x4xf32>, %b: tensor<2x5x7xbf16>, %c: tensor<5x2x3x4xbf16>) -> tensor<5x2x3x4xbf16> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<7x3x2x4xf32>, tensor<2x5x7xbf16>) outs(%c : tensor<5x2x3x4xbf16>) {
  ^bb0(%x: f32, %y: bf16, %z: bf16):
    %x16 = arith.truncf %x : f32 to bf16
    %p = arith.mulf %x16, %y : bf16
    %s = arith.addf %z, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<5x2x3x4xbf16>
  %1 = call @negate(%0) : (tensor<5x2x3x4xbf16>) -> tensor<5x2x3x4xbf16>
  return %1 : tensor<5x2x3x4xbf16>
}
