// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch of one is none: the normal form has no dimension for it, and what was added for it is looked through.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | FileCheck %s
// RUN: fp8-opt --fp8-import-linalg --split-input-file %s | fp8-opt --fp8-import-linalg --split-input-file | FileCheck %s

// A layer as upstream's passes make it of TOSA. Views lead to the weight as it is stored; the rounding follows the product.
//
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<192x128xbf16>, %[[W:.*]]: tensor<256x128xbf16>)
// CHECK-NOT:     tensor.expand_shape
// CHECK-NOT:     tensor.collapse_shape
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} ins(%[[X]], %[[W]] : tensor<192x128xbf16>, tensor<256x128xbf16>) outs(%{{.*}} : tensor<192x256xf32>)
// CHECK:         %[[Y:.*]] = arith.truncf %[[R]] : tensor<192x256xf32> to tensor<192x256xbf16>
// CHECK:         return %[[Y]]
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<256x128xbf16>) -> tensor<192x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %t0 = tensor.empty() : tensor<128x256xbf16>
  %t = linalg.transpose ins(%w : tensor<256x128xbf16>) outs(%t0 : tensor<128x256xbf16>) permutation = [1, 0]
  %x3 = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 192, 128] : tensor<192x128xbf16> into tensor<1x192x128xbf16>
  %w3 = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 128, 256] : tensor<128x256xbf16> into tensor<1x128x256xbf16>
  %e = tensor.empty() : tensor<1x192x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x192x256xf32>) -> tensor<1x192x256xf32>
  %0 = linalg.batch_matmul ins(%x3, %w3 : tensor<1x192x128xbf16>, tensor<1x128x256xbf16>) outs(%f : tensor<1x192x256xf32>) -> tensor<1x192x256xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x192x256xf32> into tensor<192x256xf32>
  %2 = arith.truncf %1 : tensor<192x256xf32> to tensor<192x256xbf16>
  return %2 : tensor<192x256xbf16>
}

// -----

// One that stands amid or behind others, in a product that is added to something and whose other batch stays.
#a = affine_map<(b, u, m, n, k) -> (b, m, u, k)>
#b = affine_map<(b, u, m, n, k) -> (u, b, n, k)>
#c = affine_map<(b, u, m, n, k) -> (b, m, n, u)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<4x?x1x64xf32>, %[[B:.*]]: tensor<1x4x5x64xf32>, %[[C:.*]]: tensor<4x?x5x1xf32>)
// CHECK-DAG:     %[[A0:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0], [1], [2, 3]] : tensor<4x?x1x64xf32> into tensor<4x?x64xf32>
// CHECK-DAG:     %[[B0:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1], [2], [3]] : tensor<1x4x5x64xf32> into tensor<4x5x64xf32>
// CHECK-DAG:     %[[C0:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0], [1], [2, 3]] : tensor<4x?x5x1xf32> into tensor<4x?x5xf32>
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} ins(%[[A0]], %[[B0]] : {{.*}}) outs(%[[C0]] : tensor<4x?x5xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0], [1], [2, 3]] output_shape [4, %{{.*}}, 5, 1] : tensor<4x?x5xf32> into tensor<4x?x5x1xf32>
// CHECK:         return %[[E]]
func.func @main(%a: tensor<4x?x1x64xf32>, %b: tensor<1x4x5x64xf32>, %c: tensor<4x?x5x1xf32>) -> tensor<4x?x5x1xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<4x?x1x64xf32>, tensor<1x4x5x64xf32>)
    outs(%c : tensor<4x?x5x1xf32>) -> tensor<4x?x5x1xf32>
  return %0 : tensor<4x?x5x1xf32>
}

// -----

// What reads the product in another shape still does; a size that is not known to be one is a batch.
// CHECK-LABEL: @main(
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x64xf32>, tensor<5x64xf32>)
// CHECK:         tensor.expand_shape %{{.*}} : tensor<6x5xf32> into tensor<1x6x5xf32>
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<1x6x5xf32> into tensor<1x30xf32>
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x6x64xf32>, tensor<1x5x64xf32>)
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @main(%a: tensor<1x6x64xf32>, %d: tensor<?x6x64xf32>, %b: tensor<1x5x64xf32>, %c: tensor<1x6x5xf32>) -> (tensor<1x30xf32>, tensor<1x6x5xf32>) {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x6x64xf32>, tensor<1x5x64xf32>)
    outs(%c : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<1x6x5xf32> into tensor<1x30xf32>
  %2 = linalg.contract indexing_maps = [#a, #b, #c] ins(%d, %b : tensor<?x6x64xf32>, tensor<1x5x64xf32>)
    outs(%c : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return %1, %2 : tensor<1x30xf32>, tensor<1x6x5xf32>
}
