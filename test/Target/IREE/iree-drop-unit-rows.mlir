// A product of one row is one of a vector, batched or not, and whatever names it; a product of one row and one column stays, and so do
// dynamic sizes and rows of one element of the right operand.
//
// RUN: fp8-opt %s --iree-drop-unit-rows | FileCheck %s

#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @row
// CHECK-DAG: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<1x4xbf16> into tensor<4xbf16>
// CHECK-DAG: %[[I:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<1x17xf32> into tensor<17xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]], %{{.*}} : tensor<4xbf16>, tensor<17x4xbf16>) outs(%[[I]] : tensor<17xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<17xf32> into tensor<1x17xf32>
func.func @row(%x: tensor<1x4xbf16>, %w: tensor<17x4xbf16>, %i: tensor<1x17xf32>) -> tensor<1x17xf32> {
  %r = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %w : tensor<1x4xbf16>, tensor<17x4xbf16>) outs(%i : tensor<1x17xf32>) -> tensor<1x17xf32>
  return %r : tensor<1x17xf32>
}

// CHECK-LABEL: func @batch
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins({{.*}} : tensor<2x4xbf16>, tensor<2x4x17xbf16>)
func.func @batch(%x: tensor<2x1x4xbf16>, %w: tensor<2x4x17xbf16>, %i: tensor<2x1x17xf32>) -> tensor<2x1x17xf32> {
  %r = linalg.batch_matmul ins(%x, %w : tensor<2x1x4xbf16>, tensor<2x4x17xbf16>) outs(%i : tensor<2x1x17xf32>) -> tensor<2x1x17xf32>
  return %r : tensor<2x1x17xf32>
}

// CHECK-LABEL: func @stays
// CHECK-COUNT-3: linalg.contract
// CHECK-NOT: linalg.generic
func.func @stays(%x: tensor<1x4xbf16>, %y: tensor<?x4xbf16>, %i: tensor<1x1xf32>, %w: tensor<17x4xbf16>, %j: tensor<?x17xf32>, %k: tensor<17x1xf32>)
    -> (tensor<1x1xf32>, tensor<?x17xf32>, tensor<17x1xf32>) {
  %0 = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<1x4xbf16>, tensor<1x4xbf16>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = linalg.contract indexing_maps = [#m, #n, #r] ins(%y, %w : tensor<?x4xbf16>, tensor<17x4xbf16>) outs(%j : tensor<?x17xf32>) -> tensor<?x17xf32>
  %2 = linalg.contract indexing_maps = [#m, #n, #r] ins(%w, %x : tensor<17x4xbf16>, tensor<1x4xbf16>) outs(%k : tensor<17x1xf32>) -> tensor<17x1xf32>
  return %0, %1, %2 : tensor<1x1xf32>, tensor<?x17xf32>, tensor<17x1xf32>
}
