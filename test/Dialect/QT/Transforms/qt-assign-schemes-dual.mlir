// RUN: fp8-opt %s --qt-assign-schemes=remarks=false --split-input-file --verify-diagnostics | FileCheck %s

// A wgrad with a 'dual' rule notes the scheme of its activation in the fprop of its layer, on either side; one without a
// quantized fprop says that it has none.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#pow2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-DAG: #[[$ROW:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-DAG: #[[$POW2:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
qt.recipe @dual {
  qt.rule <activation> -> #row
  qt.rule <activation> in <wgrad> dual -> #pow2
  qt.rule <weight> -> #row
  qt.rule <gradient> -> #row
}
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %dy: tensor<4x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  // CHECK: linalg.contract
  // CHECK-NOT: qt.dual
  // CHECK-SAME: ins(
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<3>}
    ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract {{.*}}qt.dual = #[[$ROW]],{{.*}}qt.schemes = #qt.schemes<#[[$ROW]], #[[$POW2]]>
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>, qt.linear = #qt.linear<3>}
    ins(%dy, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract {{.*}}qt.dual = #[[$ROW]],{{.*}}qt.schemes = #qt.schemes<#[[$POW2]], #[[$ROW]]>
  %1 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, gradient>, qt.gemm = #qt.gemm<wgrad>, qt.linear = #qt.linear<3>}
    ins(%x, %dy : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract
  // CHECK-NOT: qt.dual
  // CHECK-SAME: ins(
  // expected-remark @below {{quantizes its activation from high precision: no fprop of its layer is quantized, of which it could be requantized}}
  %2 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>, qt.linear = #qt.linear<4>}
    ins(%dy, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
