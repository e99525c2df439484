// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file --verify-diagnostics

// expected-error @below {{expected a function 'main' to compile, got}}
module {
}

// -----

#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
// A graph that was never imported.
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  // expected-error @below {{expected matrix products as linalg.contract in normal form; run fp8-import-linalg first}}
  %y = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
