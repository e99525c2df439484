// RUN: fp8-opt %s --split-input-file --verify-diagnostics --qt-infer-roles

// What is told of products whose place is not known.

// A product of two gradients, as an optimizer may have: no role.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @gradients_of_gradients {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.sin %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    // expected-remark@below {{has no role: a product of gradients that belongs to no forward product}}
    %o = linalg.contract indexing_maps = #mm ins(%dw, %dw : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %o : tensor<f32>, !t, !t
  }
}

// -----

// Two linears read one input, there is no dgrad, and their results go the same way: a wgrad of either.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @competing_fprops {
  func.func @main(%x: !t, %w: !t, %v: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %u = linalg.contract indexing_maps = #mm ins(%a, %v : !t, !t) outs(%z : !t) -> !t
    %e = arith.mulf %y, %u : !t
    %loss = linalg.reduce { arith.addf } ins(%e : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %gy = math.sin %u : !t
    %gu = math.sin %y : !t
    %gy_t = linalg.transpose ins(%gy : !t) outs(%z : !t) permutation = [1, 0]
    %gu_t = linalg.transpose ins(%gu : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    // expected-remark@below {{is a wgrad of one of several forward products}}
    %dw = linalg.contract indexing_maps = #mm ins(%gy_t, %a_t : !t, !t) outs(%z : !t) -> !t
    // expected-remark@below {{is a wgrad of one of several forward products}}
    %dv = linalg.contract indexing_maps = #mm ins(%gu_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dw, %dv : tensor<f32>, !t, !t
  }
}

// -----

// No product reads the annotated argument.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @unread_annotation {
  // expected-remark@below {{qt.role of argument 2 changes nothing: no product reads it}}
  func.func @main(%x: !t, %w: !t, %b: !t {qt.role = #qt.role<weight>}, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Nothing tells the weight from the input: the choice is said.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @guess {
  func.func @main(%x: !t, %w: !t, %z: !t, %u: !t) -> (!t, !t) {
    // expected-remark@below {{argument 3 is taken for both weight and activation: it meets itself; qt.role on an argument overrides this}}
    %s = linalg.contract indexing_maps = #mm ins(%u, %u : !t, !t) outs(%z : !t) -> !t
    // expected-remark@below {{argument 1 is taken for the weight, argument 0 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    return %s, %y : !t, !t
  }
}

// -----

// No linear has both gradients, so what meets one may be the input of a step as well as the weight of a program that differentiates its
// input: a guess.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @meets_a_gradient {
  func.func @main(%x: !t, %w: !t, %dy: !t {qt.role = #qt.role<gradient>}) -> (!t, !t) {
    %z = tensor.empty() : !t
    // expected-remark @below {{argument 1 is taken for the weight, argument 0 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %g = linalg.transpose ins(%dy : !t) outs(%z : !t) permutation = [1, 0]
    %t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %d = linalg.contract indexing_maps = #mm ins(%g, %t : !t, !t) outs(%z : !t) -> !t
    return %y, %d : !t, !t
  }
}

// -----

// A buffer of the signature that holds no codes is a state, not said to be a weight; a constant is not one of the parameters.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @state attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"state", buffer>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %state: !t) -> (!t, !t) {
    %z = tensor.empty() : !t
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    // expected-remark @below {{nothing tells whether its weight is what is computed from arguments 0, 1 or argument 2; qt.role on an argument tells it}}
    %y = linalg.contract indexing_maps = #mm ins(%h, %state : !t, !t) outs(%z : !t) -> !t
    %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : !t
    // expected-remark @below {{a constant is taken for the weight, though the signature has parameters; qt.role on an argument overrides this}}
    %u = linalg.contract indexing_maps = #mm ins(%h, %c : !t, !t) outs(%z : !t) -> !t
    return %y, %u : !t, !t
  }
}

// -----

// The linear of a preconditioner is not in the program: there is none if it is a buffer, and else it is a guess.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @preconditioned attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"dy", input>, <"l", buffer>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %dy: !t {qt.role = #qt.role<gradient>}, %l: !t) -> (!t, !t) {
    %z = tensor.empty() : !t
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %g = linalg.transpose ins(%dy : !t) outs(%z : !t) permutation = [1, 0]
    %t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %d = linalg.contract indexing_maps = #mm ins(%g, %t : !t, !t) outs(%z : !t) -> !t
    // expected-remark @below {{has no role: a product of gradients that belongs to no forward product}}
    %p = linalg.contract indexing_maps = #mm ins(%d, %l : !t, !t) outs(%z : !t) -> !t
    return %y, %p : !t, !t
  }
}

// -----

#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @unnamed {
  func.func @main(%x: !t, %w: !t, %dy: !t {qt.role = #qt.role<gradient>}, %l: !t) -> (!t, !t) {
    %z = tensor.empty() : !t
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %g = linalg.transpose ins(%dy : !t) outs(%z : !t) permutation = [1, 0]
    %t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %d = linalg.contract indexing_maps = #mm ins(%g, %t : !t, !t) outs(%z : !t) -> !t
    // expected-remark @below {{argument 3 is taken for the weight of a linear whose forward product is not in the program; qt.role on an argument overrides this}}
    %p = linalg.contract indexing_maps = #mm ins(%d, %l : !t, !t) outs(%z : !t) -> !t
    return %y, %p : !t, !t
  }
}

// -----

// A weight of several heads has more free dimensions than its input, which several weights meet.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!w = tensor<2x4x4xf32>
!n = tensor<8x4xf32>
!y = tensor<4x8xf32>
module @heads {
  func.func @main(%x: tensor<4x4xf32>, %q: !w, %k: !w) -> (!y, !y) {
    %z = tensor.empty() : !y
    %qn = tensor.collapse_shape %q [[0, 1], [2]] : !w into !n
    // expected-remark @below {{argument 1 is taken for the weight, argument 0 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %0 = linalg.contract indexing_maps = #mm ins(%x, %qn : tensor<4x4xf32>, !n) outs(%z : !y) -> !y
    %kn = tensor.collapse_shape %k [[0, 1], [2]] : !w into !n
    // expected-remark @below {{argument 2 is taken for the weight, argument 0 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %1 = linalg.contract indexing_maps = #mm ins(%x, %kn : tensor<4x4xf32>, !n) outs(%z : !y) -> !y
    return %0, %1 : !y, !y
  }
}
