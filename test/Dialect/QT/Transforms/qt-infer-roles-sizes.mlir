// RUN: fp8-opt %s --split-input-file --qt-infer-roles | FileCheck %s

// A value that only gives its size is no source of what has that size.

// The logits are split as long as a hidden value is: that does not make the hidden linear a head.
// CHECK-LABEL: module @size_of_a_hidden_value
// CHECK: contract{{.*}}, qt.site = #qt.site<linear>
// CHECK: contract{{.*}}, qt.site = #qt.site<head>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
#id = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
!t = tensor<?x4xf32>
module @size_of_a_hidden_value {
  func.func @main(%x: !t, %v: tensor<4x4xf32>, %w: tensor<4x4xf32>, %z: !t, %e: tensor<?x1x4xf32>, %r: tensor<?x1xf32>, %s: tensor<f32>) -> tensor<f32> {
    %c0 = arith.constant 0 : index
    %h = linalg.contract indexing_maps = #mm ins(%x, %v : !t, tensor<4x4xf32>) outs(%z : !t) -> !t
    %logits = linalg.contract indexing_maps = #mm ins(%h, %w : !t, tensor<4x4xf32>) outs(%z : !t) -> !t
    %rows = tensor.dim %h, %c0 : !t
    %split = tensor.expand_shape %logits [[0, 1], [2]] output_shape [%rows, 1, 4] : !t into tensor<?x1x4xf32>
    %powers = linalg.map { math.exp } ins(%split : tensor<?x1x4xf32>) outs(%e : tensor<?x1x4xf32>)
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<?x1x4xf32>) outs(%r : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %out, %in : f32
      linalg.yield %1 : f32
    } -> tensor<?x1xf32>
    %logs = linalg.map { math.log } ins(%sum : tensor<?x1xf32>) outs(%r : tensor<?x1xf32>)
    %loss = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%logs : tensor<?x1xf32>) outs(%s : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %out, %in : f32
      linalg.yield %1 : f32
    } -> tensor<f32>
    return %loss : tensor<f32>
  }
}
