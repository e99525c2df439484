// RUN: fp8-opt %s --split-input-file --qt-infer-roles --verify-diagnostics | FileCheck %s

// Which block a use of a weight stands in that several blocks share.

// Blocks that share their weights are blocks all the same.
// CHECK-LABEL: module @shared_weights
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @shared_weights {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<4x5xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x5xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%2 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = math.tanh %3 : tensor<3x5xf32>
    %5 = tensor.empty() : tensor<3x4xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%5 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = math.tanh %6 : tensor<3x4xf32>
    %8 = tensor.empty() : tensor<3x5xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%8 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = math.tanh %9 : tensor<3x5xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w2 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x5xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%14 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %16 = math.tanh %15 : tensor<3x5xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w2 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %18 : tensor<3x4xf32>
  }
}

// -----

// The gradients of a shared weight stand where the activation that they belong to is read.
// CHECK-LABEL: module @trained
// CHECK: contract{{.*}}gemm<fprop>{{.*}}layer<0, 0>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}layer<1, 0>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}layer<1, 0>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}layer<0, 0>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}layer<1, 0>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}layer<0, 0>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @trained {
  func.func @main(%x: tensor<3x4xf32>, %w: !t, %dy: tensor<3x4xf32> {qt.role = #qt.role<gradient>}) -> (tensor<3x4xf32>, tensor<3x4xf32>, !t) {
    %z = tensor.empty() : tensor<3x4xf32>
    %f = tensor.empty() : tensor<4x3xf32>
    %e = tensor.empty() : !t
    %a = math.tanh %x : tensor<3x4xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%a, %w : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %b = math.tanh %0 : tensor<3x4xf32>
    %1 = linalg.contract indexing_maps = #mm ins(%b, %w : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %wt = linalg.transpose ins(%w : !t) outs(%e : !t) permutation = [1, 0]
    %2 = linalg.contract indexing_maps = #mm ins(%dy, %wt : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %c = math.cos %0 : tensor<3x4xf32>
    %db = arith.mulf %2, %c : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%db, %wt : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %dyt = linalg.transpose ins(%dy : tensor<3x4xf32>) outs(%f : tensor<4x3xf32>) permutation = [1, 0]
    %bt = linalg.transpose ins(%b : tensor<3x4xf32>) outs(%f : tensor<4x3xf32>) permutation = [1, 0]
    %4 = linalg.contract indexing_maps = #mm ins(%dyt, %bt : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : !t) -> !t
    %dbt = linalg.transpose ins(%db : tensor<3x4xf32>) outs(%f : tensor<4x3xf32>) permutation = [1, 0]
    %at = linalg.transpose ins(%a : tensor<3x4xf32>) outs(%f : tensor<4x3xf32>) permutation = [1, 0]
    %5 = linalg.contract indexing_maps = #mm ins(%dbt, %at : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : !t) -> !t
    %6 = arith.addf %4, %5 : !t
    return %1, %3, %6 : tensor<3x4xf32>, tensor<3x4xf32>, !t
  }
}

// -----

// The dgrads of a shared weight that is frozen read no activation: nothing tells their blocks.
// CHECK-LABEL: module @frozen
// CHECK: contract{{.*}}gemm<fprop>{{.*}}layer<0, 0>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}layer<1, 0>
// CHECK-COUNT-2: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>, qt.linear
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @frozen {
  func.func @main(%x: tensor<3x4xf32>, %w: !t, %dy: tensor<3x4xf32> {qt.role = #qt.role<gradient>}) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %z = tensor.empty() : tensor<3x4xf32>
    %e = tensor.empty() : !t
    %a = math.tanh %x : tensor<3x4xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%a, %w : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %b = math.tanh %0 : tensor<3x4xf32>
    %1 = linalg.contract indexing_maps = #mm ins(%b, %w : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %wt = linalg.transpose ins(%w : !t) outs(%e : !t) permutation = [1, 0]
    // expected-remark @below {{is a dgrad of one of several layers that share a weight: it counts to no block}}
    %2 = linalg.contract indexing_maps = #mm ins(%dy, %wt : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    %c = math.cos %0 : tensor<3x4xf32>
    %db = arith.mulf %2, %c : tensor<3x4xf32>
    // expected-remark @below {{is a dgrad of one of several layers that share a weight: it counts to no block}}
    %3 = linalg.contract indexing_maps = #mm ins(%db, %wt : tensor<3x4xf32>, !t) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %1, %3 : tensor<3x4xf32>, tensor<3x4xf32>
  }
}
