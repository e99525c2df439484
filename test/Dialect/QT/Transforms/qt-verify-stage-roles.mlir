// RUN: fp8-opt %s --qt-verify-stage=after=roles -verify-diagnostics -split-input-file
//
// What role inference promises, broken once each.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.contract' op expected all of qt.roles, qt.gemm, qt.half, qt.site on a contraction, or qt.kept, got it without qt.gemm, qt.site; run qt-infer-roles first}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.half = #qt.half<forward>}
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// What is kept needs no roles.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.kept = #qt.kept<no_role, "a product of gradients">}
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// A pass in between rebuilt the contraction as a generic, which dropped its attributes.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xf32>, %w: tensor<3x65xf32>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.generic' op expected matrix products as linalg.contract}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x65xf32>, tensor<3x65xf32>) outs(%i : tensor<4x3xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.negf' op expected qt.gemm on contractions only; run qt-infer-roles last}}
  %0 = arith.negf %x {qt.gemm = #qt.gemm<fprop>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
