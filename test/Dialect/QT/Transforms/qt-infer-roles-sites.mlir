// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Where in a model a product stands.

// Rows of a table chosen by comparing integers.
// CHECK-LABEL: module @one_hot_times_weight
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, weight>, qt.site = #qt.site<embedding>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @one_hot_times_weight {
  func.func @main(%w: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %heq = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %iota : tensor<4xi32>, tensor<4x4xi32>) outs(%mask : tensor<4x4xi1>) {
    ^bb0(%i: i32, %j: i32, %out: i1):
      %same = arith.cmpi eq, %i, %j : i32
      linalg.yield %same : i1
    } -> tensor<4x4xi1>
    %h = linalg.map { arith.uitofp } ins(%heq : tensor<4x4xi1>) outs(%z : !t)
    %y = linalg.contract indexing_maps = #mm ins(%h, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// One-hots that are more than views and casts away are data.
// CHECK-LABEL: module @scaled_one_hot_is_data
// CHECK: contract{{.*}}gemm<fprop>{{.*}}roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @scaled_one_hot_is_data {
  func.func @main(%w: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %heq = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %iota : tensor<4xi32>, tensor<4x4xi32>) outs(%mask : tensor<4x4xi1>) {
    ^bb0(%i: i32, %j: i32, %out: i1):
      %same = arith.cmpi eq, %i, %j : i32
      linalg.yield %same : i1
    } -> tensor<4x4xi1>
    %h = linalg.map { arith.uitofp } ins(%heq : tensor<4x4xi1>) outs(%z : !t)
    %h2 = arith.addf %h, %h : !t
    %y = linalg.contract indexing_maps = #mm ins(%h2, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// The result goes through an exponential, a sum and a logarithm: the head. So do its gradients.
// CHECK-LABEL: module @log_of_softmax
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<head>
// CHECK: contract{{.*}}gemm<dgrad>{{.*}}, qt.site = #qt.site<head>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}, qt.site = #qt.site<head>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @log_of_softmax {
  func.func @main(%x: !t, %w: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<f32>, !t, !t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %ex = linalg.map { math.exp } ins(%y : !t) outs(%z : !t)
    %sum = linalg.reduce { arith.addf } ins(%ex : !t) outs(%r : tensor<4xf32>) dimensions = [1]
    %log = linalg.map { math.log } ins(%sum : tensor<4xf32>) outs(%r : tensor<4xf32>)
    %loss = linalg.reduce { arith.addf } ins(%log : tensor<4xf32>) outs(%s : tensor<f32>) dimensions = [0]
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

// An activation function with an exponential, and a logarithm elsewhere: no sum of exponentials.
// CHECK-LABEL: module @exponential_alone_is_no_head
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @exponential_alone_is_no_head {
  func.func @main(%x: !t, %w: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %ex = linalg.map { math.exp } ins(%y : !t) outs(%z : !t)
    %lg = linalg.map { math.log } ins(%ex : !t) outs(%z : !t)
    return %lg : !t
  }
}

// -----

// The weight of the last product is the table that ids look up.
// CHECK-LABEL: module @tied_table
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<head>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @tied_table {
  func.func @main(%w: !t, %v: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi32>) outs(%z : !t) {
    ^bb0(%i: i32, %out: f32):
      %at = arith.index_cast %i : i32 to index
      %col = linalg.index 1 : index
      %e = tensor.extract %w[%at, %col] : !t
      linalg.yield %e : f32
    } -> !t
    %u = linalg.contract indexing_maps = #mm ins(%a, %v : !t, !t) outs(%z : !t) -> !t
    %b = math.tanh %u : !t
    %y = linalg.contract indexing_maps = #mm ins(%b, %w : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// No loss: the product that gives as many columns as the table has rows, and reaches a result through no product.
// CHECK-LABEL: module @untied_head_without_loss
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<head>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @untied_head_without_loss {
  func.func @main(%table: tensor<5x4xf32>, %v: tensor<5x4xf32>, %w: tensor<5x4xf32>, %z5: tensor<4x5xf32>, %wt: tensor<4x5xf32>, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<4x5xf32>) {
    %a = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi32>) outs(%z : !t) {
    ^bb0(%i: i32, %out: f32):
      %at = arith.index_cast %i : i32 to index
      %col = linalg.index 1 : index
      %e = tensor.extract %table[%at, %col] : tensor<5x4xf32>
      linalg.yield %e : f32
    } -> !t
    %u = linalg.contract indexing_maps = #mm ins(%a, %v : !t, tensor<5x4xf32>) outs(%z5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %b = math.tanh %u : tensor<4x5xf32>
    %c = linalg.contract indexing_maps = #mm ins(%b, %wt : tensor<4x5xf32>, tensor<4x5xf32>) outs(%z : !t) -> !t
    %d = math.tanh %c : !t
    %y = linalg.contract indexing_maps = #mm ins(%d, %w : !t, tensor<5x4xf32>) outs(%z5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    return %y : tensor<4x5xf32>
  }
}

// -----

// Two products without weight, joined by a sum of exponentials.
// CHECK-LABEL: module @score_and_value
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<score>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<value>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @score_and_value {
  func.func @main(%q: !t, %k: !t, %v: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %q1 = math.tanh %q : !t
    %k1 = math.tanh %k : !t
    %v1 = math.tanh %v : !t
    %y = linalg.contract indexing_maps = #mm ins(%q1, %k1 : !t, !t) outs(%z : !t) -> !t
    %ex = linalg.map { math.exp } ins(%y : !t) outs(%z : !t)
    %sum = linalg.reduce { arith.addf } ins(%ex : !t) outs(%r : tensor<4xf32>) dimensions = [1]
    %b = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%z : !t) dimensions = [1]
    %p = arith.divf %ex, %b : !t
    %o = linalg.contract indexing_maps = #mm ins(%p, %v1 : !t, !t) outs(%z : !t) -> !t
    return %o : !t
  }
}

// -----

// The same without exponentials (linear attention).
// CHECK-LABEL: module @no_softmax_no_score
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<other>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<other>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @no_softmax_no_score {
  func.func @main(%q: !t, %k: !t, %v: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %q1 = math.tanh %q : !t
    %k1 = math.tanh %k : !t
    %v1 = math.tanh %v : !t
    %y = linalg.contract indexing_maps = #mm ins(%q1, %k1 : !t, !t) outs(%z : !t) -> !t
    %p = math.tanh %y : !t
    %o = linalg.contract indexing_maps = #mm ins(%p, %v1 : !t, !t) outs(%z : !t) -> !t
    return %o : !t
  }
}

// -----

// Keys and values that an argument holds for each head, as a cache does, one of them as codes: scores and values, no weights.
// CHECK-LABEL: module @cached
// CHECK: contract{{.*}}roles<activation, activation>, qt.site = #qt.site<score>
// CHECK: contract{{.*}}roles<activation, activation>, qt.site = #qt.site<value>
#mm = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
!t = tensor<2x4x4xf32>
!v = tensor<2x4xf32>
module @cached {
  func.func @main(%x: !t, %k: !t, %c: tensor<2x4x4xf8E4M3FN>, %z: !t, %v: !v) -> !t {
    %q = math.tanh %x : !t
    %h = arith.extf %c : tensor<2x4x4xf8E4M3FN> to !t
    %s = linalg.contract indexing_maps = #mm ins(%q, %k : !t, !t) outs(%z : !t) -> !t
    %e = linalg.map { math.exp } ins(%s : !t) outs(%z : !t)
    %sum = linalg.reduce { arith.addf } ins(%e : !t) outs(%v : !v) dimensions = [2]
    %all = linalg.broadcast ins(%sum : !v) outs(%z : !t) dimensions = [2]
    %p = arith.divf %e, %all : !t
    %o = linalg.contract indexing_maps = #mm ins(%p, %h : !t, !t) outs(%z : !t) -> !t
    return %o : !t
  }
}

// -----

// Must not fire: parameters of heads are weights, whatever stands between their products.
// CHECK-LABEL: module @learned
// CHECK: contract{{.*}}roles<activation, weight>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
!t = tensor<2x4x4xf32>
!v = tensor<2x4xf32>
module @learned attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"k", parameter>, <"w", parameter>, <"z", input>, <"v", input>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %k: !t, %w: !t, %z: !t, %v: !v) -> !t {
    %q = math.tanh %x : !t
    %s = linalg.contract indexing_maps = #mm ins(%q, %k : !t, !t) outs(%z : !t) -> !t
    %e = linalg.map { math.exp } ins(%s : !t) outs(%z : !t)
    %sum = linalg.reduce { arith.addf } ins(%e : !t) outs(%v : !v) dimensions = [2]
    %all = linalg.broadcast ins(%sum : !v) outs(%z : !t) dimensions = [2]
    %p = arith.divf %e, %all : !t
    %o = linalg.contract indexing_maps = #mm ins(%p, %w : !t, !t) outs(%z : !t) -> !t
    return %o : !t
  }
}

// -----

// A one-hot row by a choice of one and zero, in the body that compares and in one of its own.
// CHECK-LABEL: module @chosen_one_hot
// CHECK: contract{{.*}}roles<activation, weight>, qt.site = #qt.site<embedding>
// CHECK: contract{{.*}}roles<activation, weight>, qt.site = #qt.site<embedding>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @chosen_one_hot {
  func.func @main(%tokens: tensor<4xi32>, %e: !t, %f: !t) -> (!t, !t) {
    %z = tensor.empty() : !t
    %zi = tensor.empty() : tensor<4x4xi1>
    %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tokens : tensor<4xi32>) outs(%z : !t) {
    ^bb0(%a: i32, %o: f32):
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0.0 : f32
      %c = arith.cmpi eq, %a, %i : i32
      %s = arith.select %c, %one, %zero : f32
      linalg.yield %s : f32
    } -> !t
    %1 = linalg.contract indexing_maps = #mm ins(%0, %e : !t, !t) outs(%z : !t) -> !t
    %2 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tokens : tensor<4xi32>) outs(%zi : tensor<4x4xi1>) {
    ^bb0(%a: i32, %o: i1):
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %c = arith.cmpi eq, %a, %i : i32
      linalg.yield %c : i1
    } -> tensor<4x4xi1>
    %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%2 : tensor<4x4xi1>) outs(%z : !t) {
    ^bb0(%a: i1, %o: f32):
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0.0 : f32
      %s = arith.select %a, %one, %zero : f32
      linalg.yield %s : f32
    } -> !t
    %4 = linalg.contract indexing_maps = #mm ins(%3, %f : !t, !t) outs(%z : !t) -> !t
    return %1, %4 : !t, !t
  }
}
