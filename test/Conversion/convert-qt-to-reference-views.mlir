// RUN: fp8-opt %s --convert-qt-to-reference | FileCheck %s
//
// Codes move as the op says, the scales of each level as its blocks do.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#ocp = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul, zero = one>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *, *] by fdiv>]>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @slice
// CHECK-SAME: (%[[C:.*]]: tensor<8x100xi8>, %[[S:.*]]: tensor<8x4xi8>)
func.func @slice(%q: !qt.tensor<8x100xbf16, #mx>) -> !qt.tensor<3x36xbf16, #mx> {
  // CHECK: tensor.extract_slice %[[C]][1, 64] [3, 36] [2, 1]
  // CHECK: tensor.extract_slice %[[S]][1, 2] [3, 2] [2, 1]
  %s = qt.slice %q[1, 64] [3, 36] [2, 1] : !qt.tensor<8x100xbf16, #mx> -> !qt.tensor<3x36xbf16, #mx>
  return %s : !qt.tensor<3x36xbf16, #mx>
}

// One scale for a matrix goes with its slice.
// CHECK-LABEL: func @slice_two_levels
// CHECK-SAME: (%{{.*}}: tensor<4x5x40xi8>, %{{.*}}: tensor<4x5x3xi8>, %[[T:.*]]: tensor<4xf32>)
func.func @slice_two_levels(%q: !qt.tensor<4x5x40xbf16, #nv>) -> !qt.tensor<2x5x40xbf16, #nv> {
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[T]] {{\[\[}}0, 1, 2]] output_shape [4, 1, 1]
  // CHECK: %[[P:.*]] = tensor.extract_slice %[[E]][1, 0, 0] [2, 1, 1] [1, 1, 1]
  // CHECK: tensor.collapse_shape %[[P]] {{\[\[}}0, 1, 2]] : tensor<2x1x1xf32> into tensor<2xf32>
  %s = qt.slice %q[1, 0, 0] [2, 5, 40] [1, 1, 1] : !qt.tensor<4x5x40xbf16, #nv> -> !qt.tensor<2x5x40xbf16, #nv>
  return %s : !qt.tensor<2x5x40xbf16, #nv>
}

// CHECK-LABEL: func @reshape_to_per_tensor
// CHECK-SAME: (%[[C:.*]]: tensor<2x3x40xi8>, %[[S:.*]]: tensor<1x1x1xf32>)
func.func @reshape_to_per_tensor(%q: !qt.tensor<2x3x40xbf16, #all>) -> !qt.tensor<6x40xbf16, #fp8> {
  // CHECK: tensor.collapse_shape %[[C]] {{\[\[}}0, 1], [2]]
  // CHECK: %[[M:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0, 1], [2]]
  // CHECK: tensor.collapse_shape %[[M]] [] : tensor<1x1xf32> into tensor<f32>
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x3x40xbf16, #all> -> !qt.tensor<6x40xbf16, #fp8>
  return %r : !qt.tensor<6x40xbf16, #fp8>
}

// Added zeros have the code of zero, and the scale that the scheme gives an amax of 0.
// CHECK-LABEL: func @pad
// CHECK-SAME: (%[[C:.*]]: tensor<5x64xi8>, %[[S:.*]]: tensor<5x2xi8>)
func.func @pad(%q: !qt.tensor<5x64xbf16, #ocp>) -> !qt.tensor<8x136xbf16, #ocp> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK: tensor.pad %[[C]] low[2, 32] high[1, 40]
  // CHECK: tensor.yield %[[ZERO]]
  // CHECK: %[[ONE:.*]] = arith.constant 127 : i8
  // CHECK: tensor.pad %[[S]] low[2, 1] high[1, 2]
  // CHECK: tensor.yield %[[ONE]]
  %p = qt.pad %q low[2, 32] high[1, 40] : !qt.tensor<5x64xbf16, #ocp> -> !qt.tensor<8x136xbf16, #ocp>
  return %p : !qt.tensor<8x136xbf16, #ocp>
}
