// RUN: fp8-opt %s --canonicalize | FileCheck %s
//
// Folds of the ops that move quantized tensors, and where they do not fire.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#two = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 2] by fdiv>]>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#e = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1] by fdiv>]>

// CHECK-LABEL: func @expand_of_collapse
// CHECK-SAME: (%[[Q:.*]]: !qt.tensor
func.func @expand_of_collapse(%q: !qt.tensor<2x3x65xbf16, #mx>) -> !qt.tensor<2x3x65xbf16, #mx> {
  // CHECK-NEXT: return %[[Q]]
  %c = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x3x65xbf16, #mx> -> !qt.tensor<6x65xbf16, #mx>
  %r = qt.reshape %c [[0, 1], [2]] : !qt.tensor<6x65xbf16, #mx> -> !qt.tensor<2x3x65xbf16, #mx>
  return %r : !qt.tensor<2x3x65xbf16, #mx>
}

// CHECK-LABEL: func @collapse_of_dynamic_expand
// CHECK-SAME: (%[[Q:.*]]: !qt.tensor
func.func @collapse_of_dynamic_expand(%q: !qt.tensor<?x65xbf16, #mx>, %n: index, %m: index) -> !qt.tensor<?x65xbf16, #mx> {
  // CHECK-NEXT: return %[[Q]]
  %c = qt.reshape %q [[0, 1], [2]] sizes(%n, %m) : !qt.tensor<?x65xbf16, #mx> -> !qt.tensor<?x?x65xbf16, #mx>
  %r = qt.reshape %c [[0, 1], [2]] : !qt.tensor<?x?x65xbf16, #mx> -> !qt.tensor<?x65xbf16, #mx>
  return %r : !qt.tensor<?x65xbf16, #mx>
}

// What 6 is the product of may change from 2 and 3 to 3 and 2.
// CHECK-LABEL: func @expand_to_other_sizes_stays
func.func @expand_to_other_sizes_stays(%q: !qt.tensor<?x?x65xbf16, #mx>, %n: index, %m: index) -> !qt.tensor<?x?x65xbf16, #mx> {
  // CHECK-COUNT-2: qt.reshape
  %c = qt.reshape %q [[0, 1], [2]] : !qt.tensor<?x?x65xbf16, #mx> -> !qt.tensor<?x65xbf16, #mx>
  %r = qt.reshape %c [[0, 1], [2]] sizes(%n, %m) : !qt.tensor<?x65xbf16, #mx> -> !qt.tensor<?x?x65xbf16, #mx>
  return %r : !qt.tensor<?x?x65xbf16, #mx>
}

// CHECK-LABEL: func @reshape_of_reshape_of_other_groups_stays
func.func @reshape_of_reshape_of_other_groups_stays(%q: !qt.tensor<2x1x2xbf16, #e>) -> !qt.tensor<2x1x2xbf16, #e> {
  // CHECK-COUNT-2: qt.reshape
  %c = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x1x2xbf16, #e> -> !qt.tensor<2x2xbf16, #e>
  %r = qt.reshape %c [[0], [1, 2]] : !qt.tensor<2x2xbf16, #e> -> !qt.tensor<2x1x2xbf16, #e>
  return %r : !qt.tensor<2x1x2xbf16, #e>
}

// CHECK-LABEL: func @slice_of_all
// CHECK-SAME: (%[[Q:.*]]: !qt.tensor
func.func @slice_of_all(%q: !qt.tensor<3x65xbf16, #mx>) -> !qt.tensor<3x65xbf16, #mx> {
  // CHECK-NEXT: return %[[Q]]
  %r = qt.slice %q[0, 0] [3, 65] [1, 1] : !qt.tensor<3x65xbf16, #mx> -> !qt.tensor<3x65xbf16, #mx>
  return %r : !qt.tensor<3x65xbf16, #mx>
}

// Of an unknown size, a slice of an unknown size may be a part.
// CHECK-LABEL: func @slice_of_unknown_stays
func.func @slice_of_unknown_stays(%q: !qt.tensor<?x65xbf16, #mx>, %n: index) -> !qt.tensor<?x65xbf16, #mx> {
  // CHECK: qt.slice
  %r = qt.slice %q[0, 0] [%n, 65] [1, 1] : !qt.tensor<?x65xbf16, #mx> -> !qt.tensor<?x65xbf16, #mx>
  return %r : !qt.tensor<?x65xbf16, #mx>
}

// CHECK-LABEL: func @nothing_moves
// CHECK-SAME: (%[[Q:.*]]: !qt.tensor
func.func @nothing_moves(%q: !qt.tensor<?x65xbf16, #mx>)
    -> (!qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #mx>) {
  // CHECK-NEXT: return %[[Q]], %[[Q]], %[[Q]]
  %a = qt.concat dim(1) %q : (!qt.tensor<?x65xbf16, #mx>) -> !qt.tensor<?x65xbf16, #mx>
  %b = qt.broadcast %q dimensions = [] : !qt.tensor<?x65xbf16, #mx> -> !qt.tensor<?x65xbf16, #mx>
  %c = qt.pad %q low[0, 0] high[0, 0] : !qt.tensor<?x65xbf16, #mx> -> !qt.tensor<?x65xbf16, #mx>
  return %a, %b, %c : !qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #mx>
}

// Codes and scales keep their order under another shape.
// CHECK-LABEL: func @reshape_constant
func.func @reshape_constant() -> !qt.tensor<1x2x3xf32, #row> {
  // CHECK-NEXT: %[[Q:.*]] = qt.constant <dense<{{\[\[\[}}1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>, [dense<{{\[\[\[}}5.000000e-01], [2.000000e+00]]]> : tensor<1x2x1xf32>]>
  // CHECK-NEXT: return %[[Q]]
  %q = qt.constant <dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>, [dense<[[0.5], [2.0]]> : tensor<2x1xf32>]> : !qt.tensor<2x3xf32, #row>
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<1x2x3xf32, #row>
  return %r : !qt.tensor<1x2x3xf32, #row>
}

// CHECK-LABEL: func @slice_constant
func.func @slice_constant() -> !qt.tensor<2x1xf32, #two> {
  // Columns 2 and on of rows 0 and 2, with the scales of the second blocks.
  // CHECK-NEXT: %[[Q:.*]] = qt.constant <dense<{{\[\[}}3], [9]]> : tensor<2x1xi8>, [dense<{{\[\[}}2.000000e+00], [6.000000e+00]]> : tensor<2x1xf32>]>
  // CHECK-NEXT: return %[[Q]]
  %q = qt.constant <dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>,
                    [dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>]> : !qt.tensor<3x3xf32, #two>
  %r = qt.slice %q[0, 2] [2, 1] [2, 1] : !qt.tensor<3x3xf32, #two> -> !qt.tensor<2x1xf32, #two>
  return %r : !qt.tensor<2x1xf32, #two>
}

// CHECK-LABEL: func @broadcast_constant
func.func @broadcast_constant() -> !qt.tensor<2x3xf32, #row> {
  // CHECK-NEXT: %[[Q:.*]] = qt.constant <dense<{{\[\[}}1, 2, 3], [1, 2, 3]]> : tensor<2x3xi8>, [dense<5.000000e-01> : tensor<2x1xf32>]>
  // CHECK-NEXT: return %[[Q]]
  %q = qt.constant <dense<[1, 2, 3]> : tensor<3xi8>, [dense<[0.5]> : tensor<1xf32>]> : !qt.tensor<3xf32, #row>
  %r = qt.broadcast %q dimensions = [0] : !qt.tensor<3xf32, #row> -> !qt.tensor<2x3xf32, #row>
  return %r : !qt.tensor<2x3xf32, #row>
}

// The scale for each batch slice of a level per tensor goes with its slice.
// CHECK-LABEL: func @slice_constant_per_tensor
func.func @slice_constant_per_tensor() -> !qt.tensor<1x1x2xf32, #fp8> {
  // CHECK-NEXT: qt.constant <dense<{{\[\[\[}}3, 4]]]> : tensor<1x1x2xi8>, [dense<2.000000e+00> : tensor<1xf32>]>
  %q = qt.constant <dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi8>, [dense<[1.0, 2.0]> : tensor<2xf32>]> : !qt.tensor<2x1x2xf32, #fp8>
  %r = qt.slice %q[1, 0, 0] [1, 1, 2] [1, 1, 1] : !qt.tensor<2x1x2xf32, #fp8> -> !qt.tensor<1x1x2xf32, #fp8>
  return %r : !qt.tensor<1x1x2xf32, #fp8>
}

// A small constant does not become a large one.
// CHECK-LABEL: func @broadcast_of_constant_to_large_stays
func.func @broadcast_of_constant_to_large_stays() -> !qt.tensor<4096x3xf32, #row> {
  // CHECK: qt.broadcast
  %q = qt.constant <dense<[1, 2, 3]> : tensor<3xi8>, [dense<[0.5]> : tensor<1xf32>]> : !qt.tensor<3xf32, #row>
  %r = qt.broadcast %q dimensions = [0] : !qt.tensor<3xf32, #row> -> !qt.tensor<4096x3xf32, #row>
  return %r : !qt.tensor<4096x3xf32, #row>
}
