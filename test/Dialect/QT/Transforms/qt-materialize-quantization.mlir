// RUN: fp8-opt %s --qt-materialize-quantization --split-input-file | FileCheck %s

// A contraction with schemes becomes a product of quantized operands, and what was learnt about it goes.

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
#x = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#w = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$X:.*]] = #qt.scheme<f8E4M3FN,
// CHECK-DAG: #[[$W:.*]] = #qt.scheme<f8E5M2,
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[ARG0:.*]]: tensor<2x3x?xf32>, %[[ARG1:.*]]: tensor<2x4x?xbf16>)
// CHECK-NEXT: %[[A:.*]] = qt.quantize %[[ARG0]] in <backward> : tensor<2x3x?xf32> to !qt.tensor<2x3x?xf32, #[[$X]]>
// CHECK-NEXT: %[[B:.*]] = qt.quantize %[[ARG1]] in <backward> : tensor<2x4x?xbf16> to !qt.tensor<2x4x?xbf16, #[[$W]]>
// CHECK-NEXT: %[[Y:.*]] = qt.matmul %[[A]], %[[B]] : {{[^{]*}} -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @main(%x: tensor<2x3x?xf32>, %w: tensor<2x4x?xbf16>) -> tensor<2x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.schemes = #qt.schemes<#x, #w>, qt.half = #qt.half<backward>, qt.roles = #qt.roles<activation, weight>,
     qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>, qt.linear = #qt.linear<0>, qt.layer = #qt.layer<0, 0>}
    ins(%x, %w : tensor<2x3x?xf32>, tensor<2x4x?xbf16>) outs(%z : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// A contraction that is kept is left alone, and keeps its reason.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @main
// CHECK-NOT: qt.quantize
// CHECK: linalg.contract
// CHECK-SAME: {qt.kept = #qt.kept<site, "why">} ins
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.kept = #qt.kept<site, "why">, qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What a product is added to is its addend; plus zeros are none, minus zeros are one (x + -0 is x, x + 0 is not -0).

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: %[[SUM:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK: qt.matmul %{{.*}}, %{{.*}} plus %[[SUM]] : tensor<3x4xf32>
// CHECK: qt.matmul %{{.*}}, %{{.*}} plus %{{.*}} : tensor<3x4xf32>
// CHECK: qt.matmul
// CHECK-NOT: plus
// CHECK: return
func.func @main(%x: tensor<3x5xf32>, %w: tensor<4x5xf32>, %sum: tensor<3x4xf32>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%sum : tensor<3x4xf32>) -> tensor<3x4xf32>
  %minus = arith.constant dense<-0.0> : tensor<3x4xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%minus : tensor<3x4xf32>) -> tensor<3x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %plus = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %w : tensor<3x5xf32>, tensor<4x5xf32>) outs(%plus : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

// A weight that several products read is quantized by each: sharing is the next step's.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<3x5xf32>)
// CHECK-COUNT-4: qt.quantize %[[W]]
// CHECK-NOT: qt.quantize
func.func @main(%w: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%w, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%w, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// A product without role has a half and a site, which go as well.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @main
// CHECK: linalg.contract
// CHECK-SAME: {qt.kept = #qt.kept<no_role, "why">} ins
func.func @main(%x: tensor<2x3xf32>, %z: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.kept = #qt.kept<no_role, "why">, qt.half = #qt.half<backward>, qt.site = #qt.site<score>}
    ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
