// RUN: fp8-opt %s --qt-materialize-quantization --split-input-file --verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  // expected-error @below {{expected qt.schemes or qt.kept on a contraction; run qt-assign-schemes first}}
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  // expected-error @below {{expected qt.schemes on contractions in normal form only; run fp8-import-linalg first}}
  %y = linalg.matmul {qt.schemes = #qt.schemes<#s, #s>} ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// expected-error @below {{expected a function 'main' to compile, got}}
module {
}
