// A cumulative sum as JAX writes it, over windows of a padded tensor, which IREE does not compile for GPUs.
//
// RUN: fp8-opt %s --iree-mask-cumulative-sums | FileCheck %s

#window = affine_map<(i, j, k) -> (i + k, j)>
#shape = affine_map<(i, j, k) -> (k)>
#result = affine_map<(i, j, k) -> (i, j)>

// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @cumulative
// CHECK-SAME: (%[[X:.*]]: tensor<5x2xf32>, %[[I:.*]]: tensor<5x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]] : tensor<5x2xf32>) outs(%[[I]]
// CHECK: %[[ELEMENT:.*]] = linalg.index 2
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[BEHIND:.*]] = arith.cmpi sgt, %[[ELEMENT]], %[[PLACE]]
// CHECK: arith.select %[[BEHIND]], %{{.*}}, %{{.*}} : f32
func.func @cumulative(%x: tensor<5x2xf32>, %i: tensor<5x2xf32>, %w: tensor<5xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[4, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<5x2xf32> to tensor<9x2xf32>
  %r = linalg.generic {indexing_maps = [#window, #shape, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %w : tensor<9x2xf32>, tensor<5xf32>) outs(%i : tensor<5x2xf32>) {
  ^bb0(%a: f32, %unread: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

// A window of three is none.
// CHECK-LABEL: func @window
// CHECK: tensor.pad
// CHECK-NOT: arith.select
func.func @window(%x: tensor<5x2xf32>, %i: tensor<5x2xf32>, %w: tensor<3xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<5x2xf32> to tensor<7x2xf32>
  %r = linalg.generic {indexing_maps = [#window, #shape, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %w : tensor<7x2xf32>, tensor<3xf32>) outs(%i : tensor<5x2xf32>) {
  ^bb0(%a: f32, %unread: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
