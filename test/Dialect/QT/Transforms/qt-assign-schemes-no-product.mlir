// RUN: fp8-opt %s --fp8-import-linalg --qt-infer-roles --qt-assign-schemes=remarks=false 2>/dev/null | FileCheck %s

// What contracts but is no matrix product that a recipe reads stands in the report all the same.

// The report stands first: sizes are batch, m, n and k where there are such, else the iteration space.
// CHECK: qt.report = #qt.report<"all"
// CHECK-SAME: [1, 1, 1, 10368]
// CHECK-SAME: [1, 3, 4, 5]
// CHECK-SAME: [1, 3, 4, 5]
// CHECK-NOT: [1, 3, 4, 5]
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @all {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
}

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @main
func.func @main(%p: tensor<1x8x8x4xf32>, %f: tensor<3x3x4x8xf32>, %e: tensor<1x6x6x8xf32>, %x: tensor<3x5xf32>,
                %w: tensor<5x4xf32>, %z: tensor<3x4xf32>, %i: tensor<3x5xi8>, %j: tensor<5x4xi8>, %y: tensor<3x4xi32>)
    -> (tensor<1x6x6x8xf32>, tensor<3x4xf32>, tensor<3x4xi32>) {
  // CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}qt.kept<no_product, "no matrix product: an indexing map is not a projected permutation">
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %f : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) outs(%e : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  // CHECK: linalg.generic
  // CHECK: qt.kept<body, "no matrix product: its body is not the sum of products of two operands">
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x5xf32>, tensor<5x4xf32>) outs(%z : tensor<3x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %q = arith.subf %o, %m : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  // CHECK: linalg.matmul {qt.kept = #qt.kept<element_type,
  %2 = linalg.matmul ins(%i, %j : tensor<3x5xi8>, tensor<5x4xi8>) outs(%y : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %0, %1, %2 : tensor<1x6x6x8xf32>, tensor<3x4xf32>, tensor<3x4xi32>
}
