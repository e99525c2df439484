// RUN: fp8-opt %s --qt-assign-schemes=remarks=false --verify-diagnostics | FileCheck %s

// Two rules may select one operand. The last one counts: silently where it is a part of the other, with a remark where both have others too.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#wide = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-DAG: #[[$FP8:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$WIDE:.*]] = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @overlap {
  qt.rule <activation> -> #fp8
  qt.rule <weight> -> #fp8
  // expected-note @below {{the other rule}}
  qt.rule <weight> sizes [8, ?, ?] -> #row
  // A part of the first rule for weights, not of the second; both select the weight of the first product.
  // expected-remark @below {{gives schemes to operands that another rule selects too, of which it is no part: the last one counts}}
  qt.rule <weight> sizes [?, 4, ?] -> #wide
}
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %v: tensor<2x4xf32>, %few: tensor<3x4xf32>) -> (tensor<8x4xf32>, tensor<8x2xf32>, tensor<3x2xf32>) {
  %z = arith.constant dense<0.0> : tensor<8x4xf32>
  %zero = arith.constant dense<0.0> : tensor<8x2xf32>
  // CHECK: qt.schemes = #qt.schemes<#[[$FP8]], #[[$WIDE]]>
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %v : tensor<8x4xf32>, tensor<2x4xf32>) outs(%zero : tensor<8x2xf32>) -> tensor<8x2xf32>
  %none = arith.constant dense<0.0> : tensor<3x2xf32>
  // CHECK: qt.schemes = #qt.schemes<#[[$FP8]], #[[$FP8]]>
  %2 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%few, %v : tensor<3x4xf32>, tensor<2x4xf32>) outs(%none : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x2xf32>, tensor<3x2xf32>
}
