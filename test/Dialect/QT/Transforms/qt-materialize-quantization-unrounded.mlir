// RUN: fp8-opt %s --split-input-file --qt-materialize-quantization | FileCheck %s
//
// With cast_source <fp32_unrounded> a quantizer reads what came before a rounding that nothing else reads.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @unrounded cast_source <fp32_unrounded> {
  qt.rule <activation> -> #mx
}

// Also below a transpose, whose reader is quantized too.
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>
func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xbf16>, %v: tensor<4x4xbf16>) -> (tensor<4x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<4x8xbf16>
  // CHECK-NOT: arith.truncf
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  // CHECK: qt.quantize %[[X]] in <forward> : tensor<4x8xf32> to !qt.tensor<4x8xf32, #scheme>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %z = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>, qt.half = #qt.half<forward>}
         ins(%y, %w : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = tensor.empty() : tensor<8x4xbf16>
  %t = linalg.transpose ins(%y : tensor<4x8xbf16>) outs(%f : tensor<8x4xbf16>) permutation = [1, 0]
  // CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<4x8xf32>)
  // CHECK: qt.quantize %[[T]] in <backward> : tensor<8x4xf32> to !qt.tensor<8x4xf32, #scheme>
  %zero1 = arith.constant dense<0.0> : tensor<8x4xf32>
  %u = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>, qt.half = #qt.half<backward>}
         ins(%t, %v : tensor<8x4xbf16>, tensor<4x4xbf16>) outs(%zero1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %z, %u : tensor<4x4xf32>, tensor<8x4xf32>
}

// -----

// A product before it keeps its f32 sums.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @unrounded cast_source <fp32_unrounded> {
  qt.rule <activation> -> #mx
}

// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<4x8xbf16>, %v: tensor<4x4xbf16>) -> tensor<4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  // CHECK: %[[Y:.*]] = qt.matmul {{.*}} -> tensor<4x4xf32>
  // CHECK-NOT: arith.truncf
  // CHECK: qt.quantize %[[Y]] : tensor<4x4xf32>
  %z = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>}
         ins(%x, %w : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xbf16>
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
         ins(%z : tensor<4x4xf32>) outs(%e : tensor<4x4xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x4xbf16>
  %u = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>}
         ins(%y, %v : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %u : tensor<4x4xf32>
}

// -----

// Another reader of the rounded number, here the result, keeps it; so does the default.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @unrounded cast_source <fp32_unrounded> {
  qt.rule <activation> -> #mx
}

// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xbf16>) -> (tensor<4x4xf32>, tensor<4x8xbf16>) {
  %e = tensor.empty() : tensor<4x8xbf16>
  // CHECK: %[[Y:.*]] = linalg.generic
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  // CHECK: qt.quantize %[[Y]] : tensor<4x8xbf16>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %z = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>}
         ins(%y, %w : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z, %y : tensor<4x4xf32>, tensor<4x8xbf16>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @rounded cast_source <rounded> {
  qt.rule <activation> -> #mx
}

// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xbf16>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x8xbf16>
  // CHECK: %[[Y:.*]] = linalg.generic
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  // CHECK: qt.quantize %[[Y]] : tensor<4x8xbf16>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %z = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#mx, #mx>}
         ins(%y, %w : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
