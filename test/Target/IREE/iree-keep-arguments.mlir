// What may be written in place is read by a barrier at the end, so that IREE copies it first; what is only read is not.
//
// RUN: fp8-opt %s --iree-keep-arguments --allow-unregistered-dialect | FileCheck %s
// RUN: fp8-opt %s --iree-keep-arguments=function=others | FileCheck %s --check-prefix=NONE
// RUN: not fp8-opt %s --iree-keep-arguments 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// NONE-NOT: optimization_barrier
// UNREGISTERED: error: expected a context that takes IREE's ops, which are not linked (allow-unregistered-dialect)

#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>

// A sum that starts at an argument; at a view of one; in a loop.
// CHECK-LABEL: func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x16xf32>, %[[C:[^:]*]]: tensor<8x8xf32>, %[[V:[^:]*]]: tensor<2x4x8xf32>, %[[L:[^:]*]]: tensor<8x8xf32>
// CHECK-NOT: barrier
// CHECK: }
// CHECK-NEXT: "util.optimization_barrier"(%[[C]]) : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: "util.optimization_barrier"(%[[V]]) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
// CHECK-NEXT: "util.optimization_barrier"(%[[L]]) : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return
func.func @main(%x: tensor<8x16xf32>, %c: tensor<8x8xf32>, %v: tensor<2x4x8xf32>, %l: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = tensor.collapse_shape %v [[0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
  %q = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %l) -> (tensor<8x8xf32>) {
    %t = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  return %p, %q, %s : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func @main_unquantized(
// CHECK-SAME: %{{[^:]*}}: tensor<8x16xf32>, %[[C:[^:]*]]: tensor<8x8xf32>
// CHECK: "util.optimization_barrier"(%[[C]])
// CHECK-NEXT: return
func.func @main_unquantized(%x: tensor<8x16xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// CHECK-LABEL: func @others
// CHECK-NOT: barrier
func.func @others(%x: tensor<8x16xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
