// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// A training step of one linear layer: three products over x, w and the gradient. No names are read; the loss tells
// which of the three is forward.

// CHECK-LABEL: @main
// CHECK: linalg.contract
// CHECK-SAME: qt.gemm = #qt.gemm<fprop>, qt.half = #qt.half<forward>, qt.layer = #qt.layer<0, 0>,
// CHECK-SAME: qt.linear = #qt.linear<0, argument = 1, sums = [1]>, qt.roles = #qt.roles<activation, weight>,
// CHECK-SAME: qt.site = #qt.site<linear>
// CHECK: linalg.contract
// CHECK-SAME: qt.gemm = #qt.gemm<dgrad>, qt.half = #qt.half<backward>, qt.layer = #qt.layer<0, 0>,
// CHECK-SAME: qt.linear = #qt.linear<0, argument = 1, sums = [1]>, qt.roles = #qt.roles<gradient, weight>,
// CHECK-SAME: qt.site = #qt.site<linear>
// CHECK: linalg.contract
// CHECK-SAME: qt.gemm = #qt.gemm<wgrad>, qt.half = #qt.half<backward>, qt.layer = #qt.layer<0, 0>,
// CHECK-SAME: qt.linear = #qt.linear<0, argument = 1, sums = [1]>, qt.roles = #qt.roles<gradient, activation>,
// CHECK-SAME: qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
func.func @main(%x: tensor<3x8xf32>, %w: tensor<5x8xf32>, %scalar: tensor<f32>, %y0: tensor<3x5xf32>,
                %dx0: tensor<3x8xf32>, %dw0: tensor<5x8xf32>, %wt0: tensor<8x5xf32>, %gt0: tensor<5x3xf32>,
                %xt0: tensor<8x3xf32>) -> (tensor<f32>, tensor<3x8xf32>, tensor<5x8xf32>) {
  %y = linalg.contract indexing_maps = #mm ins(%x, %w : tensor<3x8xf32>, tensor<5x8xf32>) outs(%y0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %loss = linalg.reduce { arith.addf } ins(%y : tensor<3x5xf32>) outs(%scalar : tensor<f32>) dimensions = [0, 1]
  %g = math.tanh %y : tensor<3x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x8xf32>) outs(%wt0 : tensor<8x5xf32>) permutation = [1, 0]
  %dx = linalg.contract indexing_maps = #mm ins(%g, %wt : tensor<3x5xf32>, tensor<8x5xf32>) outs(%dx0 : tensor<3x8xf32>) -> tensor<3x8xf32>
  %gt = linalg.transpose ins(%g : tensor<3x5xf32>) outs(%gt0 : tensor<5x3xf32>) permutation = [1, 0]
  %xt = linalg.transpose ins(%x : tensor<3x8xf32>) outs(%xt0 : tensor<8x3xf32>) permutation = [1, 0]
  %dw = linalg.contract indexing_maps = #mm ins(%gt, %xt : tensor<5x3xf32>, tensor<8x3xf32>) outs(%dw0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<3x8xf32>, tensor<5x8xf32>
}
