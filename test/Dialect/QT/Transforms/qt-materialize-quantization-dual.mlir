// RUN: fp8-opt %s --qt-materialize-quantization --split-input-file --verify-diagnostics | FileCheck %s
// RUN: fp8-opt %s --qt-materialize-quantization --qt-match-operand-axes --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SHARED

// The activation of a wgrad is requantized from its quantization for the fprop, which belongs to the forward half. Two
// layers that read one activation requantize it once; as the activation is an argument, from codes of the backward half.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#pow2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-DAG: #[[$ROW:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-DAG: #[[$POW2:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x5xbf16>, %[[W:.*]]: tensor<4x5xbf16>, %[[DYT:.*]]: tensor<4x3xbf16>)
// CHECK: %[[QX:.*]] = qt.quantize %[[X]] in <forward> : tensor<3x5xbf16> to !qt.tensor<3x5xbf16, #[[$ROW]]>
// CHECK: %[[DY:.*]] = qt.quantize %[[DYT]] in <backward>
// CHECK: %[[Q:.*]] = qt.quantize %[[X]] in <forward> : tensor<3x5xbf16> to !qt.tensor<3x5xbf16, #[[$ROW]]>
// CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0]
// CHECK: %[[R:.*]] = qt.requantize %[[T]] in <backward> : !qt.tensor<5x3xbf16, #{{.*}}> to !qt.tensor<5x3xbf16, #[[$POW2]]>
// CHECK: qt.matmul %[[DY]], %[[R]]
// CHECK: qt.matmul %{{.*}}, %{{.*}}

// SHARED-COUNT-2: in <forward>
// SHARED: %[[DY:.*]] = qt.quantize %arg2 in <backward>
// SHARED: %[[Q:.*]] = qt.quantize %arg0 in <backward> : tensor<3x5xbf16>
// SHARED: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0]
// SHARED: %[[R:.*]] = qt.requantize %[[T]]
// SHARED-NOT: qt.{{transpose|requantize|quantize}}
// SHARED: qt.matmul %[[DY]], %[[R]]
// SHARED: qt.matmul %[[R]], %[[DY]]
func.func @main(%x: tensor<3x5xbf16>, %w: tensor<4x5xbf16>, %dyt: tensor<4x3xbf16>) -> (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %z1 = arith.constant dense<0.0> : tensor<4x5xf32>
  %z2 = arith.constant dense<0.0> : tensor<5x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.schemes = #qt.schemes<#row, #row>, qt.half = #qt.half<forward>, qt.roles = #qt.roles<activation, weight>}
    ins(%x, %w : tensor<3x5xbf16>, tensor<4x5xbf16>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = tensor.empty() : tensor<5x3xbf16>
  %xt = linalg.transpose ins(%x : tensor<3x5xbf16>) outs(%e : tensor<5x3xbf16>) permutation = [1, 0]
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.schemes = #qt.schemes<#row, #pow2>, qt.dual = #row, qt.half = #qt.half<backward>, qt.roles = #qt.roles<gradient, activation>}
    ins(%dyt, %xt : tensor<4x3xbf16>, tensor<5x3xbf16>) outs(%z1 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.schemes = #qt.schemes<#pow2, #row>, qt.dual = #row, qt.half = #qt.half<backward>, qt.roles = #qt.roles<activation, gradient>}
    ins(%xt, %dyt : tensor<5x3xbf16>, tensor<4x3xbf16>) outs(%z2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y, %0, %1 : tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>
}

// -----

// An activation that comes in the layout of the wgrad is transposed for it, whatever its sizes.

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: %[[XT:[a-z0-9]*]]: tensor<2x5x?xbf16>)
// CHECK: %[[X:.*]] = linalg.transpose ins(%[[XT]] : tensor<2x5x?xbf16>) outs(%{{.*}} : tensor<2x?x5xbf16>) permutation = [0, 2, 1]
// CHECK: qt.quantize %[[X]] in <forward> : tensor<2x?x5xbf16>
// CHECK: qt.requantize %{{.*}} : !qt.tensor<2x5x?xbf16, #{{.*}}> to !qt.tensor<2x5x?xbf16,
func.func @main(%dyt: tensor<2x4x?xbf16>, %xt: tensor<2x5x?xbf16>) -> tensor<2x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x5xf32>
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
    {qt.schemes = #qt.schemes<#row, #row>, qt.dual = #row, qt.roles = #qt.roles<gradient, activation>}
    ins(%dyt, %xt : tensor<2x4x?xbf16>, tensor<2x5x?xbf16>) outs(%z : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  // expected-error @below {{expected qt.roles beside qt.dual, to know which operand is the activation}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#row, #row>, qt.dual = #row}
    ins(%x, %x : tensor<4x3xf32>, tensor<4x3xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
