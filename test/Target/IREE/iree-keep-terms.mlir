// IREE makes a contraction of a sum of products, and its GPU back end finds no layout for a factor that is the same along what
// is summed. The first function is the smallest that it does not compile.
//
// RUN: fp8-opt %s --iree-keep-terms | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @half
// CHECK: %[[TERM:.*]] = arith.mulf
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[KEPT:.*]] = math.fma %[[TERM]], %[[ONE]], %[[ZERO]] : f32
// CHECK: arith.addf %{{.*}}, %[[KEPT]]
func.func @half(%x: tensor<512xf32>, %i: tensor<f32>) -> tensor<f32> {
  %half = arith.constant 0.5 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<512xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %half : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// Factors that are the same for all of a row, the product in an op of its own, behind a view.
// CHECK-LABEL: func @rows
// CHECK: linalg.reduce
// CHECK: math.fma
// CHECK: arith.addf
func.func @rows(%x: tensor<4x8xf32>, %f: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.generic {indexing_maps = [#row, #sum, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %f : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %r = linalg.reduce ins(%c : tensor<32xf32>) outs(%i : tensor<f32>) dimensions = [0] (%a: f32, %o: f32) {
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  }
  return %r : tensor<f32>
}

// Squares, and largest elements, are left alone.
// CHECK-LABEL: func @others
// CHECK-NOT: math.fma
func.func @others(%x: tensor<4x8xf32>, %i: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %half = arith.constant 0.5 : f32
  %r = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %half : f32
    %s = arith.maximumf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4xf32>, tensor<4xf32>
}
