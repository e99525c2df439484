// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s
// RUN: fp8-opt %s --qt-match-operand-axes --cse --qt-hoist-quantization --split-input-file | FileCheck %s --check-prefix=HOIST

// What only moves elements of values that are there anyway is there too: it is moved again behind the border, marked so that
// nothing takes the first one instead. Above it the codes of the weights are none that are kept.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 8192, read = 24576 of 24576,
// CHECK-SAME: <<again, kept = 0, read = 8192, written = 4224> over [<early, kept = 4224, read = 0, written = 4224>], location = {{[^,]*}}, type = tensor<64x64xbf16>>
// CHECK: %[[W:.*]] = tensor.concat
// CHECK: qt.matmul
// CHECK-NOT: %[[W]]
// CHECK: %[[A:.*]] = tensor.concat dim(0) %arg1, %arg2 {qt.half = #qt.half<backward>}
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[A]]
// CHECK: qt.quantize %[[T]] in <backward>
// HOIST-LABEL: func.func @main
// HOIST: qt.matmul
// HOIST-NOT: concat
// HOIST-DAG: qt.quantize %arg1 in <backward>
// HOIST-DAG: qt.quantize %arg2 in <backward>
// HOIST: qt.concat
func.func @main(%x: tensor<32x64xbf16>, %w1: tensor<32x64xbf16>, %w2: tensor<32x64xbf16>, %dy: tensor<32x64xbf16>)
    -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %w = tensor.concat dim(0) %w1, %w2 : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<64x64xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<64x64xbf16>
  %wt = linalg.transpose ins(%w : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dy in <backward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qt = qt.quantize %wt in <backward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  return %y, %d : tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

// A repeated value is quantized as what is repeated.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<again, kept = 0, read = 16384, written = 8448> over [<early, kept = 8448, read = 0, written = 8448>], location = {{[^,]*}}, type = tensor<2x64x64xbf16>>
// CHECK: qt.matmul
// CHECK: %[[A:.*]] = linalg.broadcast ins(%arg0 {{.*}} {qt.half = #qt.half<backward>}
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[A]]
// CHECK: qt.quantize %[[T]] in <backward>
// HOIST-LABEL: func.func @main
// HOIST: qt.matmul
// HOIST-NOT: linalg.broadcast
// HOIST: qt.quantize {{.*}} in <backward> : tensor<64x64xbf16>
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<2x32x64xbf16>, %dy: tensor<2x32x64xbf16>)
    -> (tensor<2x64x32xf32>, tensor<2x32x64xf32>) {
  %e = tensor.empty() : tensor<2x64x64xbf16>
  %b = linalg.broadcast ins(%x : tensor<64x64xbf16>) outs(%e : tensor<2x64x64xbf16>) dimensions = [0]
  %qx = qt.quantize %b in <forward> : tensor<2x64x64xbf16> to !qt.tensor<2x64x64xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<2x32x64xbf16> to !qt.tensor<2x32x64xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<2x64x64xbf16, #m>, !qt.tensor<2x32x64xbf16, #m> -> tensor<2x64x32xf32>
  %bt = linalg.transpose ins(%b : tensor<2x64x64xbf16>) outs(%e : tensor<2x64x64xbf16>) permutation = [0, 2, 1]
  %qd = qt.quantize %dy in <backward> : tensor<2x32x64xbf16> to !qt.tensor<2x32x64xbf16, #m>
  %qt = qt.quantize %bt in <backward> : tensor<2x64x64xbf16> to !qt.tensor<2x64x64xbf16, #m>
  %d = qt.matmul %qd, %qt : !qt.tensor<2x32x64xbf16, #m>, !qt.tensor<2x64x64xbf16, #m> -> tensor<2x32x64xf32>
  return %y, %d : tensor<2x64x32xf32>, tensor<2x32x64xf32>
}

// -----

// Weights of which masters are joined, then rounded: rounded again, from the masters.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<recomputed, kept = 0, read = 24576, written = 12416> over [<again, kept = 8192,
// CHECK: qt.matmul
// CHECK: %[[A:.*]] = tensor.concat dim(0) %arg1, %arg2 {qt.half = #qt.half<backward>}
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[A]] {{.*}} attrs = {qt.half = #qt.half<backward>}
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]]
// CHECK: qt.quantize %[[T]] in <backward>
func.func @main(%x: tensor<32x64xbf16>, %w1: tensor<32x64xf32>, %w2: tensor<32x64xf32>, %dy: tensor<32x64xbf16>)
    -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %m = tensor.concat dim(0) %w1, %w2 : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<64x64xf32>) outs(%e : tensor<64x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  %wt = linalg.transpose ins(%w : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dy in <backward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qt = qt.quantize %wt in <backward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  return %y, %d : tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

// Must not fire: a part of the concatenation is not there behind the border.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<early, kept = 4224, read = 0, written = 4224> over [<again, kept = 8192,
// CHECK-NOT: qt.half =
func.func @main(%x: tensor<32x64xbf16>, %w1: tensor<32x64xbf16>, %w2: tensor<32x64xbf16>, %dy: tensor<32x64xbf16>)
    -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %s = math.exp %w2 : tensor<32x64xbf16>
  %w = tensor.concat dim(0) %w1, %s : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<64x64xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<64x64xbf16>
  %wt = linalg.transpose ins(%w : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dy in <backward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qt = qt.quantize %wt in <backward> : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #m>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x64xbf16, #m>, !qt.tensor<64x64xbf16, #m> -> tensor<32x64xf32>
  return %y, %d : tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

// Each part of a concatenation may be computed again in as many ops as a value.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<recomputed, kept = 0, read = 73728, written = 37248> over [<again, kept = 24576,
// CHECK: qt.matmul
// CHECK: tensor.concat {{.*}} {qt.half = #qt.half<backward>}
func.func @main(%x: tensor<32x64xbf16>, %w0: tensor<32x64xf32>, %w1: tensor<32x64xf32>, %w2: tensor<32x64xf32>, %w3: tensor<32x64xf32>, %w4: tensor<32x64xf32>, %w5: tensor<32x64xf32>,
                %dy: tensor<32x192xbf16>) -> (tensor<32x192xf32>, tensor<32x64xf32>) {
  %e = tensor.empty() : tensor<32x64xbf16>
  %v0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w0 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %v1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w1 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %v2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w2 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %v3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w3 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %v4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w4 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %v5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w5 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  %w = tensor.concat dim(0) %v0, %v1, %v2, %v3, %v4, %v5
      : (tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<192x64xbf16>
  %qx = qt.quantize %x in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #m>
  %qw = qt.quantize %w in <forward> : tensor<192x64xbf16> to !qt.tensor<192x64xbf16, #m>
  %y = qt.matmul %qx, %qw : !qt.tensor<32x64xbf16, #m>, !qt.tensor<192x64xbf16, #m> -> tensor<32x192xf32>
  %et = tensor.empty() : tensor<64x192xbf16>
  %wt = linalg.transpose ins(%w : tensor<192x64xbf16>) outs(%et : tensor<64x192xbf16>) permutation = [1, 0]
  %qd = qt.quantize %dy in <backward> : tensor<32x192xbf16> to !qt.tensor<32x192xbf16, #m>
  %qt = qt.quantize %wt in <backward> : tensor<64x192xbf16> to !qt.tensor<64x192xbf16, #m>
  %d = qt.matmul %qd, %qt : !qt.tensor<32x192xbf16, #m>, !qt.tensor<64x192xbf16, #m> -> tensor<32x64xf32>
  return %y, %d : tensor<32x192xf32>, tensor<32x64xf32>
}
