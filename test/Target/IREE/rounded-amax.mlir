// REQUIRES: iree
// RUN: %python %S/../../Run/Inputs/tensors.py write %t.args x=F32:4:257,1,-3,259
// RUN: %python %S/../../Run/Inputs/tensors.py write %t.ref rounded=BF16:4:0x4380,0x3f80,0xc040,0x4382 amax=F32::260 product=F32:1:67600
// RUN: fp8-run %s --args=%t.args --compare=%t.ref --engine=iree --iree-compile=%iree_compile --check-quantizers | FileCheck %s
// CHECK: 0 codes and 0 scales differ
// CHECK: rounded: {{.*}}, relative error 0,
// CHECK: amax: F32 = 260, {{.*}}relative error 0{{$}}
// CHECK: product: 1xF32 = [67600], relative error 0,

// The amax of what a producer stores, taken in the same loop, is that of the rounded numbers. Written as extf, or as bf16
// widened with zeros, IREE 3.13 computes it from the unrounded ones: 259.

#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"x", input>] results = [#qt.value<"rounded", unknown>, #qt.value<"amax", unknown>, #qt.value<"numbers", unknown>, #qt.value<"product", unknown>]>} {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xbf16>, tensor<f32>, tensor<4xbf16>, tensor<1xf32>) {
    %e = tensor.empty() : tensor<4xbf16>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %r:2 = linalg.generic {indexing_maps = [#id, #id, #all], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%e, %zero : tensor<4xbf16>, tensor<f32>) {
    ^bb0(%a: f32, %o: bf16, %m: f32):
      %t = arith.truncf %a : f32 to bf16
      %f = arith.extf %t : bf16 to f32
      %w = math.absf %f : f32
      %n = arith.maximumf %w, %m : f32
      linalg.yield %t, %n : bf16, f32
    } -> (tensor<4xbf16>, tensor<f32>)
    %q = qt.quantize %r#0 : tensor<4xbf16> to !qt.tensor<4xbf16, #s>
    %d = qt.dequantize %q : !qt.tensor<4xbf16, #s> to tensor<4xbf16>
    // bf16 arithmetic rounds in between: 257 is 256 before it is squared, 259 is 260.
    %p0 = arith.constant dense<0.0> : tensor<1xf32>
    %p = linalg.generic {indexing_maps = [#id, affine_map<(i) -> (0)>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%p0 : tensor<1xf32>) {
    ^bb0(%a: f32, %m: f32):
      %t = arith.truncf %a : f32 to bf16
      %f = arith.extf %t : bf16 to f32
      %s = arith.mulf %f, %f : f32
      %n = arith.maximumf %s, %m : f32
      linalg.yield %n : f32
    } -> tensor<1xf32>
    return %r#0, %r#1, %d, %p : tensor<4xbf16>, tensor<f32>, tensor<4xbf16>, tensor<1xf32>
  }
}
