// RUN: fp8-opt %s --qt-materialize-quantization | FileCheck %s

// A rounding that is the only reader of a product becomes the product's own; every other reader keeps the f32 sums.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x3xbf16>, tensor<3x3xf16>, tensor<3x3xbf16>, tensor<3x3xf32>, tensor<3x3xf8E5M2>,
                                         tensor<3x3xbf16>, tensor<3x3xbf16>, tensor<3x3xbf16>) {
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %e = tensor.empty() : tensor<3x3xbf16>

  // CHECK: %[[GENERIC:.*]] = qt.matmul {{.*}} -> tensor<3x3xbf16>
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<3x3xf32>) outs(%e : tensor<3x3xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x3xbf16>

  // CHECK: %[[WHOLE:.*]] = qt.matmul {{.*}} -> tensor<3x3xf16>
  %1 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r1 = arith.truncf %1 : tensor<3x3xf32> to tensor<3x3xf16>

  // Two readers.
  // CHECK: %[[TWO:.*]] = qt.matmul {{.*}} -> tensor<3x3xf32>
  // CHECK: %[[OF_TWO:.*]] = arith.truncf %[[TWO]]
  %2 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r2 = arith.truncf %2 : tensor<3x3xf32> to tensor<3x3xbf16>

  // A type that a product does not have.
  // CHECK: %[[EIGHT:.*]] = qt.matmul {{.*}} -> tensor<3x3xf32>
  // CHECK: arith.truncf %[[EIGHT]]
  %3 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r3 = arith.truncf %3 : tensor<3x3xf32> to tensor<3x3xf8E5M2>

  // A rounding other than to nearest even.
  // CHECK: %[[MODE:.*]] = qt.matmul {{.*}} -> tensor<3x3xf32>
  // CHECK: arith.truncf %[[MODE]] toward_zero
  %4 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r4 = arith.truncf %4 toward_zero : tensor<3x3xf32> to tensor<3x3xbf16>

  // A generic that also moves the elements.
  // CHECK: %[[MOVED:.*]] = qt.matmul {{.*}} -> tensor<3x3xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[MOVED]]
  %5 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r5 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%5 : tensor<3x3xf32>) outs(%e : tensor<3x3xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x3xbf16>

  // A generic that also computes.
  // CHECK: %[[COMPUTED:.*]] = qt.matmul {{.*}} -> tensor<3x3xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[COMPUTED]]
  %6 = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%x, %x : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %r6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%6 : tensor<3x3xf32>) outs(%e : tensor<3x3xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.negf %in : f32
    %t = arith.truncf %n : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x3xbf16>

  // CHECK: return %[[GENERIC]], %[[WHOLE]], %[[OF_TWO]], %[[TWO]]
  return %r0, %r1, %r2, %2, %r3, %r4, %r5, %r6 : tensor<3x3xbf16>, tensor<3x3xf16>, tensor<3x3xbf16>, tensor<3x3xf32>,
                                                 tensor<3x3xf8E5M2>, tensor<3x3xbf16>, tensor<3x3xbf16>, tensor<3x3xbf16>
}
