// Every upstream pass of the lowering keeps the bits; stock elementwise fusion, which is none of them, loses the sum of this
// graph, and is found. Over the graphs of a folder `ninja upstream` checks the same.
//
// RUN: fp8-upstream %s --init=normal:1 | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: not fp8-upstream %s --init=normal:1 --fuse | FileCheck %s --check-prefixes=FUSED,CHECK
// RUN: fp8-upstream %s --init=normal:1 --recipe=mxfp8 | FileCheck %s --check-prefix=QUANTIZED
//
// KEPT-NOT: DIFFER
// FUSED: linalg-fuse-elementwise-ops: 1 of 1 results DIFFER
// CHECK: convert-elementwise-to-linalg: needed
// CHECK: canonicalize-tensors: nothing to do
// CHECK: one-shot-bufferize: same bits
// CHECK: convert-scf-to-cf: needed
// QUANTIZED-NOT: DIFFER
// QUANTIZED: canonicalize-tensors: same bits
// QUANTIZED: convert-scf-to-cf: needed

#m = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#v = affine_map<(d0, d1, d2) -> (d0, d1)>
#a = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#b = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#c = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @main(%k: tensor<8x2x4xf32> {qt.role = #qt.role<weight>}, %s: tensor<8x2x16xf32>, %w: tensor<8x2xf32>) -> tensor<8x4x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x2x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x2x16xf32>) -> tensor<8x2x16xf32>
  %p = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %w : tensor<8x2x16xf32>, tensor<8x2xf32>) outs(%i : tensor<8x2x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x2x16xf32>
  %e2 = tensor.empty() : tensor<8x4x16xf32>
  %i2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %p : tensor<8x2x4xf32>, tensor<8x2x16xf32>) outs(%i2 : tensor<8x4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x4x16xf32>
  %sum = arith.addf %r, %r : tensor<8x4x16xf32>
  return %sum : tensor<8x4x16xf32>
}
