// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry calls is inlined, also inside loops; private functions that nothing uses are gone; other public
// functions stay as they are.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s 2>%t.remarks | FileCheck %s --implicit-check-not=func.func
// RUN: FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s < %t.remarks

// CHECK: func.func @main(
// CHECK-NOT:     call
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = math.exp
// CHECK:           %[[T:.*]] = arith.addf %[[S]], %[[S]]
// CHECK:           scf.yield %[[T]]
func.func private @inner(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
func.func private @outer(%x: f32) -> f32 attributes {no_inline} {
  %0 = call @inner(%x) : (f32) -> f32
  %1 = arith.addf %0, %0 : f32
  return %1 : f32
}
func.func private @unused(%x: f32) -> f32 {
  %0 = call @unused(%x) : (f32) -> f32
  return %0 : f32
}
func.func @main(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> f32 {
    %1 = func.call @outer(%v) : (f32) -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----

// Two equal calls stay two computations: merging them would undo rematerialisation.
// CHECK: func.func @main(
// CHECK-COUNT-2: math.exp
func.func private @f(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
func.func @main(%x: f32) -> (f32, f32) {
  %0 = call @f(%x) : (f32) -> f32
  %1 = call @f(%x) : (f32) -> f32
  return %0, %1 : f32, f32
}

// -----

// A callee of several blocks, called where blocks may be added; the public function that is called stays.
// REMARK: remark: left alone: only 'main' is compiled
// CHECK: func.func @pick(
// CHECK: func.func @main(
// CHECK:         cf.cond_br
// CHECK:         return
func.func @pick(%c: i1, %x: f32, %y: f32) -> f32 {
  cf.cond_br %c, ^left, ^right
^left:
  return %x : f32
^right:
  return %y : f32
}
func.func @main(%c: i1, %x: f32, %y: f32) -> f32 {
  %0 = call @pick(%c, %x, %y) : (i1, f32, f32) -> f32
  return %0 : f32
}

// -----

// The other public function keeps its contraction and the private function it calls.
// REMARK: remark: left alone: 'outside' has no body to inline
// REMARK: remark: left alone: only 'main' is compiled
// REMARK: remark: left alone: only 'main' is compiled
// CHECK: func.func private @outside(
// CHECK: func.func private @square(
// CHECK: func.func @other(
// CHECK:         linalg.matmul
// CHECK:         call @square
// CHECK: func.func @main(
// CHECK:         call @outside
func.func private @outside(%x: f32) -> f32
func.func private @square(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  return %x : tensor<3x3xf32>
}
func.func @other(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.matmul ins(%x, %x : tensor<3x3xf32>, tensor<3x3xf32>) outs(%x : tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = call @square(%0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
func.func @main(%x: f32) -> f32 {
  %0 = call @outside(%x) : (f32) -> f32
  return %0 : f32
}
