// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulator is f32, or f64 for f64; it starts from zero or from the widened addend and is rounded once.

// RUN: fp8-opt --fp8-import-linalg --split-input-file %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s < %t.remarks

// Case O30: a bf16 accumulator would stick at 256. The bf16 zero fill becomes an f32 one.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: accumulates in f32 and rounds once: 1 contraction had a bf16 accumulator
// CHECK-LABEL: @main(
// CHECK-NOT:     bf16) outs
// CHECK:         %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[I:.*]] = linalg.fill ins(%[[Z]] : f32) outs(%{{.*}} : tensor<1x1xf32>)
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} outs(%[[I]] : tensor<1x1xf32>)
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%[[R]] : tensor<1x1xf32>) outs(%{{.*}} : tensor<1x1xbf16>)
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         return %[[D]]
func.func @main(%a: tensor<1x4096xbf16>, %b: tensor<4096x1xbf16>) -> tensor<1x1xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x1xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x1xbf16>) -> tensor<1x1xbf16>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1x4096xbf16>, tensor<4096x1xbf16>) outs(%i : tensor<1x1xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %z: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %z, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<1x1xbf16>
  return %0 : tensor<1x1xbf16>
}

// -----

// A narrow addend is widened, exactly, and the sum rounded once.
// REMARK: remark: accumulates in f32 and rounds once: 1 contraction had a f16 accumulator
// CHECK-LABEL: @main(
// CHECK-SAME:    %[[C:[a-z0-9]*]]: tensor<3x5xf16>)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<3x5xf16>) outs(%{{.*}} : tensor<3x5xf32>)
// CHECK:           arith.extf %{{.*}} : f16 to f32
// CHECK:         linalg.contract {{.*}} outs(%[[W]] : tensor<3x5xf32>)
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @main(%a: tensor<3x7xf16>, %b: tensor<7x5xf16>, %c: tensor<3x5xf16>) -> tensor<3x5xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x7xf16>, tensor<7x5xf16>) outs(%c : tensor<3x5xf16>) -> tensor<3x5xf16>
  return %0 : tensor<3x5xf16>
}

// -----

// A constant splat of zero, seen through a view, is a zero fill too.
// REMARK: remark: accumulates in f32
// CHECK-LABEL: @main(
// CHECK:         %[[I:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<3x5xf32>)
// CHECK:         linalg.contract {{.*}} outs(%[[I]] : tensor<3x5xf32>)
func.func @main(%a: tensor<3x7xbf16>, %b: tensor<7x5xbf16>) -> tensor<3x5xbf16> {
  %zero = arith.constant dense<0.0> : tensor<15xbf16>
  %i = tensor.expand_shape %zero [[0, 1]] output_shape [3, 5] : tensor<15xbf16> into tensor<3x5xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<3x7xbf16>, tensor<7x5xbf16>) outs(%i : tensor<3x5xbf16>) -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// -----

// -0.0 is an addend: with it, a sum of negative zeros stays negative.
// REMARK: remark: accumulates in f32
// CHECK-LABEL: @main(
// CHECK:         %[[I:.*]] = linalg.fill ins(%{{.*}} : bf16)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[I]] : tensor<3x5xbf16>)
// CHECK:         linalg.contract {{.*}} outs(%[[W]] : tensor<3x5xf32>)
func.func @main(%a: tensor<3x7xbf16>, %b: tensor<7x5xbf16>) -> tensor<3x5xbf16> {
  %zero = arith.constant -0.0 : bf16
  %e = tensor.empty() : tensor<3x5xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<3x5xbf16>) -> tensor<3x5xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<3x7xbf16>, tensor<7x5xbf16>) outs(%i : tensor<3x5xbf16>) -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// -----

// f64 stays f64: nothing to round, nothing to say.
// CHECK-LABEL: @main(
// CHECK:         %[[R:.*]] = linalg.contract {{.*}} : tensor<3x7xf64>, tensor<5x7xf64>) outs(%{{.*}} : tensor<3x5xf64>)
// CHECK:         return %[[R]]
func.func @main(%a: tensor<3x7xf64>, %b: tensor<7x5xf64>, %c: tensor<3x5xf64>) -> tensor<3x5xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x7xf64>, tensor<7x5xf64>) outs(%c : tensor<3x5xf64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}

// -----

// Products of f64 values carried in f32: the accumulator is f64.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// REMARK: remark: accumulates in f64 and rounds once: 1 contraction had a f32 accumulator
// CHECK-LABEL: @main(
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         linalg.contract {{.*}} -> tensor<3x5xf64>
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @main(%a: tensor<3x7xf64>, %b: tensor<5x7xf64>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf64>, tensor<5x7xf64>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: f64, %y: f64, %z: f32):
    %p = arith.mulf %x, %y : f64
    %q = arith.truncf %p : f64 to f32
    %s = arith.addf %z, %q : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
