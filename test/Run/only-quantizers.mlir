// A graph of nothing but quantizers has loaded no other dialect, and is counted all the same.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:1x2:1,2
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: quantized {{.*}}: 1x2 #qt.scheme<{{.*}}>: saturated 0, flushed 0
// CHECK: result0: 1x2xF32 = [1, 2]
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
func.func @main(%a: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %q = qt.quantize %a : tensor<1x2xf32> to !qt.tensor<1x2xf32, #s>
  %y = qt.dequantize %q : !qt.tensor<1x2xf32, #s> to tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
