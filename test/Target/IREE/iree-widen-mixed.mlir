// Operands of a contraction get one type that holds the numbers of both.
//
// RUN: fp8-opt %s --iree-widen-mixed | FileCheck %s

#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @halves
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: linalg.contract {{.*}} ins(%{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @halves(%x: tensor<4x8xf16>, %w: tensor<4x8xbf16>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %w : tensor<4x8xf16>, tensor<4x8xbf16>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: func @codes
// CHECK: linalg.contract {{.*}} ins(%{{.*}} : tensor<4x8xbf16>, tensor<4x8xbf16>)
// CHECK: arith.extf %{{.*}} : f8E5M2 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.contract {{.*}} ins(%{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: linalg.contract {{.*}} ins(%{{.*}} : tensor<4x8xbf16>, tensor<4x8xbf16>)
// CHECK: linalg.contract {{.*}} ins(%{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @codes(%a: tensor<4x8xf8E4M3FN>, %b: tensor<4x8xbf16>, %c: tensor<4x8xf8E5M2>, %d: tensor<4x8xf16>, %f: tensor<4x8xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [#m, #n, #r] ins(%a, %b : tensor<4x8xf8E4M3FN>, tensor<4x8xbf16>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.contract indexing_maps = [#m, #n, #r] ins(%c, %d : tensor<4x8xf8E5M2>, tensor<4x8xf16>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.contract indexing_maps = [#m, #n, #r] ins(%a, %c : tensor<4x8xf8E4M3FN>, tensor<4x8xf8E5M2>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.contract indexing_maps = [#m, #n, #r] ins(%a, %f : tensor<4x8xf8E4M3FN>, tensor<4x8xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// CHECK-LABEL: func @alike
// CHECK-NOT: arith.extf
func.func @alike(%a: tensor<4x8xbf16>, %f: tensor<4x8xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [#m, #n, #r] ins(%a, %a : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.contract indexing_maps = [#m, #n, #r] ins(%a, %f : tensor<4x8xbf16>, tensor<4x8xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
