// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// A router compares what it gives with its own maximum. What the mask meets may be a contraction without m, which is no product.
// CHECK-LABEL: module @combined_by_einsum
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j) -> (i, j)>
module @combined_by_einsum {
  func.func @main(%x: tensor<8x16xf32>, %r: tensor<4x16xf32>, %w: tensor<64x16xf32>) -> tensor<8x16xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %y = linalg.contract indexing_maps = #mm ins(%x, %r : tensor<8x16xf32>, tensor<4x16xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
    %m0 = tensor.empty() : tensor<8xf32>
    %m1 = linalg.fill ins(%zero : f32) outs(%m0 : tensor<8xf32>) -> tensor<8xf32>
    %most = linalg.reduce { arith.maximumf } ins(%y : tensor<8x4xf32>) outs(%m1 : tensor<8xf32>) dimensions = [1]
    %all = linalg.broadcast ins(%most : tensor<8xf32>) outs(%e : tensor<8x4xf32>) dimensions = [1]
    %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %all : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.cmpf oge, %a, %b : f32
      %f = arith.uitofp %c : i1 to f32
      linalg.yield %f : f32
    } -> tensor<8x4xf32>
    %he = tensor.empty() : tensor<8x64xf32>
    %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<8x64xf32>) -> tensor<8x64xf32>
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : tensor<8x16xf32>, tensor<64x16xf32>) outs(%hz : tensor<8x64xf32>) -> tensor<8x64xf32>
    %experts = tensor.expand_shape %h [[0], [1, 2]] output_shape [8, 4, 16] : tensor<8x64xf32> into tensor<8x4x16xf32>
    %oe = tensor.empty() : tensor<8x16xf32>
    %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16xf32>) -> tensor<8x16xf32>
    %out = linalg.contract indexing_maps = [affine_map<(t, d, e) -> (t, e)>, affine_map<(t, d, e) -> (t, e, d)>, affine_map<(t, d, e) -> (t, d)>]
        ins(%mask, %experts : tensor<8x4xf32>, tensor<8x4x16xf32>) outs(%oz : tensor<8x16xf32>) -> tensor<8x16xf32>
    return %out : tensor<8x16xf32>
  }
}

// -----

// The mask is multiplied with what another product gives, and no product follows.
// CHECK-LABEL: module @nothing_follows
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
module @nothing_follows {
  func.func @main(%x: !t, %r: !t, %w: !t, %z: !t, %v: tensor<4xf32>) -> !t {
    %y = linalg.contract indexing_maps = #mm ins(%x, %r : !t, !t) outs(%z : !t) -> !t
    %most = linalg.reduce { arith.maximumf } ins(%y : !t) outs(%v : tensor<4xf32>) dimensions = [1]
    %all = linalg.broadcast ins(%most : tensor<4xf32>) outs(%z : !t) dimensions = [1]
    %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %all : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.cmpf oge, %a, %b : f32
      %f = arith.uitofp %c : i1 to f32
      linalg.yield %f : f32
    } -> !t
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %out = linalg.map { arith.mulf } ins(%mask, %h : !t, !t) outs(%z : !t)
    return %out : !t
  }
}

// -----

// Must not fire: what is chosen from is the product itself (the likeliest tokens), whatever its operand is computed of.
// CHECK-LABEL: module @chooses_from_itself
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
module @chooses_from_itself {
  func.func @main(%x: !t, %r: !t, %w: !t, %z: !t, %v: tensor<4xf32>) -> !t {
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %y = linalg.contract indexing_maps = #mm ins(%h, %r : !t, !t) outs(%z : !t) -> !t
    %most = linalg.reduce { arith.maximumf } ins(%y : !t) outs(%v : tensor<4xf32>) dimensions = [1]
    %all = linalg.broadcast ins(%most : tensor<4xf32>) outs(%z : !t) dimensions = [1]
    %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %all : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.cmpf oge, %a, %b : f32
      %f = arith.uitofp %c : i1 to f32
      linalg.yield %f : f32
    } -> !t
    %out = linalg.map { arith.mulf } ins(%mask, %y : !t, !t) outs(%z : !t)
    return %out : !t
  }
}

// -----

// The comparison is fused with what makes the probability and with the choice itself.
// CHECK-LABEL: module @fused_choice
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
module @fused_choice {
  func.func @main(%x: !t, %r: !t, %w: !t, %z: !t, %v: tensor<4xf32>) -> !t {
    %y = linalg.contract indexing_maps = #mm ins(%x, %r : !t, !t) outs(%z : !t) -> !t
    %most = linalg.reduce { arith.maximumf } ins(%y : !t) outs(%v : tensor<4xf32>) dimensions = [1]
    %all = linalg.broadcast ins(%most : tensor<4xf32>) outs(%z : !t) dimensions = [1]
    %gate = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %all : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %zero = arith.constant 0.0 : f32
      %d = arith.subf %a, %b : f32
      %p = math.exp %d : f32
      %q = math.exp %b : f32
      %c = arith.cmpf oge, %p, %q : f32
      %f = arith.select %c, %p, %zero : f32
      linalg.yield %f : f32
    } -> !t
    %h = linalg.contract indexing_maps = #mm ins(%x, %w : !t, !t) outs(%z : !t) -> !t
    %out = linalg.map { arith.mulf } ins(%gate, %h : !t, !t) outs(%z : !t)
    return %out : !t
  }
}

// -----

// Must not fire: the larger of two columns that one product gave (maxout) is no choice of experts, nor is a leaky ReLU.
// CHECK-LABEL: module @larger
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
module @larger {
  func.func @main(%x: !t, %w: tensor<8x4xf32>, %v: !t, %z: !t, %e: tensor<4x8xf32>) -> !t {
    %y = linalg.contract indexing_maps = #mm ins(%x, %w : !t, tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %l = tensor.extract_slice %y[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to !t
    %r = tensor.extract_slice %y[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to !t
    %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%l, %r : !t, !t) outs(%z : !t) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.cmpf ogt, %a, %b : f32
      %m = arith.select %c, %a, %b : f32
      %slope = arith.constant 0.01 : f32
      %s = arith.mulf %m, %slope : f32
      %p = arith.cmpf ogt, %m, %s : f32
      %f = arith.select %p, %m, %s : f32
      linalg.yield %f : f32
    } -> !t
    %o = linalg.contract indexing_maps = #mm ins(%h, %v : !t, !t) outs(%z : !t) -> !t
    return %o : !t
  }
}

// -----

// Where no product follows, the chosen expert's matrix may be gathered for each token and multiplied by its row.
// CHECK-LABEL: module @gathers_a_matrix
// CHECK: contract{{.*}}gemm<fprop>{{.*}}, qt.site = #qt.site<router>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#rows = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (t, n, k)>, affine_map<(t, n, k) -> (t, n)>]
!t = tensor<4x4xf32>
module @gathers_a_matrix {
  func.func @main(%x: !t, %r: !t, %experts: tensor<4x4x4xf32>, %z: !t) -> !t {
    %y = linalg.contract indexing_maps = #mm ins(%x, %r : !t, !t) outs(%z : !t) -> !t
    %v = tensor.empty() : tensor<4xi32>
    %chosen = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%y : !t) outs(%v : tensor<4xi32>) {
    ^bb0(%a: f32, %o: i32):
      %zero = arith.constant 0.0 : f32
      %c = arith.cmpf ogt, %a, %zero : f32
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %s = arith.select %c, %i, %o : i32
      linalg.yield %s : i32
    } -> tensor<4xi32>
    %e = tensor.empty() : tensor<4x4x4xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(t, n, k) -> (t)>, affine_map<(t, n, k) -> (t, n, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%chosen : tensor<4xi32>) outs(%e : tensor<4x4x4xf32>) {
    ^bb0(%a: i32, %o: f32):
      %i = arith.index_cast %a : i32 to index
      %n = linalg.index 1 : index
      %k = linalg.index 2 : index
      %f = tensor.extract %experts[%i, %n, %k] : tensor<4x4x4xf32>
      linalg.yield %f : f32
    } -> tensor<4x4x4xf32>
    %out = linalg.contract indexing_maps = #rows ins(%x, %w : !t, tensor<4x4x4xf32>) outs(%z : !t) -> !t
    return %out : !t
  }
}
