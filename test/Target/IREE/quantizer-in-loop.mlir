// Quantizers in a loop are read back as the last execution of this call left them, beside a constant of as many bytes. IREE 3.13
// moves a load of a global past a loop that stores to it, takes the size of a global that has an initial value for that of the
// constant, and takes globals for one where a block stores the same value to both.

// REQUIRES: iree
// RUN: %python %S/../../Run/Inputs/tensors.py write %t.args x=F32:4:257,1,-3,259
// RUN: fp8-run %s --args=%t.args --engine=iree --iree-compile=%iree_compile --check-quantizers | FileCheck %s
// What the first one reads was quantized already.
// CHECK: quantized {{.*}}: 4 {{.*}}, exact, 0 codes and 0 scales differ
// CHECK: quantized {{.*}}: 4 {{.*}}, SNR {{[0-9.]+}} dB, 0 codes and 0 scales differ

#id = affine_map<(i) -> (i)>
#none = affine_map<() -> ()>
#all = affine_map<(i) -> ()>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"x", input>] results = [#qt.value<"y", unknown>]>} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %two = arith.constant dense<2.0> : tensor<f32>
    %n = tensor.empty() : tensor<f32>
    %factor = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%two : tensor<f32>) outs(%n : tensor<f32>) {
    ^bb0(%f: f32, %o: f32):
      %p = math.exp %f : f32
      linalg.yield %p : f32
    } -> tensor<f32>
    %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
      %q = qt.quantize %a : tensor<4xf32> to !qt.tensor<4xf32, #s>
      %d = qt.dequantize %q : !qt.tensor<4xf32, #s> to tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%d, %factor : tensor<4xf32>, tensor<f32>) outs(%e : tensor<4xf32>) {
      ^bb0(%v: f32, %f: f32, %o: f32):
        %p = arith.mulf %v, %f : f32
        linalg.yield %p : f32
      } -> tensor<4xf32>
      %q2 = qt.quantize %r : tensor<4xf32> to !qt.tensor<4xf32, #s>
      %d2 = qt.dequantize %q2 : !qt.tensor<4xf32, #s> to tensor<4xf32>
      scf.yield %d2 : tensor<4xf32>
    }
    return %y : tensor<4xf32>
  }
}
