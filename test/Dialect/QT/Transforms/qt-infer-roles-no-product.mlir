// RUN: fp8-opt %s --split-input-file --qt-infer-roles --qt-verify-stage=after=roles 2>/dev/null | FileCheck %s
// RUN: fp8-opt %s --split-input-file --fp8-import-linalg --qt-infer-roles --qt-verify-stage=after=roles 2>/dev/null | FileCheck %s

// What contracts and is no matrix product has the reason that import says, and needs no normal form.

// CHECK-LABEL: module @tiles
// CHECK: linalg.mmt4d {qt.kept = #qt.kept<no_product, "no matrix product: its operands are packed in tiles">}
// CHECK: linalg.batch_mmt4d {qt.kept = #qt.kept<no_product, "no matrix product: its operands are packed in tiles">}
module @tiles {
  func.func @main(%a: tensor<1x2x3x7xf32>, %b: tensor<4x2x5x7xf32>, %c: tensor<1x4x3x5xf32>, %d: tensor<2x1x2x3x7xf32>,
                  %e: tensor<2x4x2x5x7xf32>, %f: tensor<2x1x4x3x5xf32>) -> (tensor<1x4x3x5xf32>, tensor<2x1x4x3x5xf32>) {
    %0 = linalg.mmt4d ins(%a, %b : tensor<1x2x3x7xf32>, tensor<4x2x5x7xf32>) outs(%c : tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
    %1 = linalg.batch_mmt4d ins(%d, %e : tensor<2x1x2x3x7xf32>, tensor<2x4x2x5x7xf32>) outs(%f : tensor<2x1x4x3x5xf32>) -> tensor<2x1x4x3x5xf32>
    return %0, %1 : tensor<1x4x3x5xf32>, tensor<2x1x4x3x5xf32>
  }
}

// -----

// Dimensions of one operand or of the result only.
#a = affine_map<(m, n, k, j) -> (m, k, j)>
#b = affine_map<(m, n, k, j) -> (k, n)>
#o = affine_map<(m, n, k, j) -> (m, n)>
// CHECK-LABEL: module @one_sided
// CHECK: linalg.generic
// CHECK-SAME: {qt.kept = #qt.kept<no_product, "no matrix product: a dimension is in one operand only or in the result only">}
// CHECK: linalg.generic
// CHECK-SAME: {qt.kept = #qt.kept<no_product, "no matrix product: a dimension is in one operand only or in the result only">}
module @one_sided {
  func.func @main(%a: tensor<3x7x2xf32>, %b: tensor<7x5xf32>, %c: tensor<3x5xf32>, %d: tensor<3x7xf32>, %e: tensor<2x3x5xf32>) -> (tensor<3x5xf32>, tensor<2x3x5xf32>) {
    %0 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<3x7x2xf32>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %v = arith.mulf %p, %q : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k, j) -> (m, k)>, #b, affine_map<(m, n, k, j) -> (j, m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%d, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%e : tensor<2x3x5xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %v = arith.mulf %p, %q : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<2x3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<2x3x5xf32>
  }
}

// -----

// Bodies that upstream takes for a contraction's, one that it does not, one that does not round its products.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: module @bodies
// CHECK: qt.kept<body, "no matrix product: its body is not the sum of products of two operands">
// CHECK: qt.kept<body, "no matrix product: its body is not the sum of products of two operands">
// CHECK: qt.kept<body, "no matrix product: its body adds products unrounded (math.fma), which no matrix product of these types does">
module @bodies {
  func.func @main(%a: tensor<3x7xf32>, %b: tensor<7x5xf32>, %c: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %n = arith.negf %p : f32
      %v = arith.mulf %n, %q : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %v = arith.divf %p, %q : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    %2 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %s = math.fma %p, %q, %r : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----

// The type that no scheme reads is named, whichever operand has it.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: module @types
// CHECK: qt.kept<element_type, "no scheme reads elements of type i8">
// CHECK: qt.kept<element_type, "no scheme reads elements of type i1">
module @types {
  func.func @main(%a: tensor<3x7xbf16>, %b: tensor<7x5xi8>, %c: tensor<3x5xf32>, %d: tensor<3x7xi1>, %e: tensor<7x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xbf16>, tensor<7x5xi8>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: bf16, %q: i8, %r: f32):
      %x = arith.extf %p : bf16 to f32
      %y = arith.sitofp %q : i8 to f32
      %v = arith.mulf %x, %y : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %e : tensor<3x7xi1>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) {
    ^bb0(%p: i1, %q: f32, %r: f32):
      %x = arith.uitofp %p : i1 to f32
      %v = arith.mulf %x, %q : f32
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}
