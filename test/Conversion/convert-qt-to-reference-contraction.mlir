// RUN: fp8-opt %s --convert-qt-to-reference=ordered-products=false --split-input-file | FileCheck %s

// One contraction with the scales multiplied into the operands, which change along K: E4M3 codes times powers of two have
// four bits, and bf16 holds eight.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @powers_of_two
// CHECK-NOT: scf.for
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x70xbf16>, tensor<4x70xbf16>) outs(%{{.*}} : tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return
func.func @powers_of_two(%a: !qt.tensor<3x70xf32, #s>, %b: !qt.tensor<4x70xf32, #s>) -> tensor<3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<3x70xf32, #s>, !qt.tensor<4x70xf32, #s> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// E2M1 codes times E4M3 scales have six bits; the tensor's factor comes after the sum.

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @two_levels
// CHECK: %[[SUM:.*]] = linalg.contract {{.*}} tensor<3x32xbf16>, tensor<4x32xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]],
func.func @two_levels(%a: !qt.tensor<3x32xf32, #s>, %b: !qt.tensor<4x32xf32, #s>) -> tensor<3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<3x32xf32, #s>, !qt.tensor<4x32xf32, #s> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// f32 scales that change along K need f32 operands.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @f32_blocks
// CHECK: linalg.contract {{.*}} tensor<3x256xf32>, tensor<4x256xf32>)
func.func @f32_blocks(%a: !qt.tensor<3x256xf32, #s>, %b: !qt.tensor<4x256xf32, #s>) -> tensor<3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<3x256xf32, #s>, !qt.tensor<4x256xf32, #s> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Scales that are the same all along K multiply the sum, so that codes alone are operands.

#s = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#t = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-LABEL: func @whole
// CHECK: %[[SUM:.*]] = linalg.contract {{.*}} tensor<2x3x70xbf16>, tensor<2x4x70xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %{{.*}}, %{{.*}} : tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>)
func.func @whole(%a: !qt.tensor<2x3x70xf32, #s>, %b: !qt.tensor<2x4x70xf32, #t>) -> tensor<2x3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<2x3x70xf32, #s>, !qt.tensor<2x4x70xf32, #t> -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}
