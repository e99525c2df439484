// RUN: fp8-opt %s --qt-assign-schemes --split-input-file --verify-diagnostics

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @twice {
  // expected-note @below {{this one is hidden}}
  qt.rule <weight> -> #s
  // expected-error @below {{expected a rule that leaves something to earlier ones for weight, got one that hides another}}
  qt.rule <weight> -> #s
}

// -----

// Without role inference nothing can be chosen.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
qt.recipe @none {
}
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-error @below {{expected qt.roles and qt.gemm on a contraction; run qt-infer-roles first}}
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// expected-error @below {{expected exactly one qt.recipe in the module, got 0}}
module {
  func.func @main() {
    return
  }
}

// -----

// expected-error @below {{expected exactly one qt.recipe in the module, got 2}}
module {
  qt.recipe @one {
  }
  qt.recipe @two {
  }
  func.func @main() {
    return
  }
}

// -----

// expected-error @below {{expected a function 'main' to compile, got}}
module {
  qt.recipe @one {
  }
  func.func @other() {
    return
  }
}

// -----

// Blocks of more dimensions than an operand has are refused at the rule, with the product.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 1, 32] by fdiv>]>
qt.recipe @batched {
  // expected-error @below {{expected the block of scale level 0 to have at most 2 sizes, the tensor's rank}}
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
}
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-note @below {{for this contraction}}
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What no quantizer can do yet is refused at the rule.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], rounding = stochastic>
qt.recipe @stochastic {
  // expected-error @below {{expected a rounding that needs no random bits, got stochastic}}
  qt.rule <weight> -> #s
}
func.func @main() {
  return
}

// -----

// What is quantized already gets no other schemes.
module attributes {qt.step = #qt.step<quantize>} {
  qt.recipe @late {
  }
  // expected-error @below {{expected a program that is not quantized yet, got one after step quantize}}
  func.func @main() {
    return
  }
}

// -----

// A product that no pass has looked at would be missing in the report.
qt.recipe @early {
}
func.func @main(%x: tensor<3x5xf32>, %w: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-error @below {{expected qt.roles and qt.gemm on a contraction; run fp8-import-linalg and qt-infer-roles first}}
  %y = linalg.matmul ins(%x, %w : tensor<3x5xf32>, tensor<5x4xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
