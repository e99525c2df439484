// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// What is cheap to compute again is not kept: the product of a gated activation, of factors that the backward half reads
// anyway. It is marked as of the backward half, so that nothing takes the first one instead.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 4096 of 6144,
// CHECK-SAME: <<recomputed, kept = 0, read = 8192, written = 3076> over [<again, kept = 2048, read = 4096, written = 1028>, <early, kept = 1028, read = 0, written = 1028>, <transposed,
// CHECK: %[[U:.*]] = math.exp
// CHECK: %[[G:.*]] = math.sin
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: qt.matmul
// CHECK-NOT: %[[X]]
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[U]] : tensor<32x32xbf16>, tensor<32x32xbf16>) {{.*}} attrs = {qt.half = #qt.half<backward>}
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[A]]
// CHECK: qt.quantize %[[T]] in <backward>
func.func @main(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>, %dyt: tensor<32x32xbf16>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>) {
  %u = math.exp %a : tensor<32x32xbf16>
  %g = math.sin %b : tensor<32x32xbf16>
  %e = tensor.empty() : tensor<32x32xbf16>
  %x = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) {
  ^bb0(%v: bf16, %w: bf16, %o: bf16):
    %r = arith.mulf %v, %w : bf16
    linalg.yield %r : bf16
  } -> tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %t = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dyt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %qt = qt.quantize %t in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %dg = arith.mulf %u, %g : tensor<32x32xbf16>
  return %y, %d, %dg : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>
}

// -----

// Must not fire: one factor is not there behind the border.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<early,
// CHECK-NOT: recomputed
// CHECK-NOT: qt.half =
func.func @main(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>, %dyt: tensor<32x32xbf16>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>) {
  %u = math.exp %a : tensor<32x32xbf16>
  %g = math.sin %b : tensor<32x32xbf16>
  %e = tensor.empty() : tensor<32x32xbf16>
  %x = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) {
  ^bb0(%v: bf16, %w: bf16, %o: bf16):
    %r = arith.mulf %v, %w : bf16
    linalg.yield %r : bf16
  } -> tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %t = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dyt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %qt = qt.quantize %t in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %dg = arith.mulf %u, %u : tensor<32x32xbf16>
  return %y, %d, %dg : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>
}

// -----

// Must not fire: a sum is not computed again, nor what reads a tensor from inside its body, nor five ops.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#id = affine_map<(i, j) -> (i, j)>
#abc = affine_map<(i, j, k) -> (i, j, k)>
#ab = affine_map<(i, j, k) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<early,
// CHECK-SAME: <<early,
// CHECK-SAME: <<early,
// CHECK-NOT: recomputed
// CHECK-NOT: qt.half =
func.func @main(%a: tensor<32x32x2xf32>, %b: tensor<32x32xf32>, %ids: tensor<32x32xindex>, %dyt: tensor<32x32xf32>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %e = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %sum = linalg.generic {indexing_maps = [#abc, #ab], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<32x32x2xf32>) outs(%z : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.addf %v, %o : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %looked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<32x32xindex>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%i: index, %o: f32):
    %r = tensor.extract %b[%i, %i] : tensor<32x32xf32>
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %l1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.sin %v : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %l2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l1 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.exp %v : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %l3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l2 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.cos %v : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %l4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l3 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.tanh %v : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %l5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l4 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.erf %v : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %q0 = qt.quantize %sum in <forward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %q1 = qt.quantize %looked in <forward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %q2 = qt.quantize %l5 in <forward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %y = qt.matmul %q0, %q1 plus %z : tensor<32x32xf32> : !qt.tensor<32x32xf32, #s>, !qt.tensor<32x32xf32, #s> -> tensor<32x32xf32>
  %y2 = qt.matmul %q2, %q2 plus %y : tensor<32x32xf32> : !qt.tensor<32x32xf32, #s>, !qt.tensor<32x32xf32, #s> -> tensor<32x32xf32>
  %qd = qt.quantize %dyt in <backward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %t0 = linalg.transpose ins(%sum : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) permutation = [1, 0]
  %t1 = linalg.transpose ins(%looked : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) permutation = [1, 0]
  %t2 = linalg.transpose ins(%l5 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) permutation = [1, 0]
  %b0 = qt.quantize %t0 in <backward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %b1 = qt.quantize %t1 in <backward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %b2 = qt.quantize %t2 in <backward> : tensor<32x32xf32> to !qt.tensor<32x32xf32, #s>
  %d0 = qt.matmul %qd, %b0 : !qt.tensor<32x32xf32, #s>, !qt.tensor<32x32xf32, #s> -> tensor<32x32xf32>
  %d1 = qt.matmul %qd, %b1 : !qt.tensor<32x32xf32, #s>, !qt.tensor<32x32xf32, #s> -> tensor<32x32xf32>
  %d2 = qt.matmul %qd, %b2 : !qt.tensor<32x32xf32, #s>, !qt.tensor<32x32xf32, #s> -> tensor<32x32xf32>
  return %y2, %d0, %d1, %d2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}
