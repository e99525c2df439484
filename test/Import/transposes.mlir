// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose that import needs is merged with those there are; one that cancels disappears.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s

// A weight stored as [out, in] and transposed for matmul is read as stored.
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<3x64xbf16>, %[[W:.*]]: tensor<5x64xbf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.contract {{.*}} ins(%[[A]], %[[W]] : tensor<3x64xbf16>, tensor<5x64xbf16>)
func.func @main(%a: tensor<3x64xbf16>, %w: tensor<5x64xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<64x5xbf16>
  %t = linalg.transpose ins(%w : tensor<5x64xbf16>) outs(%e : tensor<64x5xbf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%a, %t : tensor<3x64xbf16>, tensor<64x5xbf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// The same with the transpose written as a generic, as exporters of JAX do.
#in = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<3x64xbf16>, %[[W:.*]]: tensor<5x64xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.contract {{.*}} ins(%[[A]], %[[W]] : tensor<3x64xbf16>, tensor<5x64xbf16>)
func.func @main(%a: tensor<3x64xbf16>, %w: tensor<5x64xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<64x5xbf16>
  %t = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<5x64xbf16>) outs(%e : tensor<64x5xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    linalg.yield %x : bf16
  } -> tensor<64x5xbf16>
  %0 = linalg.matmul ins(%a, %t : tensor<3x64xbf16>, tensor<64x5xbf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Two transposes and the needed one make one; the first keeps its other reader.
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<2x3x7xf32>, %[[B:.*]]: tensor<5x7x2xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[B]] : tensor<5x7x2xf32>) outs(%{{.*}} : tensor<2x5x7xf32>) permutation = [2, 0, 1]
// CHECK:         %[[U:.*]] = linalg.transpose ins(%[[B]] : tensor<5x7x2xf32>) outs(%{{.*}} : tensor<2x5x7xf32>) permutation = [2, 0, 1]
// CHECK:         linalg.contract {{.*}} ins(%[[A]], %[[U]] :
// CHECK:         return %{{.*}}, %[[T]]
func.func @main(%a: tensor<2x3x7xf32>, %b: tensor<5x7x2xf32>, %c: tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x5x7xf32>) {
  %e = tensor.empty() : tensor<2x5x7xf32>
  %t = linalg.transpose ins(%b : tensor<5x7x2xf32>) outs(%e : tensor<2x5x7xf32>) permutation = [2, 0, 1]
  %f = tensor.empty() : tensor<2x7x5xf32>
  %u = linalg.transpose ins(%t : tensor<2x5x7xf32>) outs(%f : tensor<2x7x5xf32>) permutation = [0, 2, 1]
  %0 = linalg.batch_matmul ins(%a, %u : tensor<2x3x7xf32>, tensor<2x7x5xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0, %t : tensor<2x3x5xf32>, tensor<2x5x7xf32>
}

// -----

// A result that would be transposed twice is not transposed at all.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (n, m)>
// CHECK-LABEL: @main(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<5x3xf32>)
// CHECK:         %[[R:.*]] = linalg.contract
// CHECK-NOT:     linalg.transpose
// CHECK:         return %[[R]]
func.func @main(%a: tensor<3x7xf32>, %b: tensor<5x7xf32>, %c: tensor<5x3xf32>) -> tensor<3x5xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<3x7xf32>, tensor<5x7xf32>)
    outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%0 : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  return %t : tensor<3x5xf32>
}

// -----

// A copy in order and a copy of a row to all rows are no transposes.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @main(
// CHECK-NOT:     linalg.transpose
// CHECK-COUNT-2: linalg.generic
func.func @main(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%v: f32, %w: f32):
    linalg.yield %v : f32
  } -> tensor<3x5xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%v: f32, %w: f32):
    linalg.yield %v : f32
  } -> tensor<3x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}
