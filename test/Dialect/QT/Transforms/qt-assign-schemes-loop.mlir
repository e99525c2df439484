// RUN: fp8-opt %s --qt-assign-schemes --verify-diagnostics | FileCheck %s

// The layers of a loop are one place: a line that selects by position selects all of them, which a warning says.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @ends {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
  // expected-warning @below {{selects all layers of a loop, which are one place: unroll the loop to choose among them}}
  qt.keep first 1
  // expected-remark @below {{keeps nothing: no contraction of this program matches}}
  qt.keep sites [#qt.site<head>] last 1
}
// CHECK-LABEL: func @main
// CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<position, "first layer by recipe ends">, qt.layer = #qt.layer<0, 0>
func.func @main(%x: tensor<5x5xf32>, %w: tensor<4x5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %begin = arith.constant 0 : index
  %end = arith.constant 4 : index
  %step = arith.constant 1 : index
  // expected-note @below {{the loop}}
  %y = scf.for %i = %begin to %end step %step iter_args(%h = %x) -> tensor<5x5xf32> {
    %layer = tensor.extract_slice %w[%i, 0, 0] [1, 5, 5] [1, 1, 1] : tensor<4x5x5xf32> to tensor<5x5xf32>
    // expected-remark @below {{stays in high precision: first layer}}
    %0 = linalg.contract indexing_maps = [#a, #b, #c]
      {qt.layer = #qt.layer<0, 0>, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
      ins(%h, %layer : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
    scf.yield %0 : tensor<5x5xf32>
  }
  return %y : tensor<5x5xf32>
}
