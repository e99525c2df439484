// IREE crashes at a contraction over no terms, which is what it starts from.
//
// RUN: fp8-opt %s --iree-drop-empty-loops | FileCheck %s

#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @empty
// CHECK-SAME: %[[START:[^ :]*]]: tensor<4x4xf32>)
// CHECK-NEXT: return %[[START]]
func.func @empty(%x: tensor<4x0xf32>, %w: tensor<4x0xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %w : tensor<4x0xf32>, tensor<4x0xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: func @dynamic
// CHECK: linalg.contract
func.func @dynamic(%x: tensor<4x?xf32>, %w: tensor<4x?xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %w : tensor<4x?xf32>, tensor<4x?xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
