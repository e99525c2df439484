// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Roles of operands, and which products are of one linear.

// The weight is operand a of the fprop, the gradient operand b of the dgrad and of the wgrad.
// CHECK-LABEL: module @operands_may_stand_in_any_order
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<weight, activation>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}roles<weight, gradient>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}roles<activation, gradient>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @operands_may_stand_in_any_order {
  func.func @main(%x: !t, %w: !t {qt.role = #qt.role<weight>}, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%w, %a : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%w_t, %g_t : !t, !t) outs(%z : !t) -> !t
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%a_t, %g : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// Both operands are arguments: the one that meets the gradient in the wgrad is the activation.
// CHECK-LABEL: module @input_that_is_an_argument
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<weight, activation>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}roles<activation, gradient>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @input_that_is_an_argument {
  func.func @main(%w: !t, %x: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %y = linalg.contract indexing_maps = #mm ins(%w, %x : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%x_t, %g : !t, !t) outs(%z : !t) -> !t
    return %loss, %dw : tensor<f32>, !t
  }
}

// -----

// Both operands are arguments and there is no gradient: tokens have two dimensions, a weight one.
// CHECK-LABEL: module @input_with_more_free_dimensions
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 0, sums = [1]>{{.*}}roles<weight, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @input_with_more_free_dimensions {
  func.func @main(%w: !t, %x: tensor<2x2x4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x2x4xf32> into !t
    %y = linalg.contract indexing_maps = #mm ins(%w, %x2 : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Two uses of a weight over one axis are one linear; over the other axis they are another.
// CHECK-LABEL: module @shared_weight
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1, sums = [1]>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1, sums = [1]>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<1, argument = 1, sums = [0]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @shared_weight {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %b = math.tanh %y : !t
    %z1 = linalg.contract indexing_maps = #mm ins(%b, %w : !t, !t) outs(%z : !t) -> !t
    %c = math.tanh %z1 : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %u = linalg.contract indexing_maps = #mm ins(%c, %w_t : !t, !t) outs(%z : !t) -> !t
    return %u : !t
  }
}

// -----

// The summed axis joins two axes of the argument; the others are another linear's.
// CHECK-LABEL: module @weight_of_joined_axes
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1, sums = [0, 2]>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<1, argument = 1, sums = [1]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @weight_of_joined_axes {
  func.func @main(%x: !t, %w: tensor<2x4x2xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %e = tensor.empty() : tensor<4x2x2xf32>
    %p = linalg.transpose ins(%w : tensor<2x4x2xf32>) outs(%e : tensor<4x2x2xf32>) permutation = [1, 0, 2]
    %v = tensor.collapse_shape %p [[0], [1, 2]] : tensor<4x2x2xf32> into !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %v : !t, !t) outs(%z : !t) -> !t
    %b = math.tanh %y : !t
    %v_t = linalg.transpose ins(%v : !t) outs(%z : !t) permutation = [1, 0]
    %u = linalg.contract indexing_maps = #mm ins(%b, %v_t : !t, !t) outs(%z : !t) -> !t
    return %u : !t
  }
}

// -----

// Halves of one axis are told apart: the sums name the axis, the linears differ.
// CHECK-LABEL: module @weight_of_split_axes
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1, sums = [0]>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<1, argument = 1, sums = [0]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @weight_of_split_axes {
  func.func @main(%x: tensor<3x2xf32>, %w: tensor<4x5xf32>, %z: !t, %s: tensor<f32>) -> (tensor<3x10xf32>, tensor<3x10xf32>) {
    %a = math.tanh %x : tensor<3x2xf32>
    %v = tensor.expand_shape %w [[0, 1], [2]] output_shape [2, 2, 5] : tensor<4x5xf32> into tensor<2x2x5xf32>
    %e = tensor.empty() : tensor<2x5x2xf32>
    %e2 = tensor.empty() : tensor<3x10xf32>
    %outer = linalg.transpose ins(%v : tensor<2x2x5xf32>) outs(%e : tensor<2x5x2xf32>) permutation = [1, 2, 0]
    %inner = linalg.transpose ins(%v : tensor<2x2x5xf32>) outs(%e : tensor<2x5x2xf32>) permutation = [0, 2, 1]
    %o = tensor.collapse_shape %outer [[0, 1], [2]] : tensor<2x5x2xf32> into tensor<10x2xf32>
    %i = tensor.collapse_shape %inner [[0, 1], [2]] : tensor<2x5x2xf32> into tensor<10x2xf32>
    %y = linalg.contract indexing_maps = #mm ins(%a, %o : tensor<3x2xf32>, tensor<10x2xf32>) outs(%e2 : tensor<3x10xf32>) -> tensor<3x10xf32>
    %u = linalg.contract indexing_maps = #mm ins(%a, %i : tensor<3x2xf32>, tensor<10x2xf32>) outs(%e2 : tensor<3x10xf32>) -> tensor<3x10xf32>
    return %y, %u : tensor<3x10xf32>, tensor<3x10xf32>
  }
}

// -----

// Neither operand is an argument: the gradient of operand a is the dgrad.
// CHECK-LABEL: module @without_weight_operand_b_counts_as_one
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0>{{.*}}roles<activation, activation>, qt.site = #qt.site<other>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}linear<0>{{.*}}roles<gradient, activation>, qt.site = #qt.site<other>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}linear<0>{{.*}}roles<gradient, activation>, qt.site = #qt.site<other>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @without_weight_operand_b_counts_as_one {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %b = math.sin %w : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %b : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %b_t = linalg.transpose ins(%b : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %b_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// The wgrad reads an input that no fprop reads, here doubled; it meets the gradient that only one dgrad meets.
// CHECK-LABEL: module @wgrad_joins_by_the_gradient_of_its_dgrad
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0,
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}linear<0,
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}linear<0,
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @wgrad_joins_by_the_gradient_of_its_dgrad {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.sin %y : !t
    %b = arith.addf %a, %a : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %b_t = linalg.transpose ins(%b : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %b_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// Two linears read one input and have no dgrad. The gradient of each comes from the product that its result went into.
// CHECK-LABEL: module @competing_fprops_are_told_by_their_consumers
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<1, argument = 2
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<2, argument = 3
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<3, argument = 4
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}linear<3,
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}linear<2,
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}linear<1,
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}linear<0,
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @competing_fprops_are_told_by_their_consumers {
  func.func @main(%x: !t, %w: !t, %v: !t, %p: !t, %q: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %u = linalg.contract indexing_maps = #mm ins(%a, %v : !t, !t) outs(%z : !t) -> !t
    %y1 = math.tanh %y : !t
    %u1 = math.tanh %u : !t
    %c = linalg.contract indexing_maps = #mm ins(%y1, %p : !t, !t) outs(%z : !t) -> !t
    %d = linalg.contract indexing_maps = #mm ins(%u1, %q : !t, !t) outs(%z : !t) -> !t
    %e = arith.mulf %c, %d : !t
    %loss = linalg.reduce { arith.addf } ins(%e : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %gc = math.sin %c : !t
    %gd = math.sin %d : !t
    %q_t = linalg.transpose ins(%q : !t) outs(%z : !t) permutation = [1, 0]
    %gu1 = linalg.contract indexing_maps = #mm ins(%gd, %q_t : !t, !t) outs(%z : !t) -> !t
    %p_t = linalg.transpose ins(%p : !t) outs(%z : !t) permutation = [1, 0]
    %gy1 = linalg.contract indexing_maps = #mm ins(%gc, %p_t : !t, !t) outs(%z : !t) -> !t
    %gu = arith.mulf %gu1, %u1 : !t
    %gy = arith.mulf %gy1, %y1 : !t
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %gu_t = linalg.transpose ins(%gu : !t) outs(%z : !t) permutation = [1, 0]
    %dv = linalg.contract indexing_maps = #mm ins(%gu_t, %a_t : !t, !t) outs(%z : !t) -> !t
    %gy_t = linalg.transpose ins(%gy : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%gy_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dw, %dv : tensor<f32>, !t, !t
  }
}

// -----

// Two inputs that want no gradient pass one weight: each use has its wgrad, and none has a dgrad.
// CHECK-LABEL: module @shared_without_dgrad
// CHECK-COUNT-2: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 2
// CHECK-COUNT-2: contract{{.*}}gemm<wgrad>{{.*}}linear<0, argument = 2{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @shared_without_dgrad {
  func.func @main(%x: !t, %v: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %a = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %b = linalg.contract indexing_maps = #mm ins(%v, %w : !t, !t) outs(%z : !t) -> !t
    %e = arith.mulf %a, %b : !t
    %loss = linalg.reduce { arith.addf } ins(%e : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %b_t = linalg.transpose ins(%b : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw0 = linalg.contract indexing_maps = #mm ins(%b_t, %x_t : !t, !t) outs(%z : !t) -> !t
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %v_t = linalg.transpose ins(%v : !t) outs(%z : !t) permutation = [1, 0]
    %dw1 = linalg.contract indexing_maps = #mm ins(%a_t, %v_t : !t, !t) outs(%z : !t) -> !t
    %dw = arith.addf %dw0, %dw1 : !t
    return %loss, %dw : tensor<f32>, !t
  }
}
