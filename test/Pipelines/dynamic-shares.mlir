// RUN: fp8-opt %s --recipe=bf16 --target=sm_90a --until=kernels --report=%t.json -o %t.mlir 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: FileCheck %s < %t.json
// RUN: fp8-opt %S/Inputs/mlp.mlir --recipe=bf16 --target=sm_90a --until=kernels -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STATIC
//
// Shares of a graph with dynamic sizes: one of an argument counts as 1, and others by how they come of those. 64 sequences of 1 token
// are 64 rows of the linear's product, whose size is dynamic as a whole, as they are 64 products of attention.

// LINE: kernels: {{[0-2]}} of 2 contractions, {{[0-9.]+}} % of their FLOPs, {{[0-9.]+}} % of the bytes that they read and write (dynamic sizes of arguments counted as 1){{$}}
// STATIC: kernels: {{.*}} that they read and write{{$}}

// CHECK: "kernels": {
// CHECK: "contractions": [
// CHECK: "batch": 1,
// CHECK-NEXT: "bytes": 19456,
// CHECK-NEXT: "flops": 196608,
// CHECK: "m": -1,
// CHECK-NEXT: "n": 48,
// CHECK: "transposed": false
// CHECK: "batch": 64,
// CHECK-NEXT: "bytes": 8448,
// CHECK-NEXT: "flops": 4096,
// CHECK: "m": -1,
// CHECK-NEXT: "n": -1,
// CHECK: "transposed": false

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#each_a = affine_map<(b, m, n, k) -> (b, m, k)>
#each_b = affine_map<(b, m, n, k) -> (b, n, k)>
#each_c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @main(%x: tensor<64x?x32xbf16>, %w: tensor<48x32xbf16>) -> (tensor<?x48xf32>, tensor<64x?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %length = tensor.dim %x, %one : tensor<64x?x32xbf16>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<64x?x32xbf16> into tensor<?x32xbf16>
  %batch = arith.constant 64 : index
  %rows = arith.muli %batch, %length : index
  %e0 = tensor.empty(%rows) : tensor<?x48xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%flat, %w : tensor<?x32xbf16>, tensor<48x32xbf16>) outs(%i0 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %e1 = tensor.empty(%length, %length) : tensor<64x?x?xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x?x?xf32>) -> tensor<64x?x?xf32>
  %s = linalg.contract indexing_maps = [#each_a, #each_b, #each_c]
      ins(%x, %x : tensor<64x?x32xbf16>, tensor<64x?x32xbf16>) outs(%i1 : tensor<64x?x?xf32>) -> tensor<64x?x?xf32>
  return %y, %s : tensor<?x48xf32>, tensor<64x?x?xf32>
}
