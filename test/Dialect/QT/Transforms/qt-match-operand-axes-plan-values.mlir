// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s
//
// Values that are there behind the border anyway, or cheaper to keep than codes: these are quantized there.

// Another reader behind the border keeps the value: it is quantized from that.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2048 of 2048,
// CHECK-SAME: <<again, kept = 0,
// CHECK: %[[X:.*]] = math.exp
// CHECK-COUNT-2: in <forward>
// CHECK-NOT: in <forward>
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]]
// CHECK: qt.quantize %[[XT]] in <backward>
func.func @main(%h: tensor<32x32xbf16>, %w: tensor<32x32xbf16>, %dyt: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qdyt = qt.quantize %dyt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %qxt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %dw = qt.matmul %qdyt, %qxt : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  %other = arith.mulf %xt, %xt : tensor<32x32xbf16>
  return %y, %dw, %other : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>
}

// -----

// So does the function that returns it.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0,
// CHECK-SAME: <<again, kept = 0,
func.func @main(%h: tensor<32x32xbf16>, %w: tensor<32x32xbf16>, %dyt: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qdyt = qt.quantize %dyt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %qxt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %dw = qt.matmul %qdyt, %qxt : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  return %y, %dw, %x : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xbf16>
}

// -----

// Codes are not kept where they are more than the value: two orientations of 8-bit blocks are 2112 bytes, the value 2048.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2048 of 2048,
// CHECK-SAME: <<again, kept = 2048, read = 2048, written = 2112> over [<early, kept = 2112, read = 0, written = 1056>]
// CHECK-COUNT-1: in <forward>
// CHECK-COUNT-2: in <backward>
func.func @main(%h: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %qb = qt.quantize %x in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #m>
  %d = qt.matmul %qt, %qb : !qt.tensor<32x32xbf16, #m>, !qt.tensor<32x32xbf16, #m> -> tensor<32x32xf32>
  return %y, %d : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Where a recipe requantizes and the value is there anyway, both quantizations belong to the backward half, where common
// subexpression elimination leaves them.

#r = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#c = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
#p = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0,
// CHECK-SAME: <<again, kept = 0, read = 2048, written = 1152> over [<shared, kept = 1152, read = 0, written = 0>]
// CHECK: qt.quantize %arg0 in <forward>
// CHECK: %[[Q:.*]] = qt.quantize %arg0 in <backward>
// CHECK: %[[T:.*]] = qt.transpose %[[Q]]
// CHECK: qt.requantize %[[T]] in <backward>
func.func @main(%x: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #r>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #r>, !qt.tensor<32x32xbf16, #r> -> tensor<32x32xf32>
  %q2 = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #r>
  %t = qt.transpose %q2 permutation = [1, 0] : !qt.tensor<32x32xbf16, #r> -> !qt.tensor<32x32xbf16, #c>
  %k = qt.requantize %t in <backward> : !qt.tensor<32x32xbf16, #c> to !qt.tensor<32x32xbf16, #p>
  %d = qt.matmul %k, %k : !qt.tensor<32x32xbf16, #p>, !qt.tensor<32x32xbf16, #p> -> tensor<32x32xf32>
  return %y, %d : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Must not move: a slice whose offset is known in the backward half only. Its value is kept, as it was.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2048 of 2048,
// CHECK-COUNT-1: in <forward>
// CHECK: qt.quantize %{{.*}} in <backward>
func.func @main(%h: tensor<32x32xbf16>, %ids: tensor<4xindex>) -> (tensor<32x32xf32>, tensor<16x16xf32>) {
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %c0 = arith.constant 0 : index
  %i = tensor.extract %ids[%c0] : tensor<4xindex>
  %slice = tensor.extract_slice %x[%i, 0] [16, 32] [1, 1] : tensor<32x32xbf16> to tensor<16x32xbf16>
  %qb = qt.quantize %slice in <backward> : tensor<16x32xbf16> to !qt.tensor<16x32xbf16, #s>
  %d = qt.matmul %qb, %qb : !qt.tensor<16x32xbf16, #s>, !qt.tensor<16x32xbf16, #s> -> tensor<16x16xf32>
  return %y, %d : tensor<32x32xf32>, tensor<16x16xf32>
}
