// REQUIRES: iree
// IREE's runtime takes subnormals of f32 for zeros, and codes of them differ: the run fails, says of which quantizer, and writes
// what it found. Down to the smallest normal number nothing differs.

// RUN: %python %S/../../Run/Inputs/tensors.py write %t.args arg0=BF16:1x2:0x0001,0x0040
// RUN: not fp8-run %s --args=%t.args --engine=iree --iree-compile=%iree_compile --check-quantizers --json=%t.json > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// CHECK: quantized {{.*}}: 1x2 {{.*}}: saturated 0, flushed 2, SNR {{.*}} dB, 2 codes and 0 scales differ
// CHECK: result0: 1x2xBF16
// RUN: FileCheck %s --check-prefix=ERROR < %t.err
// ERROR: fp8-run: expected the codes and scales that Numerics makes, got others from 1 of 1 quantizers, first 2 codes and 0 scales of {{.*}}subnormal.mlir:[[#@LINE+8]]:8
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "differing_codes": 2

// RUN: %python %S/../../Run/Inputs/tensors.py write %t.normal arg0=BF16:1x2:0x0080,0x0100
// RUN: fp8-run %s --args=%t.normal --engine=iree --iree-compile=%iree_compile --check-quantizers
#s = #qt.scheme<int8, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
func.func @main(%a: tensor<1x2xbf16>) -> tensor<1x2xbf16> {
  %q = qt.quantize %a : tensor<1x2xbf16> to !qt.tensor<1x2xbf16, #s>
  %y = qt.dequantize %q : !qt.tensor<1x2xbf16, #s> to tensor<1x2xbf16>
  return %y : tensor<1x2xbf16>
}
