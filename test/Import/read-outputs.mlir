// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An all-parallel generic that reads its output gets that value as an input (case O29): stock fusion takes it for
// elementwise and would carry the output across the reduction it is fused into.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s 2>/dev/null | FileCheck %s
// RUN: fp8-opt --fp8-import-linalg --linalg-fuse-elementwise-ops --split-input-file %s 2>/dev/null | FileCheck %s --check-prefix=FUSED

#m = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#v = affine_map<(d0, d1, d2) -> (d0, d1)>
#r = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[S:.*]]: tensor<8x2x16xf32>, %[[W:.*]]: tensor<8x2xf32>
// CHECK:         %[[I:.*]] = linalg.fill
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8x2x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[W]], %[[I]] : {{.*}}) outs(%[[E]] : tensor<8x2x16xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[O:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:      arith.addf %[[O]], %[[P]]
// Fused into the sum over d1, the body adds to the running sum one term that starts from the constant, not from it.
// FUSED-LABEL: @main(
// FUSED:         ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[SUM:.*]]: f32):
// FUSED-NEXT:      %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// FUSED-NEXT:      %[[T:.*]] = arith.addf %[[P]], %{{cst.*}}
// FUSED-NEXT:      %[[N:.*]] = arith.addf %[[SUM]], %[[T]]
// FUSED-NEXT:      linalg.yield %[[N]]
func.func @main(%s: tensor<8x2x16xf32>, %w: tensor<8x2xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x2x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x2x16xf32>) -> tensor<8x2x16xf32>
  %p = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %w : tensor<8x2x16xf32>, tensor<8x2xf32>) outs(%i : tensor<8x2x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x2x16xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %i2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%p : tensor<8x2x16xf32>) outs(%i2 : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %2 = arith.addf %o, %x : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

// Two outputs, only the second one read; the sizes are unknown.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf16>
// CHECK:         %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?xf16>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[B]] : tensor<?xf32>, tensor<?xf16>) outs(%[[A]], %[[E]] :
func.func @main(%x: tensor<?xf32>, %a: tensor<?xf32>, %b: tensor<?xf16>) -> (tensor<?xf32>, tensor<?xf16>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%a, %b : tensor<?xf32>, tensor<?xf16>) {
  ^bb0(%v: f32, %p: f32, %q: f16):
    %n = arith.negf %q : f16
    linalg.yield %v, %n : f32, f16
  } -> (tensor<?xf32>, tensor<?xf16>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf16>
}

// -----

// The map of the output leaves out elements: those keep the value of the init, so nothing is changed.
#id = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (d0, 0)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[A:.*]]: tensor<4x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[A]] : tensor<4x2xf32>)
func.func @main(%x: tensor<4xf32>, %a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%a : tensor<4x2xf32>) {
  ^bb0(%v: f32, %p: f32):
    %n = arith.addf %v, %p : f32
    linalg.yield %n : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
