// RUN: fp8-opt %s --split-input-file --verify-diagnostics --qt-infer-roles

// What is refused, and what is asked for.

// Three products pair three values, and nothing depends on anything.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @open_triangle {
  func.func @main(%x: !t, %w: !t, %g: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    // expected-error@below {{expected exactly one of the three products over three values to be forward, got none that stands out; set qt.role on a function argument that one of them reads}}
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
