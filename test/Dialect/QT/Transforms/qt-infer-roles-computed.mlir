// RUN: fp8-opt %s --split-input-file --qt-infer-roles --verify-diagnostics | FileCheck %s

// Weights that the graph computes: from codes and scales, with a mask, an adapter or a norm. A weight depends on no data.

// The signature names parameters and inputs. The weight has the names of its matrices.
// CHECK-LABEL: module @codes_and_scales
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, parts = [1]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @codes_and_scales attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"s", parameter>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %w: tensor<4x4xi8>, %s: tensor<4xf32>) -> !t {
    %z = tensor.empty() : !t
    %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<4x4xi8>, tensor<4xf32>) outs(%z : !t) {
    ^bb0(%code: i8, %scale: f32, %out: f32):
      %f = arith.sitofp %code : i8 to f32
      %v = arith.mulf %f, %scale : f32
      linalg.yield %v : f32
    } -> !t
    %y = linalg.contract indexing_maps = #mm ins(%x, %d : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Without a signature, codes are of the weight.
// CHECK-LABEL: module @codes
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, parts = [1]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @codes {
  func.func @main(%x: !t, %w: tensor<4x4xi8>) -> !t {
    %z = tensor.empty() : !t
    %f = linalg.map { arith.sitofp } ins(%w : tensor<4x4xi8>) outs(%z : !t)
    %d = math.tanh %f : !t
    %y = linalg.contract indexing_maps = #mm ins(%x, %d : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// An adapter that is merged: a product of two parameters has no activation, and gives a part of the weight.
// CHECK-LABEL: module @merged
// CHECK: contract{{.*}}kept<no_role, "nothing tells whether its weight is argument 3 or argument 2">{{.*}}qt.roles = #qt.roles<activation, activation>, qt.site = #qt.site<other>
// CHECK: contract{{.*}}parts = [1, 2, 3]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @merged attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"a", parameter>, <"b", parameter>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %a: !t, %b: !t) -> !t {
    %z = tensor.empty() : !t
    // expected-remark @below {{nothing tells whether its weight is argument 3 or argument 2; qt.role on an argument tells it}}
    %ba = linalg.contract indexing_maps = #mm ins(%b, %a : !t, !t) outs(%z : !t) -> !t
    %m = arith.addf %w, %ba : !t
    %y = linalg.contract indexing_maps = #mm ins(%x, %m : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Behind a layer whose input is known to be data: its result is data, and what is computed from the other argument is not.
// CHECK-LABEL: module @behind_data
// CHECK: contract{{.*}}argument = 1, sums = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}parts = [2]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @behind_data {
  func.func @main(%x: !t {qt.role = #qt.role<activation>}, %w: !t, %v: !t) -> !t {
    %z = tensor.empty() : !t
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %t = math.tanh %h : !t
    %s = math.tanh %v : !t
    %y = linalg.contract indexing_maps = #mm ins(%t, %s : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Nothing tells: what is stored is taken for the weight, and a remark says so.
// CHECK-LABEL: module @nothing_tells
// CHECK: contract{{.*}}argument = 0, sums = [1]>, qt.roles = #qt.roles<weight, activation>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @nothing_tells {
  func.func @main(%x: !t, %w: !t) -> !t {
    %z = tensor.empty() : !t
    %s = math.tanh %w : !t
    // expected-remark @below {{argument 0 is taken for the weight, what is computed from argument 1 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %y = linalg.contract indexing_maps = #mm ins(%x, %s : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// The same, annotated: the argument that the weight is computed from.
// CHECK-LABEL: module @annotated
// CHECK: contract{{.*}}parts = [1]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @annotated {
  func.func @main(%x: !t, %w: !t {qt.role = #qt.role<weight>}) -> !t {
    %z = tensor.empty() : !t
    %s = math.tanh %w : !t
    %y = linalg.contract indexing_maps = #mm ins(%x, %s : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// A training step: the input meets the gradient, as only the weight's gradient is asked for.
// CHECK-LABEL: module @trained
// CHECK: contract{{.*}}gemm<fprop>{{.*}}parts = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}gemm<wgrad>{{.*}}parts = [1]>, qt.roles = #qt.roles<gradient, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @trained {
  func.func @main(%x: !t, %w: !t, %zero: tensor<f32>) -> (tensor<f32>, !t) {
    %z = tensor.empty() : !t
    %s = math.tanh %w : !t
    // expected-remark @below {{what is computed from argument 1 is taken for the weight, argument 0 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %y = linalg.contract indexing_maps = #mm ins(%x, %s : !t, !t) outs(%z : !t) -> !t
    %loss = linalg.reduce { arith.addf } ins(%y : !t) outs(%zero : tensor<f32>) dimensions = [0, 1]
    %dy = math.sin %y : !t
    %dyt = linalg.transpose ins(%dy : !t) outs(%z : !t) permutation = [1, 0]
    %xt = linalg.transpose ins(%x : !t) outs(%z : !t) permutation = [1, 0]
    %ds = linalg.contract indexing_maps = #mm ins(%dyt, %xt : !t, !t) outs(%z : !t) -> !t
    %dw = arith.mulf %ds, %s : !t
    return %loss, %dw : tensor<f32>, !t
  }
}

// -----

// Keys of another input than the queries': what a product of two arguments gives may be data, and is no weight.
// CHECK-LABEL: module @two_inputs
// CHECK: contract{{.*}}argument = 1, sums = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}argument = 3, sums = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}qt.roles = #qt.roles<activation, activation>, qt.site = #qt.site<other>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @two_inputs {
  func.func @main(%x: !t {qt.role = #qt.role<activation>}, %wq: !t, %m: !t, %wk: !t) -> !t {
    %z = tensor.empty() : !t
    %q = linalg.contract indexing_maps = #mm ins(%x, %wq : !t, !t) outs(%z : !t) -> !t
    // expected-remark @below {{argument 3 is taken for the weight, argument 2 for the activation: nothing tells them apart; qt.role on an argument overrides this}}
    %k = linalg.contract indexing_maps = #mm ins(%m, %wk : !t, !t) outs(%z : !t) -> !t
    %s = linalg.contract indexing_maps = #mm ins(%q, %k : !t, !t) outs(%z : !t) -> !t
    return %s : !t
  }
}

// -----

// What positions and numbers alone make is no weight.
// CHECK-LABEL: module @triangle_of_ones
// CHECK: contract{{.*}}qt.roles = #qt.roles<activation, activation>, qt.site = #qt.site<other>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
module @triangle_of_ones {
  func.func @main(%x: !t {qt.role = #qt.role<activation>}) -> !t {
    %z = tensor.empty() : !t
    %one = arith.constant dense<1.0> : !t
    %none = arith.constant dense<0.0> : !t
    %l = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%one, %none : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.cmpi sge, %i, %j : index
      %v = arith.select %c, %a, %b : f32
      linalg.yield %v : f32
    } -> !t
    %h = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%h, %l : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Data depends on weights, as round a loop over layers, and weights on no data: the left operand is the weight, and what is
// computed from it and from an input is not.
// CHECK-LABEL: module @layers_from_the_left
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, argument = 1, sums = [2]>, qt.roles = #qt.roles<weight, activation>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @layers_from_the_left {
  func.func @main(%x: !t, %ws: tensor<3x4x4xf32>) -> !t {
    %first = arith.constant 0 : index
    %one = arith.constant 1 : index
    %layers = arith.constant 3 : index
    %z = tensor.empty() : !t
    %h = math.tanh %x : !t
    %y = scf.for %i = %first to %layers step %one iter_args(%in = %h) -> !t {
      %w = tensor.extract_slice %ws[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to !t
      %p = linalg.contract indexing_maps = #mm ins(%w, %in : !t, !t) outs(%z : !t) -> !t
      %out = math.tanh %p : !t
      scf.yield %out : !t
    }
    return %y : !t
  }
}

// -----

// A constant is the weight, on the left too.
// CHECK-LABEL: module @constant_on_the_left
// CHECK: contract{{.*}}qt.roles = #qt.roles<weight, activation>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<2x2xf32>
module @constant_on_the_left {
  func.func @main(%x: !t) -> !t {
    %z = tensor.empty() : !t
    %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : !t
    %h = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%w, %h : !t, !t) outs(%z : !t) -> !t
    return %y : !t
  }
}

// -----

// Learned queries are a parameter, and what a product gives of them is none: scores are no product of a weight.
// CHECK-LABEL: module @learned_queries
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, argument = 2, sums = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}qt.linear = #qt.linear<1, argument = 3, sums = [1]>, qt.roles = #qt.roles<activation, weight>
// CHECK: contract{{.*}}qt.roles = #qt.roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @learned_queries attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"queries", parameter>, <"wq", parameter>, <"wk", parameter>] results = [<"y", unknown>]>} {
  func.func @main(%x: !t, %queries: !t, %wq: !t, %wk: !t) -> !t {
    %z = tensor.empty() : !t
    // expected-remark @below {{nothing tells them apart}}
    %q = linalg.contract indexing_maps = #mm ins(%queries, %wq : !t, !t) outs(%z : !t) -> !t
    %k = linalg.contract indexing_maps = #mm ins(%x, %wk : !t, !t) outs(%z : !t) -> !t
    %s = linalg.contract indexing_maps = #mm ins(%q, %k : !t, !t) outs(%z : !t) -> !t
    return %s : !t
  }
}

// -----

// A table that the graph computes, looked up by one-hot rows.
// CHECK-LABEL: module @computed_table
// CHECK: contract{{.*}}qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<embedding>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
module @computed_table {
  func.func @main(%ids: tensor<8xi32>, %table: tensor<32x16xf32>, %mask: tensor<32x16xf32>) -> tensor<8x32xf32> {
    %w = arith.mulf %table, %mask : tensor<32x16xf32>
    %e = tensor.empty() : tensor<8x16xf32>
    %hot = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%id: i32, %out: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %p = arith.cmpi eq, %id, %j : i32
      %r = arith.uitofp %p : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x16xf32>
    %z = tensor.empty() : tensor<8x32xf32>
    %y = linalg.contract indexing_maps = #mm ins(%hot, %w : tensor<8x16xf32>, tensor<32x16xf32>) outs(%z : tensor<8x32xf32>) -> tensor<8x32xf32>
    return %y : tensor<8x32xf32>
  }
}
