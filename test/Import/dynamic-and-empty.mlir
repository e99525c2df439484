// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes may be unknown or zero.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s

// The expanded result takes its sizes from the operands that hold the dimensions.
#a = affine_map<(b, l, n, k) -> (b, l, k)>
#b = affine_map<(b, l, n, k) -> (k, n)>
#c = affine_map<(b, l, n, k) -> (b, l, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<?x?x64xbf16>, %[[B:.*]]: tensor<64x?xbf16>
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0, 1], [2]] : tensor<?x?x64xbf16> into tensor<?x64xbf16>
// CHECK:         %[[I:.*]] = linalg.fill {{.*}} -> tensor<?x?xf32>
// CHECK:         linalg.contract {{.*}} ins(%[[M]], %{{.*}} : tensor<?x64xbf16>, tensor<?x64xbf16>) outs(%[[I]] :
// CHECK:         %[[S0:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[S1:.*]] = tensor.dim %[[A]], %c1
// CHECK:         %[[S2:.*]] = tensor.dim %[[B]], %c1
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [%[[S0]], %[[S1]], %[[S2]]]
func.func @main(%a: tensor<?x?x64xbf16>, %b: tensor<64x?xbf16>, %e: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x64xbf16>, tensor<64x?xbf16>) outs(%i : tensor<?x?x?xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %z: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %z, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<?x?x?xbf16>
  return %0 : tensor<?x?x?xbf16>
}

// -----

// The zero fill of a result that is laid out (n, m) has its sizes in that order: it cannot be the one of (m, n).
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (n, m)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<?x64xf32>, %[[B:[a-z0-9]*]]: tensor<?x64xf32>, %[[E:.*]]: tensor<?x?xf32>
// CHECK-NOT:     outs(%[[E]]
// CHECK:         %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[N:.*]] = tensor.dim %[[B]], %c0
// CHECK:         tensor.empty(%[[M]], %[[N]]) : tensor<?x?xf32>
// CHECK:         linalg.contract
func.func @main(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<?x64xf32>, tensor<?x64xf32>)
    outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Operands and result may know different sizes.
// CHECK-LABEL: @main(
// CHECK:         linalg.contract {{.*}} : tensor<?x?xbf16>, tensor<5x64xbf16>) {{.*}} -> tensor<3x?xf32>
func.func @main(%a: tensor<?x?xbf16>, %b: tensor<64x5xbf16>) -> tensor<3x?xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  %i = tensor.cast %zero : tensor<3x5xf32> to tensor<3x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<64x5xbf16>) outs(%i : tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

// Case O14: no rows, and nothing to sum.
// CHECK-LABEL: @main(
// CHECK:         linalg.contract {{.*}} : tensor<0x64xbf16>, tensor<8x64xbf16>) {{.*}} -> tensor<0x8xf32>
// CHECK:         linalg.contract {{.*}} : tensor<4x0xbf16>, tensor<8x0xbf16>) {{.*}} -> tensor<4x8xf32>
func.func @main(%a: tensor<0x64xbf16>, %b: tensor<64x8xbf16>, %c: tensor<4x0xbf16>, %d: tensor<0x8xbf16>,
                %o1: tensor<0x8xf32>, %o2: tensor<4x8xf32>) -> (tensor<0x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<0x64xbf16>, tensor<64x8xbf16>) outs(%o1 : tensor<0x8xf32>) -> tensor<0x8xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<4x0xbf16>, tensor<0x8xbf16>) outs(%o2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<0x8xf32>, tensor<4x8xf32>
}

// -----

// An empty dimension collapses as well.
#a = affine_map<(b, l, n, k) -> (b, l, k)>
#b = affine_map<(b, l, n, k) -> (n, k)>
#c = affine_map<(b, l, n, k) -> (b, l, n)>
// CHECK-LABEL: @main(
// CHECK:         tensor.collapse_shape %{{.*}} : tensor<2x0x7xf32> into tensor<0x7xf32>
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 0, 5] : tensor<0x5xf32> into tensor<2x0x5xf32>
func.func @main(%a: tensor<2x0x7xf32>, %b: tensor<5x7xf32>, %c: tensor<2x0x5xf32>) -> tensor<2x0x5xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<2x0x7xf32>, tensor<5x7xf32>)
    outs(%c : tensor<2x0x5xf32>) -> tensor<2x0x5xf32>
  return %0 : tensor<2x0x5xf32>
}
