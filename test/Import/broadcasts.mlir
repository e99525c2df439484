// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand that is repeated for each matrix of a batch is read before it is, where nothing is transposed for that.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s
// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | fp8-opt --fp8-import-linalg --split-input-file | FileCheck %s

// A linear as exporters write it: the weight transposed and repeated. One product of all rows reads the weight as it is stored.
//
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<2x64x128xbf16>, %[[W:.*]]: tensor<256x128xbf16>)
// CHECK-NOT:     linalg.transpose
// CHECK-NOT:     tensor<2x128x256xbf16>
// CHECK:         %[[X2:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x64x128xbf16> into tensor<128x128xbf16>
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} {kept.name = "fc"} ins(%[[X2]], %[[W]] : tensor<128x128xbf16>, tensor<256x128xbf16>) outs(%{{.*}} : tensor<128x256xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [2, 64, 256]
// CHECK:         return %[[E]]
#same = affine_map<(a, b, c) -> (a, b, c)>
#repeated = affine_map<(a, b, c) -> (b, c)>
func.func @main(%x: tensor<2x64x128xbf16>, %w: tensor<256x128xbf16>) -> tensor<2x64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %t0 = tensor.empty() : tensor<128x256xbf16>
  %t = linalg.transpose ins(%w : tensor<256x128xbf16>) outs(%t0 : tensor<128x256xbf16>) permutation = [1, 0]
  %b0 = tensor.empty() : tensor<2x128x256xbf16>
  %b = linalg.generic {indexing_maps = [#repeated, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<128x256xbf16>) outs(%b0 : tensor<2x128x256xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<2x128x256xbf16>
  %e = tensor.empty() : tensor<2x64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x256xf32>) -> tensor<2x64x256xf32>
  %0 = linalg.batch_matmul {kept.name = "fc"} ins(%x, %b : tensor<2x64x128xbf16>, tensor<2x128x256xbf16>) outs(%f : tensor<2x64x256xf32>) -> tensor<2x64x256xf32>
  return %0 : tensor<2x64x256xf32>
}

// -----

// Through dimensions of one element that are added and read again, transposes behind the repetition, and sizes that
// are not known. What else reads the repeated weight still does.
//
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<6x8xf32>,
// CHECK:         %[[B:.*]] = linalg.generic
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} ins(%{{.*}}, %[[W]] : tensor<?x8xf32>, tensor<6x8xf32>) outs(%{{.*}} : tensor<?x6xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [%{{.*}}, %{{.*}}, 6] : tensor<?x6xf32> into tensor<?x?x6xf32>
// CHECK:         return %[[E]], %[[B]]
#one = affine_map<(a, b, c) -> (0, b, c)>
#all = affine_map<(a, b, c) -> (a, b, c)>
func.func @main(%x: tensor<?x?x8xf32>, %w: tensor<6x8xf32>, %c: tensor<?x?x6xf32>, %size: index) -> (tensor<?x?x6xf32>, tensor<?x6x8xf32>) {
  %w1 = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 6, 8] : tensor<6x8xf32> into tensor<1x6x8xf32>
  %b0 = tensor.empty(%size) : tensor<?x6x8xf32>
  %b = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w1 : tensor<1x6x8xf32>) outs(%b0 : tensor<?x6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x6x8xf32>
  %t0 = tensor.empty(%size) : tensor<?x8x6xf32>
  %t = linalg.transpose ins(%b : tensor<?x6x8xf32>) outs(%t0 : tensor<?x8x6xf32>) permutation = [0, 2, 1]
  %0 = linalg.batch_matmul ins(%x, %t : tensor<?x?x8xf32>, tensor<?x8x6xf32>) outs(%c : tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  return %0, %b : tensor<?x?x6xf32>, tensor<?x6x8xf32>
}

// -----

// Keys that several heads share: the batch of keys stays, their queries are rows of one matrix.
#q = affine_map<(b, h, g, m, n, k) -> (b, h, g, m, k)>
#k = affine_map<(b, h, g, m, n, k) -> (b, h, g, n, k)>
#s = affine_map<(b, h, g, m, n, k) -> (b, h, g, m, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x3x4x5x8xf32>, %[[K:.*]]: tensor<2x3x7x8xf32>, %[[C:.*]]: tensor<2x3x4x5x7xf32>)
// CHECK-DAG:     %[[Q1:.*]] = tensor.collapse_shape %[[Q]] {{\[}}[0], [1], [2, 3], [4]]
// CHECK-DAG:     %[[C1:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0], [1], [2, 3], [4]]
// CHECK:         linalg.contract {{.*}} ins(%[[Q1]], %[[K]] : tensor<2x3x20x8xf32>, tensor<2x3x7x8xf32>) outs(%[[C1]] : tensor<2x3x20x7xf32>)
func.func @main(%q: tensor<2x3x4x5x8xf32>, %k: tensor<2x3x7x8xf32>, %c: tensor<2x3x4x5x7xf32>) -> tensor<2x3x4x5x7xf32> {
  %b0 = tensor.empty() : tensor<2x3x4x7x8xf32>
  %b = linalg.broadcast ins(%k : tensor<2x3x7x8xf32>) outs(%b0 : tensor<2x3x4x7x8xf32>) dimensions = [2]
  %0 = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<2x3x4x5x8xf32>, tensor<2x3x4x7x8xf32>)
    outs(%c : tensor<2x3x4x5x7xf32>) -> tensor<2x3x4x5x7xf32>
  return %0 : tensor<2x3x4x5x7xf32>
}

// -----

// Several dimensions that are joined to one batch afterwards, where the matrix is repeated along all of them.
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<6x5x8xf32>, %[[W:.*]]: tensor<8x7xf32>,
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.contract {{.*}} : tensor<30x8xf32>, tensor<7x8xf32>)
// CHECK:         linalg.broadcast
// CHECK:         linalg.contract {{.*}} : tensor<6x5x8xf32>, tensor<6x7x8xf32>)
func.func @main(%x: tensor<6x5x8xf32>, %w: tensor<8x7xf32>, %ws: tensor<2x8x7xf32>, %c: tensor<6x5x7xf32>) -> (tensor<6x5x7xf32>, tensor<6x5x7xf32>) {
  %b0 = tensor.empty() : tensor<2x3x8x7xf32>
  %b = linalg.broadcast ins(%w : tensor<8x7xf32>) outs(%b0 : tensor<2x3x8x7xf32>) dimensions = [0, 1]
  %j = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
  %0 = linalg.batch_matmul ins(%x, %j : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%c : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s0 = tensor.empty() : tensor<2x3x8x7xf32>
  %s = linalg.broadcast ins(%ws : tensor<2x8x7xf32>) outs(%s0 : tensor<2x3x8x7xf32>) dimensions = [1]
  %k = tensor.collapse_shape %s [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
  %1 = linalg.batch_matmul ins(%x, %k : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%c : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %0, %1 : tensor<6x5x7xf32>, tensor<6x5x7xf32>
}

// -----

// A matrix for a batch of vectors makes no product with each of them, but one with all.
#v = affine_map<(b, n, k) -> (b, k)>
#w = affine_map<(b, n, k) -> (b, n, k)>
#y = affine_map<(b, n, k) -> (b, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<3x8xf32>, %[[W:.*]]: tensor<6x8xf32>, %[[C:.*]]: tensor<3x6xf32>)
// CHECK:         linalg.contract {{.*}} ins(%[[X]], %[[W]] : tensor<3x8xf32>, tensor<6x8xf32>) outs(%[[C]] : tensor<3x6xf32>)
func.func @main(%x: tensor<3x8xf32>, %m: tensor<6x8xf32>, %c: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %b0 = tensor.empty() : tensor<3x6x8xf32>
  %b = linalg.broadcast ins(%m : tensor<6x8xf32>) outs(%b0 : tensor<3x6x8xf32>) dimensions = [0]
  %0 = linalg.contract indexing_maps = [#v, #w, #y] ins(%x, %b : tensor<3x8xf32>, tensor<3x6x8xf32>) outs(%c : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// The gradient of the input reads the weight; that of the weight has no operand that is repeated, and is summed afterwards.
#dy = affine_map<(b, m, n, k) -> (b, k, m)>
#x = affine_map<(b, m, n, k) -> (b, k, n)>
#dw = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x8xf32>, %[[W:.*]]: tensor<6x8xf32>, %[[D:.*]]: tensor<2x5x6xf32>,
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<6x8xf32>)
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %[[T]] : tensor<10x6xf32>, tensor<8x6xf32>) outs(%{{.*}} : tensor<10x8xf32>)
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x6x5xf32>, tensor<2x8x5xf32>) outs(%{{.*}} : tensor<2x6x8xf32>)
// CHECK:         linalg.reduce
func.func @main(%x: tensor<2x5x8xf32>, %m: tensor<6x8xf32>, %d: tensor<2x5x6xf32>, %c: tensor<2x5x8xf32>, %g: tensor<2x6x8xf32>,
                %s: tensor<6x8xf32>) -> (tensor<2x5x8xf32>, tensor<6x8xf32>) {
  %b0 = tensor.empty() : tensor<2x6x8xf32>
  %b = linalg.broadcast ins(%m : tensor<6x8xf32>) outs(%b0 : tensor<2x6x8xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%d, %b : tensor<2x5x6xf32>, tensor<2x6x8xf32>) outs(%c : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %1 = linalg.contract indexing_maps = [#dy, #x, #dw] ins(%d, %x : tensor<2x5x6xf32>, tensor<2x5x8xf32>) outs(%g : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<2x6x8xf32>) outs(%s : tensor<6x8xf32>) dimensions = [0]
  return %0, %2 : tensor<2x5x8xf32>, tensor<6x8xf32>
}

// -----

// Of two operands that are both repeated one can be read before; the other then has the dimension alone.
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<5x8xf32>, %[[W:.*]]: tensor<8x6xf32>,
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[X]] : tensor<5x8xf32>)
// CHECK:         %[[L:.*]] = tensor.collapse_shape %[[B]]
// CHECK:         linalg.contract {{.*}} ins(%[[L]], %{{.*}} : tensor<10x8xf32>, tensor<6x8xf32>)
func.func @main(%x: tensor<5x8xf32>, %m: tensor<8x6xf32>, %c: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %x0 = tensor.empty() : tensor<2x5x8xf32>
  %xs = linalg.broadcast ins(%x : tensor<5x8xf32>) outs(%x0 : tensor<2x5x8xf32>) dimensions = [0]
  %b0 = tensor.empty() : tensor<2x8x6xf32>
  %b = linalg.broadcast ins(%m : tensor<8x6xf32>) outs(%b0 : tensor<2x8x6xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%xs, %b : tensor<2x5x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

// -----

// Experts that read the same tokens stay matrices of their own: else their results would have to be transposed.
// CHECK-LABEL: @main(
// CHECK:         linalg.broadcast
// CHECK:         linalg.contract {{.*}} : tensor<3x5x8xf32>, tensor<3x6x8xf32>) outs(%{{.*}} : tensor<3x5x6xf32>)
func.func @main(%x: tensor<5x8xf32>, %m: tensor<3x8x6xf32>, %c: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %x0 = tensor.empty() : tensor<3x5x8xf32>
  %xs = linalg.broadcast ins(%x : tensor<5x8xf32>) outs(%x0 : tensor<3x5x8xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%xs, %m : tensor<3x5x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %0 : tensor<3x5x6xf32>
}

// -----

// What is repeated along a sum, or in rows alone, is read as it is; so is a diagonal.
#diagonal = affine_map<(a, b, c) -> (b, b)>
#id = affine_map<(a, b, c) -> (a, b, c)>
// CHECK-LABEL: @main(
// CHECK-COUNT-2: linalg.broadcast
// CHECK:         linalg.contract {{.*}} : tensor<5x8xf32>, tensor<6x8xf32>)
// CHECK:         linalg.contract {{.*}} : tensor<5x8xf32>, tensor<6x8xf32>)
// CHECK:         linalg.generic
// CHECK:         linalg.contract {{.*}} : tensor<2x8x8xf32>, tensor<2x8x8xf32>)
func.func @main(%row: tensor<8xf32>, %column: tensor<6xf32>, %x: tensor<5x8xf32>, %m: tensor<6x8xf32>, %c: tensor<5x6xf32>,
                %s: tensor<8x8xf32>, %z: tensor<2x8x8xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<2x8x8xf32>) {
  %b0 = tensor.empty() : tensor<5x8xf32>
  %rows = linalg.broadcast ins(%row : tensor<8xf32>) outs(%b0 : tensor<5x8xf32>) dimensions = [0]
  %b1 = tensor.empty() : tensor<6x8xf32>
  %columns = linalg.broadcast ins(%column : tensor<6xf32>) outs(%b1 : tensor<6x8xf32>) dimensions = [1]
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%rows, %m : tensor<5x8xf32>, tensor<6x8xf32>) outs(%c : tensor<5x6xf32>) -> tensor<5x6xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %columns : tensor<5x8xf32>, tensor<6x8xf32>) outs(%c : tensor<5x6xf32>) -> tensor<5x6xf32>
  %d0 = tensor.empty() : tensor<2x8x8xf32>
  %d = linalg.generic {indexing_maps = [#diagonal, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<8x8xf32>) outs(%d0 : tensor<2x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x8xf32>
  %2 = linalg.batch_matmul ins(%z, %d : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0, %1, %2 : tensor<5x6xf32>, tensor<5x6xf32>, tensor<2x8x8xf32>
}
