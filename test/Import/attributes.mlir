// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations and discardable attributes go along: those of a product to the contraction, those of arguments stay.

// RUN: fp8-opt --fp8-import-linalg --mlir-print-debuginfo --split-input-file %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s < %t.remarks

#in = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @main(
// CHECK-SAME:    {qt.role = #qt.role<weight>}
// CHECK:         linalg.transpose {{.*}} permutation = [1, 0] {note = "stored [out, in]"} loc(#[[$T:.*]])
// CHECK:         linalg.contract {{.*}} {qt.gemm = #qt.gemm<wgrad>} {{.*}} loc(#[[$L:.*]])
// CHECK:         tensor.expand_shape {{.*}} loc(#[[$L]])
// CHECK-DAG: #[[$T]] = loc("transposed")
// CHECK-DAG: #[[$L]] = loc("layer.0")
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @main(%a: tensor<2x3x7xf32>, %b: tensor<7x5xf32> {qt.role = #qt.role<weight>}, %c: tensor<2x3x5xf32>)
    -> (tensor<2x3x5xf32>, tensor<5x7xf32>) {
  %e = tensor.empty() : tensor<5x7xf32>
  %t = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<7x5xf32>) outs(%e : tensor<5x7xf32>) attrs = {note = "stored [out, in]"} {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<5x7xf32> loc("transposed")
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.gemm = #qt.gemm<wgrad>}
    ins(%a, %t : tensor<2x3x7xf32>, tensor<5x7xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32> loc("layer.0")
  return %0, %t : tensor<2x3x5xf32>, tensor<5x7xf32>
}

// -----

// What is inlined knows where it came from and from where it was called. Attributes of a callee's arguments are lost,
// and import says so.
// REMARK: remark: {{.*}}attributes of argument 0 of 'f' are lost
// CHECK-LABEL: @main(
// CHECK:         math.exp %{{.*}} : f32 loc(#[[$I:.*]])
// CHECK-DAG: #[[$F:.*]] = loc("in f")
// CHECK-DAG: #[[$C:.*]] = loc("call of f")
// CHECK-DAG: #[[$I]] = loc(callsite(#[[$F]] at #[[$C]]))
func.func private @f(%x: f32 {qt.role = #qt.role<weight>}) -> f32 {
  %0 = math.exp %x : f32 loc("in f")
  return %0 : f32
}
func.func @main(%x: f32) -> f32 {
  %0 = call @f(%x) : (f32) -> f32 loc("call of f")
  return %0 : f32
}
