// RUN: fp8-opt %s --qt-assign-schemes --split-input-file --verify-diagnostics | FileCheck %s

// By site: the product at the site stays, the other does not.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @sites {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
  qt.keep sites [#qt.site<router>, #qt.site<head>]
}
// CHECK-LABEL: func @main
// CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<site, "site head by recipe sites">
// CHECK: linalg.contract {{.*}}qt.schemes
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-remark @below {{stays in high precision: site head by recipe sites}}
  %h = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<head>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %h, %y : tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

// By label: the name of the weight, from the signature, contains the text.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [<"x", input>, <"model.lm_head.weight", parameter>, <"up", parameter>]>} {
  qt.recipe @labels {
    qt.rule <activation> -> #s
    qt.rule <weight> -> #s
    // expected-remark @below {{keeps nothing by "none": no contraction of this program matches}}
    qt.keep labels ["none", "lm_head"]
  }
  // CHECK-LABEL: func @main
  // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<label, "label 'lm_head' by recipe labels">
  // CHECK: linalg.contract {{.*}}qt.schemes
  func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>, %v: tensor<4x5xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %z = arith.constant dense<0.0> : tensor<3x4xf32>
    // expected-remark @below {{stays in high precision: label 'lm_head' by recipe labels}}
    %h = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<0, argument = 1, sums = [1]>}
      ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.linear = #qt.linear<1, argument = 2, sums = [1]>}
      ins(%x, %v : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %h, %y : tensor<3x4xf32>, tensor<3x4xf32>
  }
}

// -----

// By position: the first and the last of the repeated blocks; what is in between and what has no position goes on.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @ends {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
  qt.keep first 1
  qt.keep last 2
}
// CHECK-LABEL: func @main
// CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<position, "first layer by recipe ends">, qt.layer = #qt.layer<0, 0>
// CHECK: linalg.contract {{.*}}qt.layer = #qt.layer<1, 0>{{.*}}qt.schemes
// CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<position, "last 2 layers by recipe ends">, qt.layer = #qt.layer<2, 0>
// CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<position, "last 2 layers by recipe ends">, qt.layer = #qt.layer<3, 0>
// CHECK: linalg.contract {{.*}}qt.schemes
func.func @main(%x: tensor<5x5xf32>, %w: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  // expected-remark @below {{stays in high precision: first layer}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.layer = #qt.layer<0, 0>, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.layer = #qt.layer<1, 0>, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%0, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  // expected-remark @below {{stays in high precision: last 2 layers}}
  %2 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.layer = #qt.layer<2, 0>, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%1, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  // expected-remark @below {{stays in high precision: last 2 layers}}
  %3 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.layer = #qt.layer<3, 0>, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%2, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %4 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%3, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %4 : tensor<5x5xf32>
}

// -----

// A keep by label or position that matches nothing says so; one by site, or one that matches what another keep has held
// back already, does not. Where there is one block, a line that selects by position warns.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @nothing {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
  qt.keep sites [#qt.site<linear>]
  // expected-warning @below {{selects all linears, which are one block: this program has no blocks that repeat; 'labels' or 'sizes' choose among them}}
  qt.keep first 1
  qt.keep sites [#qt.site<router>]
  // expected-remark @below {{keeps nothing: the arguments of this program have no names; a signature (--signature) has names}}
  qt.keep labels ["lm_head"]
}
// CHECK-LABEL: func @main
// CHECK: qt.kept<site, "site linear by recipe nothing">
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-remark @below {{stays in high precision: site linear}}
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>, qt.layer = #qt.layer<0, 0>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// A weight that is joined of several goes by the names of all of them.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [<"x", input>, <"wq", parameter>, <"wk", parameter>] results = [<"y", unknown>]>} {
  qt.recipe @joined {
    qt.rule <activation> -> #s
    qt.rule <weight> -> #s
    qt.keep labels ["wk"]
    // expected-remark @below {{keeps nothing: no contraction of this program matches}}
    qt.keep labels ["wv"]
  }
  // CHECK-LABEL: func @main
  // CHECK: qt.kept<label, "label 'wk' by recipe joined">
  func.func @main(%x: tensor<3x5xf32>, %q: tensor<4x5xf32>, %k: tensor<2x5xf32>) -> tensor<3x6xf32> {
    %z = arith.constant dense<0.0> : tensor<3x6xf32>
    %w = tensor.concat dim(0) %q, %k : (tensor<4x5xf32>, tensor<2x5xf32>) -> tensor<6x5xf32>
    // expected-remark @below {{stays in high precision: label 'wk'}}
    %y = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>, qt.linear = #qt.linear<0, parts = [1, 2]>}
      ins(%x, %w : tensor<3x5xf32>, tensor<6x5xf32>) outs(%z : tensor<3x6xf32>) -> tensor<3x6xf32>
    return %y : tensor<3x6xf32>
  }
}
