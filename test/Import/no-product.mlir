// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction that is no matrix product is left as it is, with the reason as a remark.

// RUN: fp8-opt --fp8-import-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @main(
// CHECK:         linalg.matvec
// CHECK:         linalg.vecmat
// CHECK:         linalg.dot
func.func @main(%a: tensor<3x7xf32>, %x: tensor<7xf32>, %y: tensor<3xf32>, %s: tensor<f32>)
    -> (tensor<3xf32>, tensor<7xf32>, tensor<f32>) {
  // expected-remark @below {{it has no n dimension}}
  %0 = linalg.matvec ins(%a, %x : tensor<3x7xf32>, tensor<7xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
  // expected-remark @below {{it has no m dimension}}
  %1 = linalg.vecmat ins(%y, %a : tensor<3xf32>, tensor<3x7xf32>) outs(%x : tensor<7xf32>) -> tensor<7xf32>
  // expected-remark @below {{left alone, no matrix product: it has no m dimension}}
  %2 = linalg.dot ins(%x, %x : tensor<7xf32>, tensor<7xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<3xf32>, tensor<7xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: @main(
// CHECK:         linalg.matmul {{.*}} -> tensor<3x5xi32>
func.func @main(%a: tensor<3x7xi8>, %b: tensor<7x5xi8>, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  // expected-remark @below {{no matrix product: its elements are not floats of at most 32 bits or f64}}
  %0 = linalg.matmul ins(%a, %b : tensor<3x7xi8>, tensor<7x5xi8>) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// -----

// CHECK-LABEL: @main(
// CHECK:         linalg.mmt4d
func.func @main(%a: tensor<1x2x3x7xf32>, %b: tensor<4x2x5x7xf32>, %c: tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32> {
  // expected-remark @below {{no matrix product: its operands are packed in tiles}}
  %0 = linalg.mmt4d ins(%a, %b : tensor<1x2x3x7xf32>, tensor<4x2x5x7xf32>) outs(%c : tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
  return %0 : tensor<1x4x3x5xf32>
}

// -----

// CHECK-LABEL: @main(
// CHECK:         linalg.conv_1d
func.func @main(%a: tensor<9xf32>, %b: tensor<3xf32>, %c: tensor<7xf32>) -> tensor<7xf32> {
  // expected-remark @below {{no matrix product: an indexing map is not a projected permutation}}
  %0 = linalg.conv_1d ins(%a, %b : tensor<9xf32>, tensor<3xf32>) outs(%c : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// The left operand alone is summed over k: sum_k a[m, k] * b[m, n].
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @main(
// CHECK:         linalg.generic
func.func @main(%a: tensor<3x7xf32>, %b: tensor<3x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-remark @below {{no matrix product: a dimension is in one operand only or in the result only}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #b], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf32>, tensor<3x5xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// A sum of squares reads one input and is no contraction, so it gets no remark; a body that subtracts products, or has
// more factors, contracts in a form that is none of a matrix product.
#a = affine_map<(m, k) -> (m, k)>
#c = affine_map<(m, k) -> (m)>
#l = affine_map<(m, n, k) -> (m, k)>
#r = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @main(
// CHECK-COUNT-3: linalg.generic
func.func @main(%a: tensor<3x7xf32>, %b: tensor<7x5xf32>, %c: tensor<3xf32>, %d: tensor<3x5xf32>)
    -> (tensor<3xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = linalg.generic {indexing_maps = [#a, #c], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x7xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %z: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  // expected-remark @below {{no matrix product: its body is not the sum of products of two operands}}
  %1 = linalg.generic {indexing_maps = [#l, #r, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%d : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  // expected-remark @below {{no matrix product: its body is not the sum}}
  %2 = linalg.generic {indexing_maps = [#l, #r, #l, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %a : tensor<3x7xf32>, tensor<7x5xf32>, tensor<3x7xf32>) outs(%d : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %u: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.mulf %p, %u : f32
    %s = arith.addf %z, %q : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// A scalar operand, and a tensor with an encoding.
#enc = dense<1> : tensor<1xi8>
#scalar = affine_map<(m, k) -> ()>
#a = affine_map<(m, k) -> (m, k)>
#c = affine_map<(m, k) -> (m)>
// CHECK-LABEL: @main(
// CHECK:         linalg.generic
// CHECK:         linalg.matmul
func.func @main(%s: f32, %a: tensor<3x7xf32>, %b: tensor<7x5xf32, #enc>, %c: tensor<3xf32>, %d: tensor<3x5xf32>)
    -> (tensor<3xf32>, tensor<3x5xf32>) {
  // expected-remark @below {{a dimension is in one operand only}}
  %0 = linalg.generic {indexing_maps = [#scalar, #a, #c], iterator_types = ["parallel", "reduction"]}
      ins(%s, %a : f32, tensor<3x7xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  // expected-remark @below {{a tensor type has an encoding}}
  %1 = linalg.matmul ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32, #enc>) outs(%d : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0, %1 : tensor<3xf32>, tensor<3x5xf32>
}

// -----

// Types are the reason only of what would else be a product: an integer product of a matrix and a vector has no n. Complex
// numbers and truth values have elements of another kind.
// CHECK-LABEL: @main(
// CHECK:         linalg.matvec
// CHECK:         linalg.matmul
// CHECK:         linalg.matmul
func.func @main(%a: tensor<3x7xi8>, %x: tensor<7xi8>, %y: tensor<3xi32>, %b: tensor<3x7xcomplex<f32>>, %c: tensor<7x5xcomplex<f32>>,
                %d: tensor<3x5xcomplex<f32>>, %i: tensor<3x7xi1>, %j: tensor<7x5xi1>, %k: tensor<3x5xi1>)
    -> (tensor<3xi32>, tensor<3x5xcomplex<f32>>, tensor<3x5xi1>) {
  // expected-remark @below {{it has no n dimension}}
  %0 = linalg.matvec ins(%a, %x : tensor<3x7xi8>, tensor<7xi8>) outs(%y : tensor<3xi32>) -> tensor<3xi32>
  // expected-remark @below {{its elements are not floats}}
  %1 = linalg.matmul ins(%b, %c : tensor<3x7xcomplex<f32>>, tensor<7x5xcomplex<f32>>) outs(%d : tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  // expected-remark @below {{its elements are not floats}}
  %2 = linalg.matmul ins(%i, %j : tensor<3x7xi1>, tensor<7x5xi1>) outs(%k : tensor<3x5xi1>) -> tensor<3x5xi1>
  return %0, %1, %2 : tensor<3xi32>, tensor<3x5xcomplex<f32>>, tensor<3x5xi1>
}

// -----

// An operand that the body reads by its indices, of one input; and none, where both are read so. Products of indices are none.
#x = affine_map<(m, n, k) -> (m, k)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %i: tensor<8xindex>, %c: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  // expected-remark @below {{no matrix product: its body is not the sum of products of two operands}}
  %0 = linalg.generic {indexing_maps = [#x, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %k = linalg.index 2 : index
    %n = linalg.index 1 : index
    %q = tensor.extract %w[%k, %n] : tensor<8x6xf32>
    %v = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %v : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %a = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{no matrix product: its body is not the sum of products of two operands}}
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k)>, #o],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<8xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%unread: f32, %sum: f32):
    %k = linalg.index 2 : index
    %n = linalg.index 1 : index
    %m = linalg.index 0 : index
    %p = tensor.extract %x[%m, %k] : tensor<4x8xf32>
    %q = tensor.extract %w[%k, %n] : tensor<8x6xf32>
    %v = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %v : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [#x, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %k = linalg.index 2 : index
    %j = tensor.extract %i[%k] : tensor<8xindex>
    %l = tensor.extract %i[%j] : tensor<8xindex>
    %h = arith.muli %j, %l : index
    %q = arith.index_cast %h : index to i32
    %r = arith.sitofp %q : i32 to f32
    %s = arith.addf %sum, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
