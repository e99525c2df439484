// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Values carried around loops.

// One loop stacks its inputs, one slice per iteration; another, going back, reads them: the values are those of one
// iteration. The weights are slices with dynamic offsets, alike in both loops.
// CHECK-LABEL: module @stacked_slices_are_the_iterations_value
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}linear<0, argument = 1, sums = [2]>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, 
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, 
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @stacked_slices_are_the_iterations_value {
  func.func @main(%x: !t, %w: tensor<3x4x4xf32>, %n: index, %stack0: tensor<3x4x4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, tensor<3x4x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %stack = %stack0) -> (!t, tensor<3x4x4xf32>) {
      %wi = tensor.extract_slice %w[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to !t
      %y = linalg.contract indexing_maps = #mm ins(%a, %wi : !t, !t) outs(%z : !t) -> !t
      %b = math.tanh %y : !t
      %next = tensor.insert_slice %a into %stack[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !t into tensor<3x4x4xf32>
      scf.yield %b, %next : !t, tensor<3x4x4xf32>
    }
    %loss = linalg.reduce { arith.addf } ins(%out#0 : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %back:2 = scf.for %i = %c0 to %n step %c1 iter_args(%g = %out#0, %dw = %stack0) -> (!t, tensor<3x4x4xf32>) {
      %j = arith.subi %n, %i : index
      %wi = tensor.extract_slice %w[%j, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to !t
      %a = tensor.extract_slice %out#1[%j, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to !t
      %wi_t = linalg.transpose ins(%wi : !t) outs(%z : !t) permutation = [1, 0]
      %dx = linalg.contract indexing_maps = #mm ins(%g, %wi_t : !t, !t) outs(%z : !t) -> !t
      %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
      %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
      %dwi = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
      %dw1 = tensor.insert_slice %dwi into %dw[%j, 0, 0] [1, 4, 4] [1, 1, 1] : !t into tensor<3x4x4xf32>
      scf.yield %dx, %dw1 : !t, tensor<3x4x4xf32>
    }
    return %loss, %back#0, %back#1 : tensor<f32>, !t, tensor<3x4x4xf32>
  }
}

// -----

// The weight is carried around a while loop unchanged: inside, it is the argument.
// CHECK-LABEL: module @invariant_carries_are_views
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 1, sums = [1]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @invariant_carries_are_views {
  func.func @main(%x: !t, %w: !t, %n: i1, %z: !t, %s: tensor<f32>) -> (!t) {
    %out:2 = scf.while (%a = %x, %v = %w) : (!t, !t) -> (!t, !t) {
      scf.condition(%n) %a, %v : !t, !t
    } do {
    ^bb0(%b: !t, %u: !t):
      %y = linalg.contract indexing_maps = #mm ins(%b, %u : !t, !t) outs(%z : !t) -> !t
      scf.yield %y, %u : !t, !t
    }
    return %out#0 : !t
  }
}

// -----

// The weight changes from round to round: it is no argument.
// CHECK-LABEL: module @updated_carries_are_not
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0>{{.*}}roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @updated_carries_are_not {
  func.func @main(%x: !t, %w: !t, %n: i1, %z: !t, %s: tensor<f32>) -> (!t) {
    %out:2 = scf.while (%a = %x, %v = %w) : (!t, !t) -> (!t, !t) {
      scf.condition(%n) %a, %v : !t, !t
    } do {
    ^bb0(%b: !t, %u: !t):
      %y = linalg.contract indexing_maps = #mm ins(%b, %u : !t, !t) outs(%z : !t) -> !t
      %u1 = math.tanh %u : !t
      scf.yield %y, %u1 : !t, !t
    }
    return %out#0 : !t
  }
}

// -----

// Each of two products gives the other its operand, through a loop: over a weight, what is carried is data.
// CHECK-LABEL: module @fixed_dictionary
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<weight, activation>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, weight>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @fixed_dictionary {
  func.func @main(%x: tensor<4x8xf32> {qt.role = #qt.role<weight>}, %w0: tensor<8x8xf32>, %t: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %z = tensor.empty() : tensor<4x8xf32>
    %zw = tensor.empty() : tensor<8x8xf32>
    %zl = arith.constant dense<0.0> : tensor<f32>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%w = %w0, %l = %zl) -> (tensor<8x8xf32>, tensor<f32>) {
      %y = linalg.contract indexing_maps = #mm ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
      %d = arith.subf %y, %t : tensor<4x8xf32>
      %dd = arith.mulf %d, %d : tensor<4x8xf32>
      %loss = linalg.reduce { arith.addf } ins(%dd : tensor<4x8xf32>) outs(%zl : tensor<f32>) dimensions = [0, 1]
      %e = tensor.empty() : tensor<8x4xf32>
      %xt = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      %dt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      %g = linalg.contract indexing_maps = #mm ins(%dt, %xt : tensor<8x4xf32>, tensor<8x4xf32>) outs(%zw : tensor<8x8xf32>) -> tensor<8x8xf32>
      %wn = arith.subf %w, %g : tensor<8x8xf32>
      scf.yield %wn, %loss : tensor<8x8xf32>, tensor<f32>
    }
    return %r#0, %r#1 : tensor<8x8xf32>, tensor<f32>
  }
}

// -----

// A loop that decodes: score and value read one cache, and the next query comes from the value through a linear. Nothing is trained.
// CHECK-LABEL: module @decodes
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, weight>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, activation>, qt.site = #qt.site<score>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, activation>, qt.site = #qt.site<value>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @decodes {
  func.func @main(%x: !t, %w: !t, %c0: !t, %z: !t, %v: tensor<4xf32>) -> (!t, !t) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %r:2 = scf.for %i = %i0 to %i3 step %i1 iter_args(%h = %x, %c = %c0) -> (!t, !t) {
      %q = linalg.contract indexing_maps = #mm ins(%h, %w : !t, !t) outs(%z : !t) -> !t
      %new = tensor.extract_slice %q[0, 0] [1, 4] [1, 1] : !t to tensor<1x4xf32>
      %k = tensor.insert_slice %new into %c[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into !t
      %s = linalg.contract indexing_maps = #mm ins(%q, %k : !t, !t) outs(%z : !t) -> !t
      %e = linalg.map { math.exp } ins(%s : !t) outs(%z : !t)
      %sum = linalg.reduce { arith.addf } ins(%e : !t) outs(%v : tensor<4xf32>) dimensions = [1]
      %all = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%z : !t) dimensions = [1]
      %p = arith.divf %e, %all : !t
      %kt = linalg.transpose ins(%k : !t) outs(%z : !t) permutation = [1, 0]
      %o = linalg.contract indexing_maps = #mm ins(%p, %kt : !t, !t) outs(%z : !t) -> !t
      scf.yield %o, %k : !t, !t
    }
    return %r#0, %r#1 : !t, !t
  }
}
