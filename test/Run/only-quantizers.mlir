// A graph of nothing but quantizers has loaded no other dialect, and is counted all the same.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:1x2:1,2
// RUN: fp8-run %s --args=%t.in --json=%t.json | FileCheck %s
// CHECK: quantized {{.*}}: 1x2 #qt.scheme<{{.*}}>: saturated 0, flushed 0, exact{{$}}
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "exact": true
// JSON: "snr_db": null
// CHECK: result0: 1x2xF32 = [1, 2]

// So are zeros; what is not finite, before or after, is left out and said.
// RUN: %python %S/Inputs/tensors.py write %t.zeros arg0=F32:1x2:0,0
// RUN: fp8-run %s --args=%t.zeros | FileCheck %s --check-prefix=ZEROS
// ZEROS: quantized {{.*}} flushed 0, exact{{$}}
// RUN: %python %S/Inputs/tensors.py write %t.nan arg0=F32:1x2:nan,1
// RUN: fp8-run %s --args=%t.nan | FileCheck %s --check-prefix=NAN
// NAN: quantized {{.*}}: saturated 0, flushed 0, not finite 2, all of them{{$}}
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
func.func @main(%a: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %q = qt.quantize %a : tensor<1x2xf32> to !qt.tensor<1x2xf32, #s>
  %y = qt.dequantize %q : !qt.tensor<1x2xf32, #s> to tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
