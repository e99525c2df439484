// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// A loop over steps holds both halves: it is planned inside, for one time through it, and the plan says so. What the loop
// carries is there anyway.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 1028 of 2048,
// CHECK-SAME: <<early, kept = 1028, {{.*}}>], location = {{[^,]*}}, type = tensor<32x32xbf16>, nested = unit>, <<again, kept = 0,
// CHECK: scf.for
// CHECK-COUNT-3: in <forward>
// CHECK: qt.matmul
// CHECK-NOT: in <forward>
// CHECK: in <backward>
// CHECK: scf.yield
func.func @main(%w: tensor<32x32xbf16>, %n: index) -> tensor<32x32xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<32x32xbf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %w) -> tensor<32x32xbf16> {
    %x = math.exp %v : tensor<32x32xbf16>
    %qx = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %qv = qt.quantize %v in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %y = qt.matmul %qx, %qv : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xbf16>
    %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
    %vt = linalg.transpose ins(%v : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
    %qxt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %qvt = qt.quantize %vt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %d = qt.matmul %qxt, %qvt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xbf16>
    scf.yield %d : tensor<32x32xbf16>
  }
  return %r : tensor<32x32xbf16>
}

// -----

// A forward loop stacks what a backward loop reads: what crosses between the loops is the stack and the last value. Nothing moves out of a loop.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 10240 of 10240,
// CHECK-SAME: [<<single, {{.*}}nested = unit>, <<single, {{.*}}nested = unit>]
// CHECK: scf.for
// CHECK: qt.quantize %{{.*}} in <forward>
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: qt.quantize %{{.*}} in <backward>
// CHECK: scf.yield
func.func @main(%w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<32x32xbf16>
  %stack = tensor.empty() : tensor<4x32x32xbf16>
  %f:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %w, %st = %stack) -> (tensor<32x32xbf16>, tensor<4x32x32xbf16>) {
    %q = qt.quantize %v in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xbf16>
    %in = tensor.insert_slice %v into %st[%i, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<32x32xbf16> into tensor<4x32x32xbf16>
    scf.yield %y, %in : tensor<32x32xbf16>, tensor<4x32x32xbf16>
  }
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %f#0) -> tensor<32x32xbf16> {
    %v = tensor.extract_slice %f#1[%i, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<4x32x32xbf16> to tensor<32x32xbf16>
    %q = qt.quantize %v in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xbf16>
    scf.yield %y : tensor<32x32xbf16>
  }
  return %r : tensor<32x32xbf16>
}

// -----

// A quantizer inside a loop behind the border reads the value itself, which is therefore there.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2048 of 2048,
// CHECK-SAME: <<again, kept = 0,
func.func @main(%h: tensor<32x32xbf16>, %n: index) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xbf16>
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qt, %qt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> tensor<32x32xf32> {
    %1 = qt.quantize %x in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
    %2 = qt.matmul %1, %1 plus %sum : tensor<32x32xf32> : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
    scf.yield %2 : tensor<32x32xf32>
  }
  return %y, %d, %r : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Slices: of an argument they are there anyway; of another value each is kept by itself, as far as it is read.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 516 of 1024,
// CHECK-SAME: [<<again, kept = 0,
// CHECK-SAME: type = tensor<16x32xbf16>>, <<early, kept = 516,
// CHECK-SAME: type = tensor<16x32xbf16>>]
func.func @main(%w: tensor<32x32xbf16>, %h: tensor<32x32xbf16>) -> (tensor<16x16xf32>, tensor<32x32xf32>) {
  %e = tensor.empty() : tensor<32x16xbf16>
  %x = math.exp %h : tensor<32x32xbf16>
  %ws = tensor.extract_slice %w[0, 0] [16, 32] [1, 1] : tensor<32x32xbf16> to tensor<16x32xbf16>
  %xs = tensor.extract_slice %x[8, 0] [16, 32] [1, 1] : tensor<32x32xbf16> to tensor<16x32xbf16>
  %qw = qt.quantize %ws in <forward> : tensor<16x32xbf16> to !qt.tensor<16x32xbf16, #s>
  %qx = qt.quantize %xs in <forward> : tensor<16x32xbf16> to !qt.tensor<16x32xbf16, #s>
  %y = qt.matmul %qx, %qw : !qt.tensor<16x32xbf16, #s>, !qt.tensor<16x32xbf16, #s> -> tensor<16x16xf32>
  %wt = linalg.transpose ins(%ws : tensor<16x32xbf16>) outs(%e : tensor<32x16xbf16>) permutation = [1, 0]
  %xt = linalg.transpose ins(%xs : tensor<16x32xbf16>) outs(%e : tensor<32x16xbf16>) permutation = [1, 0]
  %qwt = qt.quantize %wt in <backward> : tensor<32x16xbf16> to !qt.tensor<32x16xbf16, #s>
  %qxt = qt.quantize %xt in <backward> : tensor<32x16xbf16> to !qt.tensor<32x16xbf16, #s>
  %d = qt.matmul %qxt, %qwt : !qt.tensor<32x16xbf16, #s>, !qt.tensor<32x16xbf16, #s> -> tensor<32x32xf32>
  return %y, %d : tensor<16x16xf32>, tensor<32x32xf32>
}

// -----

// Dynamic sizes count as 1, and so do not let scales outweigh codes.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 264 of 512,
// CHECK-SAME: <<early, kept = 264, read = 0, written = 264> over [<again, kept = 512,
// CHECK: %[[D:.*]] = tensor.dim
// CHECK: %[[E:.*]] = tensor.empty(%[[D]])
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}}) outs(%[[E]]
// CHECK: qt.quantize %[[T]] in <forward> : tensor<256x?xbf16>
func.func @main(%h: tensor<?x256xbf16>) -> (tensor<?x?xf32>, tensor<256x256xf32>) {
  %c0 = arith.constant 0 : index
  %x = math.exp %h : tensor<?x256xbf16>
  %q = qt.quantize %x in <forward> : tensor<?x256xbf16> to !qt.tensor<?x256xbf16, #m>
  %y = qt.matmul %q, %q : !qt.tensor<?x256xbf16, #m>, !qt.tensor<?x256xbf16, #m> -> tensor<?x?xf32>
  %d = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %e = tensor.empty(%d) : tensor<256x?xbf16>
  %xt = linalg.transpose ins(%x : tensor<?x256xbf16>) outs(%e : tensor<256x?xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<256x?xbf16> to !qt.tensor<256x?xbf16, #m>
  %p = qt.matmul %qt, %qt : !qt.tensor<256x?xbf16, #m>, !qt.tensor<256x?xbf16, #m> -> tensor<256x256xf32>
  return %y, %p : tensor<?x?xf32>, tensor<256x256xf32>
}

// -----

// A product of the forward half behind the border is planned as one of the backward half: it shares with those before only
// where the plan keeps their codes.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 1028 of 2048,
// CHECK-SAME: <<transposed, kept = 1028,
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} in <forward>
// CHECK-NOT: qt.quantize
// CHECK: %[[T:.*]] = qt.transpose %[[Q]]
// CHECK: qt.matmul %[[T]], %[[T]]
// CHECK: qt.matmul %[[Q]], %[[Q]]
func.func @main(%h: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %e = tensor.empty() : tensor<32x32xbf16>
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qt, %qt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %q2 = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y2 = qt.matmul %q2, %q2 : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  return %y, %d, %y2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Must not share: two orientations of blocks along a dimension are more than the value, which is kept.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 2048 of 2048,
// CHECK-SAME: <<again, kept = 2048,
// CHECK: qt.quantize %{{.*}} in <forward>
// CHECK: qt.quantize %{{.*}} in <backward>
// CHECK: qt.quantize %{{.*}} in <backward>
func.func @main(%h: tensor<32x32xbf16>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %e = tensor.empty() : tensor<32x32xbf16>
  %x = math.exp %h : tensor<32x32xbf16>
  %q = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y = qt.matmul %q, %q : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %xt = linalg.transpose ins(%x : tensor<32x32xbf16>) outs(%e : tensor<32x32xbf16>) permutation = [1, 0]
  %qt = qt.quantize %xt in <backward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %d = qt.matmul %qt, %qt : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  %q2 = qt.quantize %x in <forward> : tensor<32x32xbf16> to !qt.tensor<32x32xbf16, #s>
  %y2 = qt.matmul %q2, %q2 : !qt.tensor<32x32xbf16, #s>, !qt.tensor<32x32xbf16, #s> -> tensor<32x32xf32>
  return %y, %d, %y2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}
