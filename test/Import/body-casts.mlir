// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts in the body: widening ones are the contraction's own, a narrowing one stays as an op before it.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s < %t.remarks

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<3x64xbf16>, %[[B:.*]]: tensor<5x64xf8E4M3FN>
// CHECK:         linalg.contract {{.*}} ins(%[[A]], %[[B]] : tensor<3x64xbf16>, tensor<5x64xf8E4M3FN>)
func.func @main(%a: tensor<3x64xbf16>, %b: tensor<5x64xf8E4M3FN>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xbf16>, tensor<5x64xf8E4M3FN>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: bf16, %y: f8E4M3FN, %z: f32):
    %x32 = arith.extf %x : bf16 to f32
    %y16 = arith.extf %y : f8E4M3FN to bf16
    %y32 = arith.extf %y16 : bf16 to f32
    %p = arith.mulf %y32, %x32 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// The right factor is rounded to bf16 first. Its rounding stays; the cast back to f32 does not.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[A:.*]]: tensor<3x64xf32>, %[[B:.*]]: tensor<5x64xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<5x64xf32>) outs(%{{.*}} : tensor<5x64xbf16>)
// CHECK:           %[[T:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT:      linalg.yield %[[T]]
// CHECK:         linalg.contract {{.*}} ins(%[[A]], %[[R]] : tensor<3x64xf32>, tensor<5x64xbf16>)
func.func @main(%a: tensor<3x64xf32>, %b: tensor<5x64xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xf32>, tensor<5x64xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %y16 = arith.truncf %y : f32 to bf16
    %y32 = arith.extf %y16 : bf16 to f32
    %p = arith.mulf %x, %y32 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// A named op casts its operands to the type of its result: f64 to f32 here, which narrows.
// CHECK-LABEL: @main(
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         linalg.contract {{.*}} : tensor<3x64xf32>, tensor<5x64xf32>) outs(%{{.*}} : tensor<3x5xf32>)
func.func @main(%a: tensor<3x64xf64>, %b: tensor<64x5xf64>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x64xf64>, tensor<64x5xf64>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// The body rounds every product to bf16 and adds in f32: the normal form multiplies in f32, and says so.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: multiplies in f32: 1 contraction rounded every product to bf16
// CHECK-LABEL: @main(
// CHECK-NOT:     arith.truncf
// CHECK:         linalg.contract {{.*}} : tensor<3x64xbf16>, tensor<5x64xbf16>) outs(%{{.*}} : tensor<3x5xf32>)
func.func @main(%a: tensor<3x64xbf16>, %b: tensor<5x64xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xbf16>, tensor<5x64xbf16>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %p = arith.mulf %x, %y : bf16
    %p32 = arith.extf %p : bf16 to f32
    %s = arith.addf %z, %p32 : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// The body adds in f32 but carries bf16 from step to step.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: accumulates in f32 and rounds once: 1 contraction had a bf16 accumulator
// CHECK-LABEL: @main(
// CHECK:         linalg.contract {{.*}} -> tensor<3x5xf32>
func.func @main(%a: tensor<3x64xf32>, %b: tensor<5x64xf32>, %c: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xf32>, tensor<5x64xf32>) outs(%c : tensor<3x5xbf16>) {
  ^bb0(%x: f32, %y: f32, %z: bf16):
    %p = arith.mulf %x, %y : f32
    %z32 = arith.extf %z : bf16 to f32
    %s = arith.addf %z32, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// -----

// The sum itself is rounded to bf16 at every step though f32 is carried: no matrix product, so it stays.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: left alone, no matrix product: its body is not the sum
// CHECK-LABEL: @main(
// CHECK-NOT:     linalg.contract
func.func @main(%a: tensor<3x64xbf16>, %b: tensor<5x64xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xbf16>, tensor<5x64xbf16>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %p = arith.mulf %x, %y : bf16
    %z16 = arith.truncf %z : f32 to bf16
    %s = arith.addf %z16, %p : bf16
    %r = arith.extf %s : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// To an integer and back is a rounding that no cast of floats does.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: left alone, no matrix product: its body is not the sum
// CHECK-LABEL: @main(
// CHECK-NOT:     linalg.contract
func.func @main(%a: tensor<3x64xf32>, %b: tensor<5x64xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x64xf32>, tensor<5x64xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %i = arith.fptosi %x : f32 to i32
    %r = arith.sitofp %i : i32 to f32
    %p = arith.mulf %r, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
