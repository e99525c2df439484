// What only widens is written where its elements are read: IREE copies it whole into each dispatch that reads it.
//
// RUN: fp8-opt %s --iree-widen-late --canonicalize | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @slice
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[I:.*]]: index)
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 8] [1, 1] : tensor<4x8xbf16> to tensor<8xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[ROW]] : tensor<8xbf16>)
// CHECK: arith.extf
func.func @slice(%x: tensor<4x8xbf16>, %i: index) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %b = arith.extf %a : bf16 to f32
    linalg.yield %b : f32
  } -> tensor<4x8xf32>
  %s = tensor.extract_slice %w[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// CHECK-LABEL: func @contraction
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf16>, %[[I:.*]]: tensor<?x?xf32>)
// CHECK: linalg.contract {{.*}} ins(%[[X]], %[[X]] : tensor<?x8xf16>, tensor<?x8xf16>) outs(%[[I]] : tensor<?x?xf32>)
func.func @contraction(%x: tensor<?x8xf16>, %i: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x8xf16>
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xf16>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    linalg.yield %b : f32
  } -> tensor<?x8xf32>
  %p = linalg.contract indexing_maps = [#m, #n, #r] ins(%w, %w : tensor<?x8xf32>, tensor<?x8xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// The sum has a copy of all that is its own and of what widens; the other reader keeps it.
// CHECK-LABEL: func @sum
// CHECK-SAME: (%[[X:.*]]: tensor<?x3xbf16>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x3xbf16>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]} ins(%[[X]] : tensor<?x3xbf16>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK: return %{{.*}}, %[[WIDE]]
func.func @sum(%x: tensor<?x3xbf16>, %i: tensor<f32>) -> (tensor<f32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x3xbf16>
  %e = tensor.empty(%d) : tensor<?x3xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x3xbf16>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %b = arith.extf %a : bf16 to f32
    linalg.yield %b : f32
  } -> tensor<?x3xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<?x3xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%q : tensor<?x3xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s, %w : tensor<f32>, tensor<?x3xf32>
}
