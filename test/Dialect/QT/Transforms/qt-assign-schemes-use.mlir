// RUN: fp8-opt %s --qt-assign-schemes --split-input-file --verify-diagnostics
//
// What decides nothing in a program is a remark where it may be an oversight: texts that no name has, and rules of which all operands are
// kept, or whose products have no operand of their role.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [<"x", input>, <"up", parameter>, <"down", parameter>, <"head", parameter>]>} {
  qt.recipe @texts {
    // Of the head's activation alone it is the last rule, and the head is kept.
    // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
    qt.rule <activation> -> #all
    qt.rule <weight> -> #all
    // expected-remark @below {{gives nothing by "dwn": no contraction of this program matches}}
    qt.rule <weight> labels ["up", "dwn"] -> #row
    // expected-remark @below {{excepts nothing by "upp": no contraction of this program matches}}
    // expected-remark @below {{excepts nothing by "x": no contraction of this program matches}}
    qt.rule <activation> except ["upp", "x", "head"] -> #row
    // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
    qt.rule <weight> labels ["head"] -> #row
    // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
    qt.rule <weight> sites [#qt.site<score>] -> #row
    // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
    qt.rule <weight> except ["up", "down", "head"] -> #row
    // No product is at this site, as in many models.
    qt.rule <weight> sites [#qt.site<router>] -> #row
    // The names of "head" are those of products at another site.
    // expected-remark @below {{keeps nothing by "lm_head": no contraction of this program matches}}
    // expected-remark @below {{excepts nothing by "down": no contraction of this program matches}}
    qt.keep sites [#qt.site<head>] labels ["head", "lm_head"] except ["down"]
  }
  func.func @main(%x: tensor<7x5xf32>, %u: tensor<7x5xf32>, %v: tensor<7x5xf32>, %w: tensor<7x5xf32>) {
    %z = arith.constant dense<0.0> : tensor<7x7xf32>
    %0 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>, qt.linear = #qt.linear<0, argument = 1, sums = [1]>}
      ins(%x, %u : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    %1 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>, qt.linear = #qt.linear<1, argument = 2, sums = [1]>}
      ins(%x, %v : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    // expected-remark @below {{stays in high precision: site head, label 'head'}}
    %2 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<head>, qt.linear = #qt.linear<2, argument = 3, sums = [1]>}
      ins(%x, %w : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    %3 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.roles = #qt.roles<activation, activation>, qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<score>}
      ins(%x, %x : tensor<7x5xf32>, tensor<7x5xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
    return
  }
}
