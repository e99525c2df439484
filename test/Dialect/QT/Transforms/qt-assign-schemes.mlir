// RUN: fp8-opt %s --qt-assign-schemes --split-input-file | FileCheck %s

// Both operands have a rule: each gets the scheme of its role, and the report has the entry.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#w = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
qt.recipe @two {
  qt.rule <activation> -> #x
  qt.rule <weight> -> #w
}
// CHECK-DAG: #[[$X:.*]] = #qt.scheme<f8E4M3FN,
// CHECK-DAG: #[[$W:.*]] = #qt.scheme<f8E5M2,
// CHECK: qt.report = #qt.report<"two", [<location = {{.*}}, sizes = [1, 3, 4, 5], roles = <activation, weight>, gemm = <fprop>, site = <linear>, schemes = <#[[$X]], #[[$W]]>>]>
// CHECK-LABEL: func @main
// CHECK: linalg.contract
// CHECK-SAME: qt.schemes = #qt.schemes<#[[$X]], #[[$W]]>
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// A later rule wins over an earlier one, in the product that it names only.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#wgrad = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @narrower {
  qt.rule <activation> -> #all
  qt.rule <activation> in <wgrad> -> #wgrad
  qt.rule <weight> -> #all
  qt.rule <gradient> -> #all
}
// CHECK-DAG: #[[$ALL:.*]] = #qt.scheme<f8E4M3FN,
// CHECK-DAG: #[[$WGRAD:.*]] = #qt.scheme<f8E5M2,
// CHECK-LABEL: func @main
// CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$ALL]]>
// CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$WGRAD]]>
func.func @main(%x: tensor<3x5xf32>, %w: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %g = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>}
    ins(%x, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y, %g : tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// One operand without a rule keeps the whole product in high precision: no product has one quantized operand.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @half {
  qt.rule <activation> -> #s
}
// CHECK-LABEL: func @main
// CHECK: linalg.contract
// CHECK-NOT: qt.schemes
// CHECK-SAME: qt.kept = #qt.kept<no_rule, "recipe half has no rule for role weight">
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What role inference has kept stays kept, with its own reason; what an earlier recipe has decided is decided again.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @again {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
}
// CHECK-LABEL: func @main
// CHECK: linalg.contract
// CHECK-SAME: qt.kept = #qt.kept<no_role, "said before">
// CHECK: linalg.contract
// CHECK-NOT: qt.kept
// CHECK-SAME: qt.schemes
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.kept = #qt.kept<no_role, "said before">}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  %v = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.kept = #qt.kept<site, "another recipe">, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y, %v : tensor<3x4xf32>, tensor<3x4xf32>
}
