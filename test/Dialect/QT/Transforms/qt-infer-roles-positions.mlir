// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// Routers, positions, and contractions that are no matrix product.

// Integers derived from the first product choose masks: it is a router. A product of masks is a mask still; one of a
// mask and data is a dispatch. A linear of what comes out is a linear.
// CHECK-LABEL: module @router_and_dispatch
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<dispatch>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<dispatch>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @router_and_dispatch {
  func.func @main(%x: !t, %w: !t, %v: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %picked = linalg.map { arith.fptosi } ins(%y : !t) outs(%iota : tensor<4x4xi32>)
    %m = linalg.map { arith.sitofp } ins(%picked : tensor<4x4xi32>) outs(%z : !t)
    %m1 = math.absf %m : !t
    %m2 = math.ceil %m : !t
    %mm = linalg.contract indexing_maps = #mm ins(%m1, %m2 : !t, !t) outs(%z : !t) -> !t
    %d = linalg.contract indexing_maps = #mm ins(%mm, %a : !t, !t) outs(%z : !t) -> !t
    %u = linalg.contract indexing_maps = #mm ins(%d, %v : !t, !t) outs(%z : !t) -> !t
    return %u : !t
  }
}

// -----

// The same integers, only returned (a prediction): no router.
// CHECK-LABEL: module @integers_that_reach_no_product
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @integers_that_reach_no_product {
  func.func @main(%x: !t, %w: !t, %ids: tensor<4xi32>, %iota: tensor<4x4xi32>, %mask: tensor<4x4xi1>, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<4x4xi32>) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %picked = linalg.map { arith.fptosi } ins(%y : !t) outs(%iota : tensor<4x4xi32>)
    return %picked : tensor<4x4xi32>
  }
}

// -----

// Chosen without integers: the probabilities that are not less than the largest weigh the data. The casts of an exporter
// stand between. A ReLU compares with a number, a test for NaN a value with itself: those are linears.
// CHECK-LABEL: module @router_by_comparison
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
!m = tensor<4x4xi1>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @router_by_comparison {
  func.func @main(%x: !t, %w: !t, %v: !t, %u: !t, %last: !t, %z: !t, %none: !m, %r: tensor<4xf32>, %zero: f32) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w : !t, !t) outs(%z : !t) -> !t
    %p = linalg.map { math.exp } ins(%y : !t) outs(%z : !t)
    %kth = linalg.reduce { arith.maximumf } ins(%p : !t) outs(%r : tensor<4xf32>) dimensions = [1]
    %mask = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %kth : !t, tensor<4xf32>) outs(%none : !m) {
    ^bb0(%one: f32, %other: f32, %out: i1):
      %wide = arith.extf %one : f32 to f64
      %threshold = arith.extf %other : f32 to f64
      %c = arith.cmpf oge, %wide, %threshold : f64
      linalg.yield %c : i1
    } -> !m
    %chosen = linalg.map { arith.select } ins(%mask, %p, %z : !m, !t, !t) outs(%z : !t)
    %weighed = linalg.map { arith.mulf } ins(%chosen, %a : !t, !t) outs(%z : !t)
    %h = linalg.contract indexing_maps = #mm ins(%weighed, %v : !t, !t) outs(%z : !t) -> !t
    %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : !t) outs(%none : !m) {
    ^bb0(%one: f32, %out: i1):
      %c = arith.cmpf ogt, %one, %zero : f32
      linalg.yield %c : i1
    } -> !m
    %relu = linalg.map { arith.select } ins(%positive, %h, %z : !m, !t, !t) outs(%z : !t)
    %g = linalg.contract indexing_maps = #mm ins(%relu, %u : !t, !t) outs(%z : !t) -> !t
    %nan = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g : !t) outs(%none : !m) {
    ^bb0(%one: f32, %out: i1):
      %c = arith.cmpf uno, %one, %one : f32
      linalg.yield %c : i1
    } -> !m
    %number = linalg.map { arith.select } ins(%nan, %z, %g : !m, !t, !t) outs(%z : !t)
    %end = linalg.contract indexing_maps = #mm ins(%number, %last : !t, !t) outs(%z : !t) -> !t
    return %end : !t
  }
}

// -----

// Four linears of two repeating shapes: two layers of two places.
// CHECK-LABEL: module @layers_and_places
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @layers_and_places {
  func.func @main(%x: !t, %w0: tensor<5x4xf32>, %v0: tensor<4x5xf32>, %w1: tensor<5x4xf32>, %v1: tensor<4x5xf32>, %z5: tensor<4x5xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y0 = linalg.contract indexing_maps = #mm ins(%a, %w0 : !t, tensor<5x4xf32>) outs(%z5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %b0 = math.tanh %y0 : tensor<4x5xf32>
    %u0 = linalg.contract indexing_maps = #mm ins(%b0, %v0 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%z : !t) -> !t
    %c0 = math.tanh %u0 : !t
    %y1 = linalg.contract indexing_maps = #mm ins(%c0, %w1 : !t, tensor<5x4xf32>) outs(%z5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %b1 = math.tanh %y1 : tensor<4x5xf32>
    %u1 = linalg.contract indexing_maps = #mm ins(%b1, %v1 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%z : !t) -> !t
    %c1 = math.tanh %u1 : !t
    return %c1 : !t
  }
}

// -----

// Three linears of which no shape sequence repeats: one layer.
// CHECK-LABEL: module @no_period
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @no_period {
  func.func @main(%x: !t, %w0: tensor<5x4xf32>, %v0: tensor<4x5xf32>, %w1: !t, %z5: tensor<4x5xf32>, %z: !t, %s: tensor<f32>) -> (!t) {
    %a = math.tanh %x : !t
    %y = linalg.contract indexing_maps = #mm ins(%a, %w0 : !t, tensor<5x4xf32>) outs(%z5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %b = math.tanh %y : tensor<4x5xf32>
    %u = linalg.contract indexing_maps = #mm ins(%b, %v0 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%z : !t) -> !t
    %c = math.tanh %u : !t
    %t = linalg.contract indexing_maps = #mm ins(%c, %w1 : !t, !t) outs(%z : !t) -> !t
    return %t : !t
  }
}

// -----

// Scalars for each row: no m and n dimension. An all-parallel multiply-add is no contraction at all.
// CHECK-LABEL: module @contractions_that_are_no_product
// CHECK: linalg.generic
// CHECK: qt.kept = #qt.kept<no_product, "no matrix product: it has no m dimension">
// CHECK-NOT: qt.
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @contractions_that_are_no_product {
  func.func @main(%x: !t, %w: !t, %r: tensor<4xf32>, %z: !t, %s: tensor<f32>) -> (tensor<4xf32>, !t) {
    %y = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : !t, !t) outs(%r : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %out, %p : f32
      linalg.yield %q : f32
    } -> tensor<4xf32>
    %u = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %out, %p : f32
      linalg.yield %q : f32
    } -> !t
    return %y, %u : tensor<4xf32>, !t
  }
}
