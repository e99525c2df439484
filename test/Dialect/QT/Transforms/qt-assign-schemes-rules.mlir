// RUN: fp8-opt %s --qt-assign-schemes --split-input-file --verify-diagnostics | FileCheck %s

// The last rule that selects an operand counts. Every condition decides one product here, and no other.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#product = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1024] by fdiv>]>
#right = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 512] by fdiv>]>
#site = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 256] by fdiv>]>
#label = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#end = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 64] by fdiv>]>
#size = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
// CHECK-DAG: #[[$ALL:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$PRODUCT:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1024] by fdiv>]>
// CHECK-DAG: #[[$RIGHT:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 512] by fdiv>]>
// CHECK-DAG: #[[$SITE:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 256] by fdiv>]>
// CHECK-DAG: #[[$LABEL:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-DAG: #[[$END:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 64] by fdiv>]>
// CHECK-DAG: #[[$SIZE:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [<"x", input>, <"a.up", parameter>, <"b.up", parameter>]>} {
  qt.recipe @conditions {
    qt.rule <activation> -> #all
    qt.rule <weight> -> #all
    qt.rule <gradient> -> #all
    qt.rule <weight> in <dgrad> -> #product
    qt.rule <activation> rhs -> #right
    qt.rule <weight> sites [#qt.site<head>] -> #site
    qt.rule <weight> labels ["up"] except ["b."] -> #label
    qt.rule <weight> first 1 -> #end
    qt.rule <activation> last 1 -> #end
    qt.rule <activation> in <fprop> sizes [3, ?, 5] -> #size
    // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
    qt.rule <weight> labels ["down"] -> #all
    // Of sizes, the name and the product, only the last tells them apart.
    qt.keep in <wgrad> sizes [?, 4, ?]
  }
  // CHECK-LABEL: func @main
  func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>, %v: tensor<7x5xf32>, %y: tensor<3x5xf32>, %u: tensor<4x5xf32>) {
    %z = arith.constant dense<0.0> : tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}fprop{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$ALL]]>
    %0 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}dgrad{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$PRODUCT]]>
    %1 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<gradient, weight>, qt.gemm = #qt.gemm<dgrad>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$RIGHT]]>{{.*}}score
    %2 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, activation>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<score>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$SITE]]>{{.*}}head
    %3 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<head>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}argument = 1{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$LABEL]]>
    %4 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<0, argument = 1, sums = [1]>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}argument = 2{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$ALL]]>
    %5 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<1, argument = 2, sums = [1]>}
      ins(%x, %v : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}layer<0, 0>{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$END]]>
    %6 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.layer = #qt.layer<0, 0>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}layer<1, 0>{{.*}}qt.schemes = #qt.schemes<#[[$ALL]], #[[$ALL]]>
    %7 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.layer = #qt.layer<1, 0>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // CHECK: linalg.contract {{.*}}layer<2, 0>{{.*}}qt.schemes = #qt.schemes<#[[$END]], #[[$ALL]]>
    %8 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.layer = #qt.layer<2, 0>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    %z2 = arith.constant dense<0.0> : tensor<3x4xf32>
    // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$SIZE]], #[[$ALL]]>
    %9 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
      ins(%y, %u : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<product, "product wgrad, sizes 3x4x5 by recipe conditions">
    // expected-remark @below {{stays in high precision: product wgrad, sizes 3x4x5}}
    %10 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>}
      ins(%y, %u : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return
  }
}

// -----

// Keeping all but some layers: what has no weight's name is not among them.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [<"x", input>, <"mlp.up", parameter>]>} {
  qt.recipe @only_mlp {
    qt.rule <activation> -> #s
    qt.rule <weight> -> #s
    // expected-remark @below {{excepts nothing by "moe": no contraction of this program matches}}
    qt.keep except ["mlp", "moe"]
    qt.keep sizes [?, 2, ?]
  }
  // CHECK-LABEL: func @main
  func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>, %v: tensor<2x5xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x2xf32>) {
    %z = arith.constant dense<0.0> : tensor<3x4xf32>
    %z2 = arith.constant dense<0.0> : tensor<3x2xf32>
    // CHECK: linalg.contract {{.*}}qt.schemes
    %0 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<0, argument = 1, sums = [1]>}
      ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<label, "not label 'mlp' or 'moe' by recipe only_mlp">
    // expected-remark @below {{stays in high precision: not label 'mlp' or 'moe'}}
    %1 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
      ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<size, "sizes 3x2x5 by recipe only_mlp">
    // expected-remark @below {{stays in high precision: sizes 3x2x5}}
    %2 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<0, argument = 1, sums = [1]>}
      ins(%x, %v : tensor<3x5xf32>, tensor<2x5xf32>) outs(%z2 : tensor<3x2xf32>) -> tensor<3x2xf32>
    return %0, %1, %2 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x2xf32>
  }
}

// -----

// Schemes that only conditions bring together are checked where they meet, and the message points at the rules.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#b32 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
#b48 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 48] by fdiv>]>
qt.recipe @meet {
  // expected-note @below {{the rule for the activation}}
  qt.rule <activation> -> #b32
  qt.rule <weight> -> #b32
  // expected-error @below {{expected blocks of which the larger is a multiple of the smaller in fprop, got 48 for the weight and 32 for the activation}}
  qt.rule <weight> sites [#qt.site<head>] -> #b48
}
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-note @below {{for this contraction}}
  %h = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<head>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %h : tensor<3x4xf32>
}

// -----

// A rule that no other covers alone is told of where later ones together leave it nothing; one of another role is not.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#wide = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @overruled {
  // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
  qt.rule <activation> -> #wide
  qt.rule <activation> in <fprop> -> #all
  qt.rule <weight> -> #all
  qt.rule <gradient> -> #all
}
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %h = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %h : tensor<3x4xf32>
}
