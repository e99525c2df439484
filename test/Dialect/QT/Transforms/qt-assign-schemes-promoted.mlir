// RUN: fp8-opt %s --qt-assign-schemes=remarks=false --verify-diagnostics | FileCheck %s
// RUN: fp8-opt %s --qt-assign-schemes=remarks=false --qt-assign-schemes=remarks=false | FileCheck %s
// RUN: fp8-opt %s --qt-assign-schemes=remarks=false --qt-materialize-quantization | FileCheck %s --check-prefix=PRODUCTS

// A line of a recipe says of which products sums are promoted. It says nothing of what is kept in high precision.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @promotes {
  qt.rule <activation> -> #fp8
  qt.rule <weight> -> #fp8
  qt.rule <gradient> -> #fp8
  qt.promote in <dgrad>
  qt.promote in <wgrad> sizes [4, 4, ?]
  // expected-remark @below {{promotes nothing: no contraction that is quantized matches}}
  qt.promote first 2
  // expected-remark @below {{promotes nothing: no contraction that is quantized matches}}
  qt.promote sizes [5, 5, 5]
  qt.keep sizes [5, 5, 5]
}
// CHECK-LABEL: func @main
// PRODUCTS-LABEL: func @main
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %dy: tensor<4x4xf32>, %large: tensor<5x5xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<5x5xf32>
  // CHECK: linalg.contract
  // CHECK-NOT: qt.promoted
  // CHECK-SAME: ins(
  // PRODUCTS: %[[Y:.*]] = qt.matmul %{{.*}}, %{{[^ ]*}} : !qt
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract {{.*}}qt.promoted,{{.*}} ins(
  // PRODUCTS: qt.matmul %{{.*}}, %{{.*}} promoted : !qt
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<gradient, weight>, qt.gemm = #qt.gemm<dgrad>}
    ins(%dy, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract {{.*}}qt.promoted,{{.*}} ins(
  // PRODUCTS: qt.matmul %{{.*}}, %{{.*}} plus %{{.*}} : tensor<4x4xf32> promoted : !qt
  %1 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>}
    ins(%dy, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract
  // CHECK-NOT: qt.promoted
  // CHECK-SAME: ins(
  // PRODUCTS: linalg.contract
  // PRODUCTS-NOT: qt.promoted
  %2 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.roles = #qt.roles<gradient, weight>, qt.gemm = #qt.gemm<dgrad>, qt.promoted}
    ins(%large, %large : tensor<5x5xf32>, tensor<5x5xf32>) outs(%zero : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %y, %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x5xf32>
}
