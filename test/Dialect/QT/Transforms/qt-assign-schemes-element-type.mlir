// RUN: fp8-opt %s --fp8-import-linalg --qt-infer-roles --qt-assign-schemes=remarks=false | FileCheck %s
// RUN: fp8-opt %s --recipe=mxfp8 -o %t

// Elements that no scheme reads, and sums that no quantized product has, keep a product; the reason names the type.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @all {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
}

// CHECK-LABEL: func @main
func.func @main(%d: tensor<3x5xf64>, %dw: tensor<5x4xf64>, %h: tensor<3x5xf16>, %hw: tensor<5x4xf16>, %i: tensor<3x5xi8>,
                %iw: tensor<5x4xi8>, %q: tensor<3x5xf8E5M2>, %qw: tensor<5x4xf8E4M3FN>, %v: tensor<5xf32>,
                %l: tensor<3x5xf128>, %lw: tensor<5x4xf128>, %x: tensor<3x5xf80>, %en: tensor<3x5xf32, "layout">, %ew: tensor<5x4xf32>)
    -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf16>, tensor<3x4xf128>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
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
  // Floats that no sum of f32 or f64 holds, as named ops and in the maps of the normal form.
  // CHECK: linalg.matmul {qt.kept = #qt.kept<element_type, "no scheme reads elements of type f128">}
  %zl = arith.constant dense<0.0> : tensor<3x4xf128>
  %6 = linalg.matmul ins(%l, %lw : tensor<3x5xf128>, tensor<5x4xf128>) outs(%zl : tensor<3x4xf128>) -> tensor<3x4xf128>
  // CHECK: linalg.contract {{.*}}qt.kept<element_type, "no scheme reads elements of type f80">
  %7 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %ew : tensor<3x5xf80>, tensor<5x4xf32>) outs(%zf : tensor<3x4xf32>) -> tensor<3x4xf32>
  // Views do not keep encodings: the reason says so, not the type of the elements.
  // CHECK: linalg.matmul {qt.kept = #qt.kept<no_product, "no matrix product: a tensor type has an encoding">}
  %8 = linalg.matmul ins(%en, %ew : tensor<3x5xf32, "layout">, tensor<5x4xf32>) outs(%zf : tensor<3x4xf32>) -> tensor<3x4xf32>
  // CHECK: linalg.contract {{.*}}qt.kept<no_product, "no matrix product: a tensor type has an encoding">
  %e4 = arith.constant dense<1.0> : tensor<4x5xf32>
  %9 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%en, %e4 : tensor<3x5xf32, "layout">, tensor<4x5xf32>) outs(%zf : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf16>,
      tensor<3x4xf128>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
