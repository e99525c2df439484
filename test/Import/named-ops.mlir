// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every named matrix product becomes linalg.contract over (b..., m, n, k), the operands laid out as its maps say.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s

// CHECK: #[[$LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[$RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<3x64xbf16>, %[[B:.*]]: tensor<64x5xbf16>, %[[C:.*]]: tensor<3x5xf32>
// CHECK:         %[[BT:.*]] = linalg.transpose ins(%[[B]] : tensor<64x5xbf16>) {{.*}} permutation = [1, 0]
// CHECK:         %[[R:.*]] = linalg.contract indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]]
// CHECK-SAME:      ins(%[[A]], %[[BT]] : tensor<3x64xbf16>, tensor<5x64xbf16>) outs(%[[C]] : tensor<3x5xf32>)
// CHECK:         return %[[R]]
func.func @main(%a: tensor<3x64xbf16>, %b: tensor<64x5xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x64xbf16>, tensor<64x5xbf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Transposed A: only A is transposed.
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<64x3xf32>, %[[B:.*]]: tensor<5x64xf32>
// CHECK:         %[[AT:.*]] = linalg.transpose ins(%[[A]] : tensor<64x3xf32>) {{.*}} permutation = [1, 0]
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.contract {{.*}} ins(%[[AT]], %[[B]] : tensor<3x64xf32>, tensor<5x64xf32>)
func.func @main(%a: tensor<64x3xf32>, %b: tensor<5x64xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<64x3xf32>, tensor<5x64xf32>)
    outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// CHECK: #[[$LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK: #[[$RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: @main(
// CHECK:         linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK:         linalg.contract indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]]
// CHECK-SAME:      tensor<2x3x64xbf16>, tensor<2x5x64xbf16>
func.func @main(%a: tensor<2x3x64xbf16>, %b: tensor<2x64x5xbf16>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x3x64xbf16>, tensor<2x64x5xbf16>) outs(%c : tensor<2x3x5xf32>)
    -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

// A batch dimension that B lacks is an m dimension.
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: @main(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x3x64xbf16> into tensor<6x64xbf16>
// CHECK:         linalg.contract {{.*}} tensor<6x64xbf16>, tensor<5x64xbf16>) {{.*}} -> tensor<6x5xf32>
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [2, 3, 5]
func.func @main(%a: tensor<2x3x64xbf16>, %b: tensor<64x5xbf16>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg.batch_matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<2x3x64xbf16>, tensor<64x5xbf16>)
    outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

// linalg.contract in another order than the normal form.
#a = affine_map<(k, n, m) -> (k, m)>
#b = affine_map<(k, n, m) -> (n, k)>
#c = affine_map<(k, n, m) -> (n, m)>
// CHECK-LABEL: @main(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<64x3xf16>)
// CHECK:         linalg.contract {{.*}} tensor<3x64xf16>, tensor<5x64xf16>) {{.*}} -> tensor<3x5xf32>
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<3x5xf32>) {{.*}} permutation = [1, 0]
func.func @main(%a: tensor<64x3xf16>, %b: tensor<5x64xf16>, %c: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<64x3xf16>, tensor<5x64xf16>)
    outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// Case O11: the second operand is [batch, k, n]; k comes last in the normal form, whatever "last" was before.
// CHECK-LABEL: @main(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x64x2xbf16>) outs(%{{.*}} : tensor<2x2x64xbf16>) permutation = [0, 2, 1]
func.func @main(%a: tensor<2x1x64xbf16>, %b: tensor<2x64x2xbf16>) -> tensor<2x1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x1x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x1x64xbf16>, tensor<2x64x2xbf16>) outs(%i : tensor<2x1x2xf32>)
    -> tensor<2x1x2xf32>
  return %0 : tensor<2x1x2xf32>
}

// -----

// batch_reduce_matmul sums over its batch: that is a second k dimension.
// CHECK-LABEL: @main(
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x14xf32>, tensor<5x14xf32>)
func.func @main(%a: tensor<2x3x7xf32>, %b: tensor<2x7x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x7xf32>, tensor<2x7x5xf32>) outs(%c : tensor<3x5xf32>)
    -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
