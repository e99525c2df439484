// RUN: fp8-opt %s --qt-assign-schemes --split-input-file --verify-diagnostics
//
// Where a recipe has rules for a role and none holds, the reason says what the last of them asks for; of a rule that gives nothing by name,
// that there are no names.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @side {
  // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
  qt.rule <weight> lhs -> #s
  qt.rule <activation> -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe side has one rule for role weight, which is for left operands, not the right one}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @r {
  qt.rule <activation> -> #s
  qt.rule <weight> in <dgrad> -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe r has one rule for role weight, which is for dgrad, not fprop}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @r {
  qt.rule <activation> -> #s
  qt.rule <weight> sites [#qt.site<head>] -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe r has one rule for role weight, which is not for site linear}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @r {
  qt.rule <activation> -> #s
  // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
  qt.rule <weight> first 1 -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe r has one rule for role weight, which is for the first repeated block, not for what is in none}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @r {
  qt.rule <activation> -> #s
  // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
  qt.rule <weight> sizes [7, 7, 6] -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe r has one rule for role weight, which is for other sizes than 7x7x5}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @r {
  qt.rule <activation> -> #s
  // expected-remark @below {{gives nothing: the arguments of this program have no names; a signature (--signature) has names}}
  qt.rule <weight> labels ["gate"] -> #s
}
func.func @main(%x: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  // expected-remark @below {{stays in high precision: recipe r has one rule for role weight, which is for weights named 'gate', and this one has no name}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
    ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return
}
