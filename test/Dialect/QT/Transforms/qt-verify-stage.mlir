// RUN: fp8-opt %s --fp8-import-linalg --qt-verify-stage=after=import --qt-infer-roles --qt-verify-stage=after=roles \
// RUN:   --qt-assign-schemes="recipe=mxfp8 remarks=false" --qt-verify-stage=after=schemes \
// RUN:   --qt-materialize-quantization --qt-verify-stage=after=quantize \
// RUN:   --qt-match-operand-axes --qt-verify-stage=after=axes | FileCheck %s
// RUN: fp8-opt %s --fp8-import-linalg --qt-infer-roles --qt-assign-schemes="recipe=bf16 remarks=false" \
// RUN:   --qt-verify-stage=after=schemes --qt-materialize-quantization --qt-match-operand-axes \
// RUN:   --qt-verify-stage=after=axes | FileCheck %s --check-prefix=KEPT
//
// What the steps do keeps what they promise. The check changes nothing.

// CHECK: qt.matmul
// KEPT: linalg.contract
// KEPT-SAME: qt.kept
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<65x3xbf16>, %v: tensor<65xbf16>) -> (tensor<4x3xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %i = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x65xbf16>, tensor<65x3xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  // No matrix product: it has no n.
  %f = tensor.empty() : tensor<4xf32>
  %j = linalg.fill ins(%c0 : f32) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.matvec ins(%x, %v : tensor<4x65xbf16>, tensor<65xbf16>) outs(%j : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4xf32>
}
