// RUN: fp8-opt %s --qt-fuse-amax=blocks=true --verify-diagnostics | FileCheck %s
// RUN: fp8-run %s --init=normal:1 --out=%t.before > %t.txt
// RUN: fp8-opt %s --qt-fuse-amax=blocks=true -o %t.mlir 2> %t.err
// RUN: fp8-run %t.mlir --init=normal:1 --out=%t.after > %t.txt
// RUN: cmp %t.before %t.after
//
// The amax of a concatenation is the largest of those of its parts, which the ops that compute them return; where blocks lie
// within parts they stand side by side. Bits do not change.

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> (tensor<4x96xf32>, tensor<4x96xf32>, tensor<96x4xf32>, tensor<4x96xf32>, tensor<4x100xf32>, tensor<4x96xf32>) {
  // CHECK: %[[X:.*]]:{{[0-9]+}} = linalg.generic {{.*}} ins(%arg0
  %e = tensor.empty() : tensor<4x64xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x64xf32>
  // CHECK: %[[Y:.*]]:{{[0-9]+}} = linalg.generic {{.*}} ins(%arg1
  %f = tensor.empty() : tensor<4x32xf32>
  %b = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x32xf32>) outs(%f : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<4x64xf32>, tensor<4x32xf32>) -> tensor<4x96xf32>
  // Along the rows and per tensor the larger one counts, in blocks of 32 there are two and one.
  // CHECK-DAG: linalg.generic {{.*}} ins(%[[X]]#2, %[[Y]]#1 : tensor<4x1xf32>, tensor<4x1xf32>)
  // CHECK-DAG: %[[BLOCKS:.*]] = tensor.concat dim(1) %[[X]]#1, %[[Y]]#1 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  // CHECK-NOT: qt.quantize %{{[a-z0-9]+}} :
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<f32>)
  %q0 = qt.quantize %c : tensor<4x96xf32> to !qt.tensor<4x96xf32, #fp8>
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<4x1xf32>)
  %q1 = qt.quantize %c : tensor<4x96xf32> to !qt.tensor<4x96xf32, #row>
  // Through a transpose.
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<f32>)
  %g = tensor.empty() : tensor<96x4xf32>
  %t = linalg.transpose ins(%c : tensor<4x96xf32>) outs(%g : tensor<96x4xf32>) permutation = [1, 0]
  %q2 = qt.quantize %t : tensor<96x4xf32> to !qt.tensor<96x4xf32, #fp8>
  // CHECK: qt.quantize %{{.*}} amax(%[[BLOCKS]] : tensor<4x3xf32>)
  %q3 = qt.quantize %c : tensor<4x96xf32> to !qt.tensor<4x96xf32, #mx>

  // A part that is no multiple of 32 in front of another.
  %h = tensor.extract_slice %y[0, 0] [4, 4] [1, 1] : tensor<4x32xf32> to tensor<4x4xf32>
  %n = linalg.exp ins(%h : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = tensor.concat dim(1) %n, %a, %b : (tensor<4x4xf32>, tensor<4x64xf32>, tensor<4x32xf32>) -> tensor<4x100xf32>
  // expected-remark @+1 {{takes the amax in a pass of its own: 'tensor.concat' op joins its parts inside the blocks that share an amax}}
  %q4 = qt.quantize %d : tensor<4x100xf32> to !qt.tensor<4x100xf32, #mx>

  %o = tensor.concat dim(1) %x, %y : (tensor<4x64xf32>, tensor<4x32xf32>) -> tensor<4x96xf32>
  // expected-remark @+1 {{takes the amax in a pass of its own: 'tensor.concat' op joins parts that come without an amax}}
  %q5 = qt.quantize %o : tensor<4x96xf32> to !qt.tensor<4x96xf32, #fp8>

  %r0 = qt.dequantize %q0 : !qt.tensor<4x96xf32, #fp8> to tensor<4x96xf32>
  %r1 = qt.dequantize %q1 : !qt.tensor<4x96xf32, #row> to tensor<4x96xf32>
  %r2 = qt.dequantize %q2 : !qt.tensor<96x4xf32, #fp8> to tensor<96x4xf32>
  %r3 = qt.dequantize %q3 : !qt.tensor<4x96xf32, #mx> to tensor<4x96xf32>
  %r4 = qt.dequantize %q4 : !qt.tensor<4x100xf32, #mx> to tensor<4x100xf32>
  %r5 = qt.dequantize %q5 : !qt.tensor<4x96xf32, #fp8> to tensor<4x96xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<4x96xf32>, tensor<4x96xf32>, tensor<96x4xf32>, tensor<4x96xf32>, tensor<4x100xf32>, tensor<4x96xf32>
}
