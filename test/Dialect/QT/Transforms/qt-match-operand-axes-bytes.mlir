// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// Bytes of a quantized 4096x4096 tensor, codes packed to their bits and the scales of all levels, and how often its 32 MiB
// of bf16 are read: twice where a scale is that of a whole tensor or row.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 67108864, written = 16777220>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 67108864, written = 16793600>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 16781312>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 17301504>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 128] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 16908288>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 17301504>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f6E2M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 13107200>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 33554432, written = 8912896>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 67108864, written = 9437188>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 67108864, written = 8454148>
func.func @main(%x: tensor<4096x4096xbf16>) -> !qt.tensor<4096x4096xbf16, #s> {
  %0 = qt.quantize %x : tensor<4096x4096xbf16> to !qt.tensor<4096x4096xbf16, #s>
  return %0 : !qt.tensor<4096x4096xbf16, #s>
}

// -----

// Partial blocks have whole scales, and sizes that no memory holds count as the most there is.

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 330, written = 93>,
// CHECK-SAME: <<single, kept = 0, read = 9223372036854775807, written = 9223372036854775807>,
func.func @main(%x: tensor<5x33xbf16>, %y: tensor<4611686018427387904x64xbf16>) -> (!qt.tensor<5x33xbf16, #s>, !qt.tensor<4611686018427387904x64xbf16, #s>) {
  %0 = qt.quantize %x : tensor<5x33xbf16> to !qt.tensor<5x33xbf16, #s>
  %1 = qt.quantize %y : tensor<4611686018427387904x64xbf16> to !qt.tensor<4611686018427387904x64xbf16, #s>
  return %0, %1 : !qt.tensor<5x33xbf16, #s>, !qt.tensor<4611686018427387904x64xbf16, #s>
}
