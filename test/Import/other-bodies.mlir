// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over two operands with m, n and k whose body is no product of the two is left alone, with a remark; sums of other
// shapes are no contraction, and nothing is said.

// RUN: split-file %s %t
// RUN: %python %t/bodies.py %t/template.mlir > %t/all.mlir
// RUN: fp8-opt --fp8-import-linalg --split-input-file %t/all.mlir 2>%t/remarks | FileCheck %s --check-prefix=PRODUCT
// RUN: FileCheck %t/all.mlir --implicit-check-not=remark: < %t/remarks
// RUN: fp8-opt --fp8-import-linalg --split-input-file %t/no-product.mlir 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=remark:
// PRODUCT-COUNT-1: linalg.contract
// PRODUCT-NOT: linalg.contract
// NONE-COUNT-3: @main

//--- bodies.py
import sys

template = open(sys.argv[1]).read()
BODY = "left alone, no matrix product: its body is not the sum of products of two operands"
FUSED = "left alone, no matrix product: its body adds products unrounded (math.fma)"
ADD = "%s = arith.addf %o, %v : f32"
# The type of the left operand, what the body computes, and what import says; None is nothing, for a matrix product.
BODIES = [
    ("f32", "%n = arith.negf %p : f32\n%v = arith.mulf %n, %q : f32\n" + ADD, BODY),
    ("f32", "%n = arith.mulf %p, %q : f32\n%v = arith.negf %n : f32\n" + ADD, BODY),
    ("f32", "%n = arith.negf %o : f32\n%v = arith.mulf %p, %q : f32\n%s = arith.addf %n, %v : f32", BODY),
    ("f32", "%n = math.exp %p : f32\n%v = arith.mulf %n, %q : f32\n" + ADD, BODY),
    ("f32", "%n = arith.mulf %p, %c : f32\n%v = arith.mulf %n, %q : f32\n" + ADD, BODY),
    ("f32", "%n = arith.mulf %p, %q : f32\n%v = arith.mulf %n, %c : f32\n" + ADD, BODY),
    ("f32", "%n = arith.addf %p, %c : f32\n%v = arith.mulf %n, %q : f32\n" + ADD, BODY),
    ("f32", "%n = arith.maximumf %p, %c : f32\n%v = arith.mulf %n, %q : f32\n" + ADD, BODY),
    ("f32", "%v = arith.divf %p, %q : f32\n" + ADD, BODY),
    ("f32", "%n = arith.subf %p, %q : f32\n%v = arith.mulf %n, %n : f32\n" + ADD, BODY),
    ("f32", "%v = arith.divf %p, %q : f32\n%s = arith.subf %o, %v : f32", BODY),
    ("f32", "%n = arith.mulf %o, %c : f32\n%v = arith.divf %p, %q : f32\n%s = arith.addf %n, %v : f32", BODY),
    ("f32", "%n = arith.divf %p, %q : f32\n%s = math.fma %n, %c, %o : f32", BODY),
    ("i1", "%v = arith.select %p, %q, %c : f32\n" + ADD, BODY),
    ("f32", "%s = math.fma %p, %q, %o : f32", FUSED),
    ("f32", "%v = arith.mulf %p, %q : f32\n" + ADD, None),
]
print("\n// -----\n".join(
    template.replace("LEFT", left).replace("BODY", body)
            .replace("// CHECK: EXPECTED\n", f"// CHECK: remark: {what}\n" if what else "")
    for left, body, what in BODIES))
//--- template.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK: EXPECTED
func.func @main(%a: tensor<3x7xLEFT>, %b: tensor<7x5xf32>, %init: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %c = arith.constant 0.5 : f32
  %y = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xLEFT>, tensor<7x5xf32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%p: LEFT, %q: f32, %o: f32):
BODY
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
//--- no-product.mlir
// A variance reads a mean that has no summed dimension.
#x = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
func.func @main(%x: tensor<3x7xf32>, %mean: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %y = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x, %mean : tensor<3x7xf32>, tensor<3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %d = arith.subf %p, %q : f32
    %v = arith.mulf %d, %d : f32
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// -----
// What two tensors of one shape differ by; and the gradient of a normalization's weight, summed over tokens.
#x = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
func.func @main(%x: tensor<3x7xf32>, %z: tensor<3x7xf32>, %mean: tensor<3xf32>, %rows: tensor<3xf32>, %columns: tensor<7xf32>)
    -> (tensor<3xf32>, tensor<7xf32>) {
  %y = linalg.generic {indexing_maps = [#x, #x, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x, %z : tensor<3x7xf32>, tensor<3x7xf32>) outs(%rows : tensor<3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %d = arith.subf %p, %q : f32
    %v = math.absf %d : f32
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %g = linalg.generic {indexing_maps = [#x, #x, #m, #k], iterator_types = ["reduction", "parallel"]}
      ins(%x, %z, %mean : tensor<3x7xf32>, tensor<3x7xf32>, tensor<3xf32>) outs(%columns : tensor<7xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %d = arith.subf %p, %r : f32
    %v = arith.mulf %d, %q : f32
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %y, %g : tensor<3xf32>, tensor<7xf32>
}
// -----
// Integers, and the largest instead of the sum.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<3x7xi32>, %b: tensor<7x5xi32>, %init: tensor<3x5xf32>, %x: tensor<3x7xf32>, %y: tensor<7x5xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xi32>, tensor<7x5xi32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%p: i32, %q: i32, %o: f32):
    %e = arith.cmpi eq, %p, %q : i32
    %v = arith.uitofp %e : i1 to f32
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x7xf32>, tensor<7x5xf32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = arith.addf %p, %q : f32
    %s = arith.maximumf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}
