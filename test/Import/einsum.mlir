// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several m, n or k dimensions collapse row-major in the order of the operand that holds them; batch dimensions stay
// apart, in the order of the result.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s

// "blk,knd->blnd": m = (b, l), n = (n, d) collapse, and the result gets its four dimensions back.
#a = affine_map<(b, l, n, d, k) -> (b, l, k)>
#b = affine_map<(b, l, n, d, k) -> (k, n, d)>
#c = affine_map<(b, l, n, d, k) -> (b, l, n, d)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<2x3x7xf32>, %[[B:.*]]: tensor<7x4x5xf32>
// CHECK:         %[[A2:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0, 1], [2]] : tensor<2x3x7xf32> into tensor<6x7xf32>
// CHECK:         %[[BT:.*]] = linalg.transpose ins(%[[B]] : tensor<7x4x5xf32>) {{.*}} permutation = [1, 2, 0]
// CHECK:         %[[B2:.*]] = tensor.collapse_shape %[[BT]] {{\[}}[0, 1], [2]] : tensor<4x5x7xf32> into tensor<20x7xf32>
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} ins(%[[A2]], %[[B2]] : {{.*}}) {{.*}} -> tensor<6x20xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2, 3]] output_shape [2, 3, 4, 5]
// CHECK:         return %[[E]]
func.func @main(%a: tensor<2x3x7xf32>, %b: tensor<7x4x5xf32>, %c: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x3x7xf32>, tensor<7x4x5xf32>) outs(%c : tensor<2x3x4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// "hblk,klbo->oh": k = (b, l, k) in the order of the left operand, not of the right one nor of the loops; the result
// is transposed back. The factors stand in the other order.
#a = affine_map<(h, o, k, l, b) -> (h, b, l, k)>
#b = affine_map<(h, o, k, l, b) -> (k, l, b, o)>
#c = affine_map<(h, o, k, l, b) -> (o, h)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<8x2x3x4xf32>, %[[B:.*]]: tensor<4x3x2x5xf32>
// CHECK:         tensor.collapse_shape %[[A]] {{\[}}[0], [1, 2, 3]] : tensor<8x2x3x4xf32> into tensor<8x24xf32>
// CHECK:         %[[BT:.*]] = linalg.transpose ins(%[[B]] : {{.*}}) outs(%{{.*}} : tensor<5x2x3x4xf32>) permutation = [3, 2, 1, 0]
// CHECK:         tensor.collapse_shape %[[BT]] {{\[}}[0], [1, 2, 3]] : tensor<5x2x3x4xf32> into tensor<5x24xf32>
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} -> tensor<8x5xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<8x5xf32>) outs(%{{.*}} : tensor<5x8xf32>) permutation = [1, 0]
// CHECK:         return %[[T]]
func.func @main(%a: tensor<8x2x3x4xf32>, %b: tensor<4x3x2x5xf32>, %c: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<8x2x3x4xf32>, tensor<4x3x2x5xf32>) outs(%c : tensor<5x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %z : f32
    linalg.yield %s : f32
  } -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

// "mxky,ynkx->xmny": batch = (x, y), in the order of the result, and leading in both operands; n and y trade places
// at the end.
#a = affine_map<(x, y, m, n, k) -> (m, x, k, y)>
#b = affine_map<(x, y, m, n, k) -> (y, n, k, x)>
#c = affine_map<(x, y, m, n, k) -> (x, m, n, y)>
// CHECK: #[[$LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK: #[[$RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
// CHECK: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @main(
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x3x4x7xf32>) permutation = [1, 3, 0, 2]
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x3x5x7xf32>) permutation = [3, 0, 1, 2]
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x3x4x5xf32>) permutation = [0, 3, 1, 2]
// CHECK:         linalg.contract indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]]
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x4x5x3xf32>) permutation = [0, 2, 3, 1]
func.func @main(%a: tensor<4x2x7x3xf32>, %b: tensor<3x5x7x2xf32>, %c: tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x2x7x3xf32>, tensor<3x5x7x2xf32>) outs(%c : tensor<2x4x5x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5x3xf32>
  return %0 : tensor<2x4x5x3xf32>
}
