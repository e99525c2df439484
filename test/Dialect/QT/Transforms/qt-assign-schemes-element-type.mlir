// RUN: fp8-opt %s --fp8-import-linalg --qt-infer-roles --qt-assign-schemes=remarks=false | FileCheck %s

// Elements that no scheme reads, and sums that no quantized product has, keep a product; the reason names the type.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @all {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
}

// CHECK-LABEL: func @main
func.func @main(%d: tensor<3x5xf64>, %dw: tensor<5x4xf64>, %h: tensor<3x5xf16>, %hw: tensor<5x4xf16>, %i: tensor<3x5xi8>,
                %iw: tensor<5x4xi8>, %q: tensor<3x5xf8E5M2>, %qw: tensor<5x4xf8E4M3FN>, %v: tensor<5xf32>)
    -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf16>) {
  %zd = arith.constant dense<0.0> : tensor<3x4xf64>
  // CHECK: linalg.contract {{.*}}qt.kept<element_type, "no scheme reads elements of type f64">
  %0 = linalg.matmul ins(%d, %dw : tensor<3x5xf64>, tensor<5x4xf64>) outs(%zd : tensor<3x4xf64>) -> tensor<3x4xf64>
  // CHECK: linalg.contract {{.*}}qt.kept<element_type, "no quantized product accumulates in f64">
  %1 = linalg.matmul ins(%h, %hw : tensor<3x5xf16>, tensor<5x4xf16>) outs(%zd : tensor<3x4xf64>) -> tensor<3x4xf64>
  // CHECK: linalg.matmul {qt.kept = #qt.kept<element_type, "no scheme reads elements of type i8">}
  %zi = arith.constant dense<0> : tensor<3x4xi32>
  %2 = linalg.matmul ins(%i, %iw : tensor<3x5xi8>, tensor<5x4xi8>) outs(%zi : tensor<3x4xi32>) -> tensor<3x4xi32>
  // CHECK: linalg.contract {{.*}}qt.kept<element_type, "no scheme reads elements of type f8E5M2">
  %zf = arith.constant dense<0.0> : tensor<3x4xf32>
  %3 = linalg.matmul ins(%q, %qw : tensor<3x5xf8E5M2>, tensor<5x4xf8E4M3FN>) outs(%zf : tensor<3x4xf32>) -> tensor<3x4xf32>
  // A product of a matrix and a vector is none of two matrices, also as linalg.contract.
  // CHECK: linalg.contract {{.*}}qt.kept<no_product, "no matrix product: it has no n dimension">
  %zv = arith.constant dense<0.0> : tensor<4xf32>
  %w = arith.constant dense<1.0> : tensor<4x5xf32>
  %4 = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>]
    ins(%w, %v : tensor<4x5xf32>, tensor<5xf32>) outs(%zv : tensor<4xf32>) -> tensor<4xf32>
  // f16 with an f16 sum is none of these: import gives it an f32 sum.
  // CHECK: linalg.contract {{.*}}qt.schemes
  %zh = arith.constant dense<0.0> : tensor<3x4xf16>
  %5 = linalg.matmul ins(%h, %hw : tensor<3x5xf16>, tensor<5x4xf16>) outs(%zh : tensor<3x4xf16>) -> tensor<3x4xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf16>
}
