// A sum of what is negated is the negated sum: IREE's GPU back end finds no neutral element of the subtraction that it would
// make of both.
//
// RUN: fp8-opt %s --iree-lift-negations | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @negated
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK: %[[TERMS:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: arith.mulf
// CHECK-NOT: arith.negf
// CHECK: %[[START:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[START]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[TERMS]]
// CHECK: %[[NEGATED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf32>)
// CHECK: arith.negf
// CHECK: return %[[NEGATED]]
func.func @negated(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %n = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %m = arith.negf %s : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A largest element is no sum, and a sum that starts at a tensor stays.
// CHECK-LABEL: func @others
// CHECK: arith.negf
// CHECK: arith.maximumf
// CHECK: arith.addf
// CHECK-NOT: arith.negf
func.func @others(%x: tensor<4x8xf32>, %i: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %n = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4xf32>, tensor<4xf32>
}
