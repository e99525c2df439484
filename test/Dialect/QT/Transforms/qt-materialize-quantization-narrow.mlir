// RUN: fp8-opt %s --qt-materialize-quantization --split-input-file | FileCheck %s

// A quantizer reads the narrowest exact source: behind a widening cast, as generic or on whole tensors.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x5xbf16>, %[[W:.*]]: tensor<4x5xf16>)
// CHECK-NOT: arith.extf
// CHECK: qt.quantize %[[X]] : tensor<3x5xbf16>
// CHECK: qt.quantize %[[W]] : tensor<4x5xf16>
func.func @main(%x: tensor<3x5xbf16>, %w: tensor<4x5xf16>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xbf16>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<3x5xf32>
  %wideW = arith.extf %w : tensor<4x5xf16> to tensor<4x5xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%wide, %wideW : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Transposes, reshapes and slices between the cast and the product are moved to the narrow side.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x2x4x?xbf16>, %[[W:.*]]: tensor<4x?xf32>, %[[I:.*]]: index)
// CHECK-NOT: arith.extf
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][%[[I]], 0, 0, 0] {{.*}} : tensor<2x2x4x?xbf16> to tensor<2x4x?xbf16>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[SLICE]] {{.*}} : tensor<2x4x?xbf16> into tensor<8x?xbf16>
// CHECK: %[[AGAIN:.*]] = tensor.expand_shape %[[FLAT]] {{.*}} : tensor<8x?xbf16> into tensor<1x8x?xbf16>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[AGAIN]] {{.*}} into tensor<8x?xbf16>
// CHECK: %[[SIDE:.*]] = linalg.transpose ins(%[[ROWS]] : tensor<8x?xbf16>) outs(%{{.*}} : tensor<?x8xbf16>) permutation = [1, 0]
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[SIDE]] : tensor<?x8xbf16>)
// CHECK: qt.quantize %[[BACK]] : tensor<8x?xbf16> to !qt.tensor<8x?xbf16,
func.func @main(%x: tensor<2x2x4x?xbf16>, %w: tensor<4x?xf32>, %i: index) -> tensor<8x4xf32> {
  %c3 = arith.constant 3 : index
  %k = tensor.dim %x, %c3 : tensor<2x2x4x?xbf16>
  %wide = arith.extf %x : tensor<2x2x4x?xbf16> to tensor<2x2x4x?xf32>
  %slice = tensor.extract_slice %wide[%i, 0, 0, 0] [1, 2, 4, %k] [1, 1, 1, 1] : tensor<2x2x4x?xf32> to tensor<2x4x?xf32>
  %flat = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<2x4x?xf32> into tensor<8x?xf32>
  %again = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, 8, %k] : tensor<8x?xf32> into tensor<1x8x?xf32>
  %rows = tensor.collapse_shape %again [[0, 1], [2]] : tensor<1x8x?xf32> into tensor<8x?xf32>
  %e = tensor.empty(%k) : tensor<?x8xf32>
  %side = linalg.transpose ins(%rows : tensor<8x?xf32>) outs(%e : tensor<?x8xf32>) permutation = [1, 0]
  %f = tensor.empty(%k) : tensor<8x?xf32>
  %back = linalg.transpose ins(%side : tensor<?x8xf32>) outs(%f : tensor<8x?xf32>) permutation = [1, 0]
  %z = arith.constant dense<0.0> : tensor<8x4xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%back, %w : tensor<8x?xf32>, tensor<4x?xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// Several casts in a row are all removed; a wide value with another reader stays for it.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x5xf8E5M2>)
// CHECK: %[[HALF:.*]] = arith.extf %[[X]] : tensor<3x5xf8E5M2> to tensor<3x5xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[HALF]] : tensor<3x5xbf16> to tensor<3x5xf32>
// CHECK: qt.quantize %[[HALF]] : tensor<3x5xbf16>
// CHECK: return %{{.*}}, %[[WIDE]]
func.func @main(%x: tensor<3x5xf8E5M2>) -> (tensor<3x3xf32>, tensor<3x5xf32>) {
  %half = arith.extf %x : tensor<3x5xf8E5M2> to tensor<3x5xbf16>
  %wide = arith.extf %half : tensor<3x5xbf16> to tensor<3x5xf32>
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%wide, %wide : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y, %wide : tensor<3x3xf32>, tensor<3x5xf32>
}

// -----

// Must not fire: a source that no scheme reads (f8), a cast that rounds, arithmetic in between.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[WIDE:.*]] = arith.extf
// CHECK: %[[TWICE:.*]] = linalg.generic
// CHECK: %[[ROUNDED:.*]] = arith.truncf
// CHECK: qt.quantize %[[WIDE]] : tensor<3x5xf32>
// CHECK: qt.quantize %[[TWICE]] : tensor<3x5xf32>
// CHECK: qt.quantize %[[ROUNDED]] : tensor<3x5xbf16>
func.func @main(%q: tensor<3x5xf8E5M2>, %x: tensor<3x5xbf16>, %f: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %wide = arith.extf %q : tensor<3x5xf8E5M2> to tensor<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xbf16>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.addf %0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x5xf32>
  %rounded = arith.truncf %f : tensor<3x5xf32> to tensor<3x5xbf16>
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%wide, %twice : tensor<3x5xf32>, tensor<3x5xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %v = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%rounded, %rounded : tensor<3x5xbf16>, tensor<3x5xbf16>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y, %v : tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// Operands made of one another leave nothing behind: both orientations of x, of which only the casts go away.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<5x5xbf16>)
// CHECK-NOT: arith.extf
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<5x5xbf16>)
// CHECK-NOT: linalg.transpose
// CHECK: qt.quantize %[[T]]
// CHECK: qt.quantize %[[X]]
func.func @main(%x: tensor<5x5xbf16>) -> tensor<5x5xf32> {
  %wide = arith.extf %x : tensor<5x5xbf16> to tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %t = linalg.transpose ins(%wide : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) permutation = [1, 0]
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] {qt.schemes = #qt.schemes<#s, #s>}
    ins(%t, %wide : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %y : tensor<5x5xf32>
}
