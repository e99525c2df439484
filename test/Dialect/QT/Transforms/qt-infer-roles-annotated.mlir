// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// What the user says of arguments overrides what would be inferred.

// The function returns no loss, and the forward product is dead but for the backward half: nothing tells the gradient
// from the input. The annotation does.
// CHECK-LABEL: module @cotangent_argument
// CHECK: contract{{.*}}gemm<fprop>, qt.half = #qt.half<forward>{{.*}}roles<activation, weight>
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}roles<gradient, weight>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @cotangent_argument {
  func.func @main(%x: !t, %w: !t, %g: !t {qt.role = #qt.role<gradient>}, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %a = math.tanh %x : !t
    %h = math.sin %g : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %k = arith.mulf %y, %h : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%k, %w_t : !t, !t) outs(%z : !t) -> !t
    %k_t = linalg.transpose ins(%k : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%k_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %dx, %dw : !t, !t
  }
}

// -----

// Only dgrad and wgrad are left of a linear. Its weight has no forward product, so its product with the gradient is
// the dgrad, which names the linear: the fprop would sum the axis that the dgrad keeps.
// CHECK-LABEL: module @dead_forward_product
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [1]>{{.*}}roles<gradient, weight>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0,{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @dead_forward_product {
  func.func @main(%x: !t, %w: !t, %g: !t {qt.role = #qt.role<gradient>}, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %a = math.tanh %x : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %a_t = linalg.transpose ins(%a : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %a_t : !t, !t) outs(%z : !t) -> !t
    return %dx, %dw : !t, !t
  }
}

// -----

// Both products read an argument: which is the weight cannot be told.
// CHECK-LABEL: module @dead_forward_product_of_two_arguments
// CHECK: contract{{.*}}half<backward>, qt.kept = #qt.kept<no_role, 
// CHECK: contract{{.*}}half<backward>, qt.kept = #qt.kept<no_role, 
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @dead_forward_product_of_two_arguments {
  func.func @main(%x: !t, %w: !t, %g: !t {qt.role = #qt.role<gradient>}, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %x_t : !t, !t) outs(%z : !t) -> !t
    return %dx, %dw : !t, !t
  }
}

// -----

// The same with the weight annotated.
// CHECK-LABEL: module @dead_forward_product_of_a_known_weight
// CHECK: contract{{.*}}gemm<dgrad>, qt.half = #qt.half<backward>{{.*}}linear<0, argument = 1, sums = [1]>{{.*}}roles<gradient, weight>
// CHECK: contract{{.*}}gemm<wgrad>, qt.half = #qt.half<backward>{{.*}}linear<0,{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @dead_forward_product_of_a_known_weight {
  func.func @main(%x: !t, %w: !t {qt.role = #qt.role<weight>}, %g: !t {qt.role = #qt.role<gradient>}, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%g, %w_t : !t, !t) outs(%z : !t) -> !t
    %g_t = linalg.transpose ins(%g : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%g_t, %x_t : !t, !t) outs(%z : !t) -> !t
    return %dx, %dw : !t, !t
  }
}

// -----

// Without a loss and with a linear one, the annotations of both operands tell the forward product.
// CHECK-LABEL: module @known_weight
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, weight>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}roles<gradient, weight>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @known_weight {
  func.func @main(%x: !t {qt.role = #qt.role<activation>}, %w: !t {qt.role = #qt.role<weight>}, %g: !t, %z: !t, %s: tensor<f32>) -> (!t, !t) {
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %h = math.tanh %g : !t
    %w_t = linalg.transpose ins(%w : !t) outs(%z : !t) permutation = [1, 0]
    %dx = linalg.contract indexing_maps = #mm ins(%h, %w_t : !t, !t) outs(%z : !t) -> !t
    %h_t = linalg.transpose ins(%h : !t) outs(%z : !t) permutation = [1, 0]
    %x_t = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %dw = linalg.contract indexing_maps = #mm ins(%h_t, %x_t : !t, !t) outs(%z : !t) -> !t
    %t = arith.addf %dx, %y : !t
    return %t, %dw : !t, !t
  }
}

// -----

// An argument, and what is computed from one, is a weight beside data unless the user says it is an activation.
// CHECK-LABEL: module @input_that_is_no_weight
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0>{{.*}}roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @input_that_is_no_weight {
  func.func @main(%x: !t {qt.role = #qt.role<activation>}, %c: !t {qt.role = #qt.role<activation>}, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %c : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Both operands are arguments: the annotated one is the weight.
// CHECK-LABEL: module @weight_in_the_other_place
// CHECK: contract{{.*}}gemm<fprop>{{.*}}linear<0, argument = 0, sums = [1]>{{.*}}roles<weight, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @weight_in_the_other_place {
  func.func @main(%x: !t {qt.role = #qt.role<weight>}, %w: !t, %z: !t, %s: tensor<f32>) -> (!t) {
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// An adapter that is merged: the annotation tells what the weight of its product is; the sum is a weight all the same.
// CHECK-LABEL: module @merged
// CHECK: contract{{.*}}qt.roles = #qt.roles<weight, activation>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}parts = [1, 2, 3]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @merged attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"a", parameter>, <"b", parameter>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %a: !t, %b: !t {qt.role = #qt.role<weight>}) -> !t {
    %z = tensor.empty() : !t
    %ba = linalg.contract indexing_maps = #mm ins(%b, %a : !t, !t) outs(%z : !t) -> !t
    %m = arith.addf %w, %ba : !t
    %y = linalg.contract indexing_maps = #mm ins(%x, %m : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}
