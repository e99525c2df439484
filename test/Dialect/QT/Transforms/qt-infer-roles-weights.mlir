// RUN: fp8-opt %s --split-input-file --qt-infer-roles 2>&1 | FileCheck %s --implicit-check-not=remark

// Which of two stored operands is the weight.

// A graph for inference holds its weights as constants, also behind views: they are weights, and the only argument is
// none.
// CHECK-LABEL: module @constants
// CHECK: contract{{.*}}gemm<fprop>{{.*}}layer<0, 0>, qt.linear = #qt.linear<0>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}gemm<fprop>{{.*}}qt.linear = #qt.linear<1>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @constants {
  func.func @main(%x: tensor<3x4xf32>) -> tensor<3x6xf32> {
    %w = arith.constant dense<0.25> : tensor<4x5xf32>
    %v = arith.constant dense_resource<v> : tensor<6x5xf32>
    %e = tensor.empty() : tensor<5x4xf32>
    %z = arith.constant dense<0.0> : tensor<3x5xf32>
    %y = arith.constant dense<0.0> : tensor<3x6xf32>
    %t = linalg.transpose ins(%w : tensor<4x5xf32>) outs(%e : tensor<5x4xf32>) permutation = [1, 0]
    %0 = linalg.contract indexing_maps = #mm ins(%x, %t : tensor<3x4xf32>, tensor<5x4xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = math.tanh %0 : tensor<3x5xf32>
    %2 = linalg.contract indexing_maps = #mm ins(%1, %v : tensor<3x5xf32>, tensor<6x5xf32>) outs(%y : tensor<3x6xf32>) -> tensor<3x6xf32>
    return %2 : tensor<3x6xf32>
  }
}
{-#
  dialect_resources: { builtin: { v: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" } }
#-}

// -----

// A vector is no weight, whatever views make of it: positions times frequencies.
// CHECK-LABEL: module @vector
// CHECK: contract{{.*}}roles<activation, activation>, qt.site = #qt.site<other>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @vector {
  func.func @main(%x: tensor<3x4xf32>) -> tensor<3x5xf32> {
    %f = arith.constant dense<0.25> : tensor<5xf32>
    %m = tensor.expand_shape %f [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
    %s = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<3x4xf32> to tensor<3x1xf32>
    %p = math.tanh %s : tensor<3x1xf32>
    %z = arith.constant dense<0.0> : tensor<3x5xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%p, %m : tensor<3x1xf32>, tensor<5x1xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
}

// -----

// The signature says which argument is the parameter, and that an input is no weight.
// CHECK-LABEL: module @signature
// CHECK: contract{{.*}}linear<0, argument = 0, sums = [1]>, qt.roles = #qt.roles<weight, activation>
// CHECK: contract{{.*}}roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @signature attributes {
    qt.signature = #qt.signature<arguments = [<"w", parameter>, <"x", unknown>, <"k", input>, <"z", input>] results = [<"y", unknown>, <"s", unknown>]>} {
  func.func @main(%w: !t, %x: !t, %k: !t, %z: !t) -> (!t, !t) {
    %0 = linalg.contract indexing_maps = #mm ins(%w, %x : !t, !t) outs(%z : !t) -> !t
    %1 = math.tanh %0 : !t
    %2 = linalg.contract indexing_maps = #mm ins(%1, %k : !t, !t) outs(%z : !t) -> !t
    return %0, %2 : !t, !t
  }
}

// -----

// Weights that are concatenated are one, those of a stack too, and it says which arguments they are, each once; what
// else is concatenated is none, and neither is what has an input in it.
// CHECK-LABEL: module @concatenated
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, parts = [1, 2]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}qt.linear = #qt.linear<1, parts = [1]>, qt.roles = #qt.roles<weight, activation>
// CHECK: contract{{.*}}roles<activation, activation>
// CHECK: contract{{.*}}roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @concatenated attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"w", parameter>, <"v", parameter>, <"z", unknown>, <"c", input>] results = [<"a", unknown>, <"b", unknown>, <"c", unknown>, <"d", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %v: tensor<2x4x4xf32>, %z: tensor<4x8xf32>, %c: !t) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %s = tensor.extract_slice %v[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %wv = tensor.concat dim(0) %w, %s : (!t, !t) -> tensor<8x4xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%x, %wv : !t, tensor<8x4xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    %k = arith.constant dense<0.25> : !t
    %kw = tensor.concat dim(0) %k, %w : (!t, !t) -> tensor<8x4xf32>
    %z1 = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.contract indexing_maps = #mm ins(%kw, %x : tensor<8x4xf32>, !t) outs(%z1 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %h = math.tanh %x : !t
    %hw = tensor.concat dim(0) %h, %w : (!t, !t) -> tensor<8x4xf32>
    %2 = linalg.contract indexing_maps = #mm ins(%h, %hw : !t, tensor<8x4xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    %cw = tensor.concat dim(0) %c, %w : (!t, !t) -> tensor<8x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%h, %cw : !t, tensor<8x4xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
}

// -----

// Concatenations of concatenations: all of their parts count. Doubled forty times, they are no longer to look at.
// CHECK-LABEL: module @nested
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, parts = [2, 1]>, qt.roles = #qt.roles<weight, activation>
// CHECK: contract{{.*}}qt.linear = #qt.linear<1, parts = [1, 2]>, qt.roles = #qt.roles<weight, activation>
// CHECK: contract{{.*}}roles<activation, activation>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @nested attributes {
    qt.signature = #qt.signature<arguments = [<"x", unknown>, <"w", parameter>, <"v", parameter>, <"c", input>] results = [<"a", unknown>, <"b", unknown>, <"c", unknown>]>} {
  func.func @main(%x: !t, %w: !t, %v: !t, %c: !t) -> (tensor<12x4xf32>, tensor<?x4xf32>, tensor<12x4xf32>) {
    %z = tensor.empty() : tensor<12x4xf32>
    %vw = tensor.concat dim(0) %v, %w : (!t, !t) -> tensor<8x4xf32>
    %vww = tensor.concat dim(0) %vw, %w : (tensor<8x4xf32>, !t) -> tensor<12x4xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%vww, %x : tensor<12x4xf32>, !t) outs(%z : tensor<12x4xf32>) -> tensor<12x4xf32>
    %zero = arith.constant 0 : index
    %d0 = tensor.concat dim(0) %w, %v : (!t, !t) -> tensor<8x4xf32>
    %d1 = tensor.concat dim(0) %d0, %d0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
    %d2 = tensor.concat dim(0) %d1, %d1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d3 = tensor.concat dim(0) %d2, %d2 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d4 = tensor.concat dim(0) %d3, %d3 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d5 = tensor.concat dim(0) %d4, %d4 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d6 = tensor.concat dim(0) %d5, %d5 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d7 = tensor.concat dim(0) %d6, %d6 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d8 = tensor.concat dim(0) %d7, %d7 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d9 = tensor.concat dim(0) %d8, %d8 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d10 = tensor.concat dim(0) %d9, %d9 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d11 = tensor.concat dim(0) %d10, %d10 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d12 = tensor.concat dim(0) %d11, %d11 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d13 = tensor.concat dim(0) %d12, %d12 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d14 = tensor.concat dim(0) %d13, %d13 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d15 = tensor.concat dim(0) %d14, %d14 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d16 = tensor.concat dim(0) %d15, %d15 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d17 = tensor.concat dim(0) %d16, %d16 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d18 = tensor.concat dim(0) %d17, %d17 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d19 = tensor.concat dim(0) %d18, %d18 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d20 = tensor.concat dim(0) %d19, %d19 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d21 = tensor.concat dim(0) %d20, %d20 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d22 = tensor.concat dim(0) %d21, %d21 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d23 = tensor.concat dim(0) %d22, %d22 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d24 = tensor.concat dim(0) %d23, %d23 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d25 = tensor.concat dim(0) %d24, %d24 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d26 = tensor.concat dim(0) %d25, %d25 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d27 = tensor.concat dim(0) %d26, %d26 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d28 = tensor.concat dim(0) %d27, %d27 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d29 = tensor.concat dim(0) %d28, %d28 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d30 = tensor.concat dim(0) %d29, %d29 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d31 = tensor.concat dim(0) %d30, %d30 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d32 = tensor.concat dim(0) %d31, %d31 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d33 = tensor.concat dim(0) %d32, %d32 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d34 = tensor.concat dim(0) %d33, %d33 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d35 = tensor.concat dim(0) %d34, %d34 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d36 = tensor.concat dim(0) %d35, %d35 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d37 = tensor.concat dim(0) %d36, %d36 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d38 = tensor.concat dim(0) %d37, %d37 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d39 = tensor.concat dim(0) %d38, %d38 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %d40 = tensor.concat dim(0) %d39, %d39 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %rows = tensor.dim %d40, %zero : tensor<?x4xf32>
    %zd = tensor.empty(%rows) : tensor<?x4xf32>
    %1 = linalg.contract indexing_maps = #mm ins(%d40, %x : tensor<?x4xf32>, !t) outs(%zd : tensor<?x4xf32>) -> tensor<?x4xf32>
    %vc = tensor.concat dim(0) %v, %c : (!t, !t) -> tensor<8x4xf32>
    %vcw = tensor.concat dim(0) %vc, %w : (tensor<8x4xf32>, !t) -> tensor<12x4xf32>
    %h = math.tanh %x : !t
    %2 = linalg.contract indexing_maps = #mm ins(%vcw, %h : tensor<12x4xf32>, !t) outs(%z : tensor<12x4xf32>) -> tensor<12x4xf32>
    return %0, %1, %2 : tensor<12x4xf32>, tensor<?x4xf32>, tensor<12x4xf32>
  }
}

// -----

// Two slices of one argument are one part.
// CHECK-LABEL: module @slices
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, parts = [1, 2]>, qt.roles = #qt.roles<activation, weight>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @slices attributes {
    qt.signature = #qt.signature<arguments = [<"x", input>, <"v", parameter>, <"w", parameter>] results = [<"a", unknown>]>} {
  func.func @main(%x: !t, %v: tensor<2x4x4xf32>, %w: !t) -> tensor<4x12xf32> {
    %s = tensor.extract_slice %v[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %t = tensor.extract_slice %v[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to !t
    %c = tensor.concat dim(0) %s, %t, %w : (!t, !t, !t) -> tensor<12x4xf32>
    %z = tensor.empty() : tensor<4x12xf32>
    %0 = linalg.contract indexing_maps = #mm ins(%x, %c : !t, tensor<12x4xf32>) outs(%z : tensor<4x12xf32>) -> tensor<4x12xf32>
    return %0 : tensor<4x12xf32>
  }
}

// -----

// A vector beside a matrix is no weight, repeated for rows or one row: the matrix is, and stays it elsewhere.
// CHECK-LABEL: module @vector_input
// CHECK: contract{{.*}}qt.linear = #qt.linear<0, argument = 0, sums = [1]>, qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}qt.roles = #qt.roles<activation, weight>, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}qt.roles = #qt.roles<weight, activation>, qt.site = #qt.site<linear>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!t = tensor<4x4xf32>
module @vector_input {
  func.func @main(%w: !t, %v: tensor<4xf32>, %x: !t, %z: !t, %one: tensor<4x1xf32>) -> (!t, !t, tensor<4x1xf32>) {
    %rows = linalg.broadcast ins(%v : tensor<4xf32>) outs(%z : !t) dimensions = [0]
    %0 = linalg.contract indexing_maps = #mm ins(%rows, %w : !t, !t) outs(%z : !t) -> !t
    %h = math.tanh %x : !t
    %1 = linalg.contract indexing_maps = #mm ins(%h, %w : !t, !t) outs(%z : !t) -> !t
    %row = tensor.expand_shape %v [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %2 = linalg.contract indexing_maps = #mm ins(%w, %row : !t, tensor<1x4xf32>) outs(%one : tensor<4x1xf32>) -> tensor<4x1xf32>
    return %0, %1, %2 : !t, !t, tensor<4x1xf32>
  }
}
