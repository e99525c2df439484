// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s
//
// What is known at the border between the halves: what crosses it as codes, and what that takes.

// A weight is there anyway: what the backward half reads is quantized there, in the orientation of the dgrad. No codes cross.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0,
// CHECK-SAME: <<again, kept = 0, read = 1024, written = 260> over [<early, kept = 260, read = 0, written = 260>, <transposed, kept = 260, read = 260, written = 260>], location = {{.*}}, type = tensor<16x16xbf16>>
// CHECK: %[[F:.*]] = qt.quantize %arg1 in <forward>
// CHECK: qt.matmul %{{.*}}, %[[F]]
// CHECK-NOT: %[[F]]
// CHECK: %[[WT:.*]] = linalg.transpose ins(%arg1
// CHECK: %[[B:.*]] = qt.quantize %[[WT]] in <backward>
// CHECK: qt.matmul %{{.*}}, %[[B]]
func.func @main(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16>, %dy: tensor<16x16xbf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %qx = qt.quantize %x in <forward> : tensor<16x16xbf16> to !qt.tensor<16x16xbf16, #s>
  %qw = qt.quantize %w in <forward> : tensor<16x16xbf16> to !qt.tensor<16x16xbf16, #s>
  %y = qt.matmul %qx, %qw : !qt.tensor<16x16xbf16, #s>, !qt.tensor<16x16xbf16, #s> -> tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xbf16>
  %wt = linalg.transpose ins(%w : tensor<16x16xbf16>) outs(%e : tensor<16x16xbf16>) permutation = [1, 0]
  %qdy = qt.quantize %dy in <backward> : tensor<16x16xbf16> to !qt.tensor<16x16xbf16, #s>
  %qwt = qt.quantize %wt in <backward> : tensor<16x16xbf16> to !qt.tensor<16x16xbf16, #s>
  %dx = qt.matmul %qdy, %qwt : !qt.tensor<16x16xbf16, #s>, !qt.tensor<16x16xbf16, #s> -> tensor<16x16xf32>
  return %y, %dx : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// An activation that nothing else keeps crosses as codes, quantized beside the forward half's in the orientation that
// the wgrad reads. (An exponential of a value that is not there later cannot be computed again.)

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2112 of 4096,
// CHECK-SAME: <<early, kept = 2112, read = 0, written = 2112> over [<again, kept = 4096, read = 4096, written = 2112>], location = {{.*}}, type = tensor<64x32xbf16>>
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: qt.quantize %[[X]] in <forward>
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]]
// CHECK: %[[QXT:.*]] = qt.quantize %[[XT]] in <forward> : tensor<32x64xbf16>
// CHECK: qt.matmul
// CHECK-NOT: %[[X]]
// CHECK: qt.matmul %{{.*}}, %[[QXT]]
func.func @main(%h: tensor<64x32xbf16>, %w: tensor<8x32xbf16>, %dyt: tensor<8x64xbf16>) -> (tensor<64x8xf32>, tensor<8x32xf32>) {
  %e = tensor.empty() : tensor<64x32xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x32xbf16>) outs(%e : tensor<64x32xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %r = arith.addf %v, %o : bf16
    linalg.yield %r : bf16
  } -> tensor<64x32xbf16>
  %qx = qt.quantize %g in <forward> : tensor<64x32xbf16> to !qt.tensor<64x32xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<64x32xbf16, #m>, !qt.tensor<8x32xbf16, #m> -> tensor<64x8xf32>
  %et = tensor.empty() : tensor<32x64xbf16>
  %gt = linalg.transpose ins(%g : tensor<64x32xbf16>) outs(%et : tensor<32x64xbf16>) permutation = [1, 0]
  %qdyt = qt.quantize %dyt in <backward> : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #m>
  %qxt = qt.quantize %gt in <backward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %dw = qt.matmul %qdyt, %qxt : !qt.tensor<8x64xbf16, #m>, !qt.tensor<32x64xbf16, #m> -> tensor<8x32xf32>
  return %y, %dw : tensor<64x8xf32>, tensor<8x32xf32>
}

// -----

// All uses are seen at once: the backward half reads the forward half's orientation again and the other one. Per tensor one
// tensor of codes serves all; two would be as much as the value.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 1028 of 2048,
// CHECK-SAME: <<transposed, kept = 1028, read = 1028, written = 1028> over [<again, kept = 2048, read = 4096, written = 2056>]
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} in <forward>
// CHECK-NOT: qt.quantize %{{.*}} in <backward>
// CHECK: %[[T:.*]] = qt.transpose %[[Q]]
// CHECK: qt.matmul %[[T]], %[[Q]]
func.func @main(%h: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %qb = qt.quantize %x in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qt, %qb : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  return %y, %d : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Where a recipe requantizes, the first codes are kept, and nothing is quantized a second time from high precision.

#r = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#c = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
#p = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 1152 of 2048,
// CHECK-SAME: <<shared, kept = 1152, read = 0, written = 0> over [<again, kept = 2048, read = 2048, written = 1152>]
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} in <forward>
// CHECK: %[[T:.*]] = qt.transpose %[[Q]]
// CHECK: qt.requantize %[[T]] in <backward>
// CHECK-NOT: qt.quantize
func.func @main(%h: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #r>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #r>, !qt.tensor<32x32xbf16, #r> -> tensor<32x32xf32>
  %q2 = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #r>
  %t = qt.transpose %q2 permutation = [1, 0] : !qt.tensor<32x32xbf16, #r> -> !qt.tensor<32x32xbf16, #c>
  %k = qt.requantize %t in <backward> : !qt.tensor<32x32xbf16, #c> to !qt.tensor<32x32xbf16, #p>
  %d = qt.matmul %k, %k : !qt.tensor<32x32xbf16, #p>, !qt.tensor<32x32xbf16, #p> -> tensor<32x32xf32>
  return %y, %d : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Inference has no halves: nothing is kept.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0, read = 8192 of 8192, written = 2056 of 2056, [<<single, kept = 0, read = 4096, written = 1028>, location = {{[^,]*}}, type = tensor<32x32xbf16>>, <<single,
func.func @main(%h: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xf32> {
  %x = math.exp %h : tensor<32x32xbf16>
  %qx = qt.quantize %x : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %qw = qt.quantize %w : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// -----

// A program without quantizers has an empty plan.

// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0, read = 0 of 0, written = 0 of 0>
func.func @main(%x: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  return %x : tensor<32x32xbf16>
}
