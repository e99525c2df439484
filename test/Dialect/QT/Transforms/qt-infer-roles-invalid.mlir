// RUN: fp8-opt %s --split-input-file --verify-diagnostics --qt-infer-roles

// What is refused, and what is asked for.

// Three products pair three values, and nothing depends on anything.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @open_triangle {
  func.func @main(%x: !t, %w: !t, %g: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    // expected-error@below {{expected exactly one of the three products over three values to be forward, got none that stands out; set qt.role on a function argument that one of them reads, or give one training step at a time}}
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    // expected-note@below {{another of the three products}}
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    // expected-note@below {{another of the three products}}
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    %u = arith.addf %y, %dx : !t
    %v = arith.addf %u, %dw : !t
    return %v : !t
  }
}

// -----

// The annotation contradicts the loss.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @weight_that_is_a_gradient {
  func.func @main(%x: !t, %w: !t, %g: !t {qt.role = #qt.role<weight>}, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    // expected-error@below {{expected role weight for the left operand, as qt.role of argument 2 says, got gradient by the rest of the program}}
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// What the user calls a gradient goes into a forward product.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @gradient_that_is_an_input {
  func.func @main(%x: !t {qt.role = #qt.role<gradient>}, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    // expected-error@below {{expected a forward product to depend on no gradient, got one that depends on an argument whose qt.role is gradient}}
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// Products must have come through import.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @not_imported {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    // expected-error@below {{expected matrix products as linalg.contract in normal form; run fp8-import-linalg first}}
    %y = linalg.matmul ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// There is no function of that name.
// expected-error@below {{expected a function 'main' to compile, got}}
module @no_main {
  func.func private @other()
}

// -----

// Branches are no structured control flow.
module @branches {
  // expected-error@below {{expected a body of one block, got branches}}
  func.func @main() {
    cf.br ^next
  ^next:
    return
  }
}

// -----

// Two annotations that one product cannot have: both are named.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @two_weights {
  func.func @main(%x: !t {qt.role = #qt.role<weight>}, %w: !t {qt.role = #qt.role<weight>}, %z: !t) -> !t {
    // expected-error@below {{expected role weight for the right operand, as qt.role of argument 1 says, got activation by the rest of the program; qt.role of argument 0 says that the left operand is weight}}
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// A loop that trains one linear: the input is frozen, so that there is no triangle.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @training_loop {
  func.func @main(%x: tensor<4x8xf32>, %w0: tensor<8x8xf32>, %t: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %z = tensor.empty() : tensor<4x8xf32>
    %zw = tensor.empty() : tensor<8x8xf32>
    %zl = arith.constant dense<0.0> : tensor<f32>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%w = %w0, %l = %zl) -> (tensor<8x8xf32>, tensor<f32>) {
      // expected-error@below {{expected a loop whose products do not change what they read in the next round, got two that give each other an operand, as where it trains a weight; if argument 0, which both read, is a weight, set its qt.role}}
      %y = linalg.contract indexing_maps = #mm ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
      %d = arith.subf %y, %t : tensor<4x8xf32>
      %dd = arith.mulf %d, %d : tensor<4x8xf32>
      %loss = linalg.reduce { arith.addf } ins(%dd : tensor<4x8xf32>) outs(%zl : tensor<f32>) dimensions = [0, 1]
      %e = tensor.empty() : tensor<8x4xf32>
      %xt = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      %dt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      // expected-note@below {{the other product}}
      %g = linalg.contract indexing_maps = #mm ins(%dt, %xt : tensor<8x4xf32>, tensor<8x4xf32>) outs(%zw : tensor<8x8xf32>) -> tensor<8x8xf32>
      %wn = arith.subf %w, %g : tensor<8x8xf32>
      scf.yield %wn, %loss : tensor<8x8xf32>, tensor<f32>
    }
    return %r#0, %r#1 : tensor<8x8xf32>, tensor<f32>
  }
}
