// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Losses, halves, and which of three products is forward.

// Without gradients everything is forward.
// CHECK-LABEL: module @forward_only
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}roles<activation, weight>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @forward_only {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// A second scalar depends on the gradients, so on a whole triangle. The loss is the other, though it comes second.
// CHECK-LABEL: module @gradient_norm_is_no_loss
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @gradient_norm_is_no_loss {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, tensor<f32>, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    %d1 = math.absf %dw : !t
    %d = arith.addf %d1, %dx : !t
    %norm = linalg.reduce { arith.addf } ins(%d : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    return %norm, %loss, %dw : tensor<f32>, tensor<f32>, !t
  }
}

// -----

// No loss is returned: the value opposite to the fprop is computed from it. The order of the products does not matter.
// CHECK-LABEL: module @without_loss_the_gradient_depends_on_the_fprop
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @without_loss_the_gradient_depends_on_the_fprop {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %g = math.tanh %y : !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    return %dw, %dx : !t, !t
  }
}

// -----

// The gradient is an argument, so it depends on nothing: the first result tells.
// CHECK-LABEL: module @without_loss_the_first_result_depends_on_the_fprop
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @without_loss_the_first_result_depends_on_the_fprop {
  func.func @main(%x: !t, %w: !t, %g: !t, %z: !t, %s: tensor<f32>) -> (!t, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %y, %dx, %dw : !t, !t, !t
  }
}

// -----

// No dgrad, so no triangle: the wgrad reads a value that is computed from a product and is not forward.
// CHECK-LABEL: module @frozen_input
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [1]>, qt.roles = #qt.roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @frozen_input {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.sin %y : !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dw : tensor<f32>, !t
  }
}

// -----

// The second product reads what the forward half also computes: a metric, no gradient.
// CHECK-LABEL: module @equal_to_forward_is_no_gradient
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<backward>{{.*}}linear<1, argument = 2
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @equal_to_forward_is_no_gradient {
  func.func @main(%x: !t, %w: !t, %v: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %b = math.sin %y : !t
    %loss = linalg.reduce { arith.addf } ins(%b : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %c = math.sin %y : !t
    %m = linalg.contract indexing_maps = #mm ins(%c, %v : !t, !t) outs(%z : !t) -> !t
    return %loss, %m : tensor<f32>, !t
  }
}

// -----

// No wgrad, and the gradient is an argument: the weight is summed over an axis that no forward product sums.
// CHECK-LABEL: module @frozen_weight
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [1]>, qt.roles = #qt.roles<gradient, weight>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @frozen_weight {
  func.func @main(%x: !t, %w: !t, %g: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx : tensor<f32>, !t
  }
}

// -----

// The weight is summed over the axis that its forward product sums: a second use, no gradient.
// CHECK-LABEL: module @same_axes_are_no_gradient
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @same_axes_are_no_gradient {
  func.func @main(%x: !t, %w: !t, %g: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %m = linalg.contract indexing_maps = #mm ins(%g, %w : !t, !t) outs(%z : !t) -> !t
    return %loss, %m : tensor<f32>, !t
  }
}

// -----

// The product is computed again for the backward half, from an input that only the gradient's loop knows. It is an fprop
// of its linear, and backward.
// CHECK-LABEL: module @recomputed_product
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}linear<0, argument = 1
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @recomputed_product {
  func.func @main(%x: !t, %w: !t, %n: index, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%r = %x) -> (!t) {
      %s1 = math.tanh %r : !t
      scf.yield %s1 : !t
    }
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %h = math.sin %y : !t
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%r = %x) -> (!t) {
      %s1 = math.tanh %r : !t
      scf.yield %s1 : !t
    }
    %y2 = linalg.contract indexing_maps = #mm ins(%b, %w : !t, !t) outs(%z : !t) -> !t
    %y3 = math.sin %y2 : !t
    %g = arith.mulf %h, %y3 : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %b_t = linalg.transpose ins(%b : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %b_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}
