// Without the pass manager's verifier, the pass verifies what the step has changed, and after the last step all ops.
// DEFINE: %{unverified} = --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false
// RUN: split-file %s %t
// RUN: fp8-opt %t/function.mlir %{unverified} --qt-verify-stage=after=import --verify-diagnostics
// RUN: fp8-opt %t/function.mlir %{unverified} --qt-verify-stage=after=quantize --verify-diagnostics
// RUN: fp8-opt %t/function.mlir %{unverified} --qt-verify-stage=after=axes --verify-diagnostics
// RUN: fp8-opt %t/function.mlir %{unverified} --qt-verify-stage=after=fuse --verify-diagnostics
// RUN: fp8-opt %t/attribute.mlir %{unverified} --qt-verify-stage=after=roles --verify-diagnostics
// RUN: fp8-opt %t/attribute.mlir %{unverified} --qt-verify-stage=after=schemes --verify-diagnostics
// RUN: fp8-opt %t/module.mlir %{unverified} --qt-verify-stage=after=axes --verify-diagnostics
// RUN: fp8-opt %t/unquantized.mlir %{unverified} --qt-verify-stage=after=import --verify-diagnostics
// RUN: fp8-opt %t/unquantized.mlir %{unverified} --qt-verify-stage=after=fuse --verify-diagnostics
// No step after import touches the program as imported.
// RUN: fp8-opt %t/unquantized.mlir %{unverified} --qt-verify-stage=after=axes -o /dev/null

//--- function.mlir
func.func @main(%x: tensor<4x4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be static value of 16}}
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<4x4xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- attribute.mlir
func.func @main(%x: tensor<4x4xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{expected 'qt.half' to be a #qt.half attribute, got 1 : i64}}
  %y = tensor.collapse_shape %x [[0, 1]] {qt.half = 1} : tensor<4x4xf32> into tensor<16xf32>
  return %y : tensor<16xf32>
}

//--- module.mlir
// expected-error@+1 {{expected 'qt.step' to be a #qt.step attribute, got 1 : i64}}
module attributes {qt.step = 1} {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

//--- unquantized.mlir
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}
func.func @main_unquantized(%x: tensor<4x4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be static value of 16}}
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<4x4xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}
