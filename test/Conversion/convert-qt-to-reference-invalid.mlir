// RUN: fp8-opt %s --convert-qt-to-reference --split-input-file --verify-diagnostics

// The conversion is whole or fails: an op that carries quantized tensors and has no lowering is an error at the op.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%p: !qt.tensor<3x5xf32, #s>, %q: !qt.tensor<3x5xf32, #s>, %b: i1) -> !qt.tensor<3x5xf32, #s> {
  // expected-error @below {{failed to legalize operation 'arith.select'}}
  %r = arith.select %b, %p, %q : !qt.tensor<3x5xf32, #s>
  return %r : !qt.tensor<3x5xf32, #s>
}
