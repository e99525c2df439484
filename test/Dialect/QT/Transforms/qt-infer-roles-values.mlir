// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Which values are one, and what depends on what.

// The loss is written over both gradients but does not read them: it depends on no whole triangle.
// CHECK-LABEL: module @unread_outs_is_no_dependence
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @unread_outs_is_no_dependence {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %g = math.tanh %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %x_t : !t, !t) outs(%z : !t) -> !t
    %t = linalg.map { math.tanh } ins(%y : !t) outs(%dx : !t)
    %u = linalg.map { math.tanh } ins(%t : !t) outs(%dw : !t)
    %loss = linalg.reduce { arith.addf } ins(%u : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// A loop carries the loss and a gradient side by side: the loss does not depend on the gradient.
// The product inside is forward, those behind it are not.
// CHECK-LABEL: module @loop_maps_value_by_value
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @loop_maps_value_by_value {
  func.func @main(%x: !t, %w: !t, %n: index, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %g = math.tanh %y : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %x_t : !t, !t) outs(%z : !t) -> !t
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %d = %dx) -> (!t, !t) {
      %b = math.tanh %a : !t
      %e = arith.addf %d, %dw : !t
      scf.yield %b, %e : !t, !t
    }
    %loss = linalg.reduce { arith.addf } ins(%out#0 : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    return %loss, %out#1, %dw : tensor<f32>, !t, !t
  }
}

// -----

// The wgrad reads x through a reshape, a rounding and a transpose, and sums the rows of two axes.
// CHECK-LABEL: module @views_and_casts_are_one_value
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(b, m, k) -> (b, m, k)>
module @views_and_casts_are_one_value {
  func.func @main(%x: tensor<2x2x4xf32>, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x2x4xf32> into !t
    %y = linalg.contract indexing_maps = #mm ins(%x2, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %e = tensor.empty() : tensor<2x2x4xbf16>
    %xb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x2x4xf32>) outs(%e : tensor<2x2x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %r = arith.truncf %in : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<2x2x4xbf16>
    %eb = tensor.empty() : tensor<4x4xbf16>
    %xc = tensor.collapse_shape %xb [[0, 1], [2]] : tensor<2x2x4xbf16> into tensor<4x4xbf16>
    %x_t = linalg.transpose ins(%xc : tensor<4x4xbf16>) outs(%eb : tensor<4x4xbf16>) permutation = [1, 0]
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %x_t : !t, tensor<4x4xbf16>) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}

// -----

// The dgrad reads the slice that the fprop reads.
// CHECK-LABEL: module @equal_slices_are_one_value
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}linear<0, argument = 1, sums = [2]>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [2]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @equal_slices_are_one_value {
  func.func @main(%x: !t, %stack: tensor<2x4x4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %w = tensor.extract_slice %stack[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %v = tensor.extract_slice %stack[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %v_t = linalg.transpose ins(%v : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %v_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx : tensor<f32>, !t
  }
}

// -----

// The second product reads another slice of the stack: it is of another linear.
// CHECK-LABEL: module @other_slices_are_not
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}linear<0, argument = 1, sums = [2]>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<1, argument = 1, sums = [2]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @other_slices_are_not {
  func.func @main(%x: !t, %stack: tensor<2x4x4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t) {
    %w = tensor.extract_slice %stack[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %v = tensor.extract_slice %stack[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %v_t = linalg.transpose ins(%v : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %v_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx : tensor<f32>, !t
  }
}

// -----

// The wgrad reads a second tanh of x: the same computation, so the same value.
// CHECK-LABEL: module @recomputation_equals_its_original
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [1]>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @recomputation_equals_its_original {
  func.func @main(%x: !t, %w: !t, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%s : tensor<f32>) dimensions = [0, 1]
    %g = math.tanh %y : !t
    %b = math.tanh %x : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %b_t = linalg.transpose ins(%b : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %b_t : !t, !t) outs(%z : !t) -> !t
    return %loss, %dx, %dw : tensor<f32>, !t, !t
  }
}
