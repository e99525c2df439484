// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Every op that moves quantized tensors reads what it prints, in its own form and in the generic one.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *, *] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#four_of_eight = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 4, 8] by rceil_mul>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#tile = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
#slab = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 64, 128] by fdiv_pow2>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// CHECK-LABEL: func @collapse_rows
func.func @collapse_rows(%q: !qt.tensor<2x128x65xbf16, #mx>) -> !qt.tensor<256x65xbf16, #mx> {
  // CHECK: qt.reshape %{{.*}} {{\[\[}}0, 1], [2]] : !qt.tensor<2x128x65xbf16, #scheme{{.*}}> -> !qt.tensor<256x65xbf16, #scheme{{.*}}>
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x128x65xbf16, #mx> -> !qt.tensor<256x65xbf16, #mx>
  return %r : !qt.tensor<256x65xbf16, #mx>
}

// A block of 32 columns is four rows of eight.
// CHECK-LABEL: func @expand_blocked_columns
func.func @expand_blocked_columns(%q: !qt.tensor<5x256xbf16, #mx>) -> !qt.tensor<5x32x8xbf16, #four_of_eight> {
  // CHECK: qt.reshape %{{.*}} {{\[\[}}0], [1, 2]]
  %r = qt.reshape %q [[0], [1, 2]] : !qt.tensor<5x256xbf16, #mx> -> !qt.tensor<5x32x8xbf16, #four_of_eight>
  return %r : !qt.tensor<5x32x8xbf16, #four_of_eight>
}

// CHECK-LABEL: func @collapse_tiles
func.func @collapse_tiles(%q: !qt.tensor<4x64x256xf32, #slab>) -> !qt.tensor<256x256xf32, #tile> {
  // CHECK: qt.reshape
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<4x64x256xf32, #slab> -> !qt.tensor<256x256xf32, #tile>
  return %r : !qt.tensor<256x256xf32, #tile>
}

// One scale for all of three dimensions is one per matrix of two.
// CHECK-LABEL: func @collapse_to_per_tensor
func.func @collapse_to_per_tensor(%q: !qt.tensor<2x?x?xbf16, #all>) -> !qt.tensor<?x?xbf16, #fp8> {
  // CHECK: qt.reshape
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x?x?xbf16, #all> -> !qt.tensor<?x?xbf16, #fp8>
  return %r : !qt.tensor<?x?xbf16, #fp8>
}

// CHECK-LABEL: func @expand_dynamic
func.func @expand_dynamic(%q: !qt.tensor<?x64xbf16, #mx>, %n: index, %m: index) -> !qt.tensor<?x?x64xbf16, #mx> {
  // CHECK: qt.reshape %{{.*}} {{\[\[}}0, 1], [2]] sizes(%{{.*}}, %{{.*}}) : !qt.tensor<?x64xbf16
  %r = qt.reshape %q [[0, 1], [2]] sizes(%n, %m) : !qt.tensor<?x64xbf16, #mx> -> !qt.tensor<?x?x64xbf16, #mx>
  return %r : !qt.tensor<?x?x64xbf16, #mx>
}

// Dimensions of one hold whole blocks, partial ones too.
// CHECK-LABEL: func @expand_to_ones_under_two_levels
func.func @expand_to_ones_under_two_levels(%q: !qt.tensor<3x65xbf16, #nv>) -> !qt.tensor<1x3x65xbf16, #nv> {
  // CHECK: qt.reshape
  %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<3x65xbf16, #nv> -> !qt.tensor<1x3x65xbf16, #nv>
  return %r : !qt.tensor<1x3x65xbf16, #nv>
}

// CHECK-LABEL: func @slice_whole_blocks
func.func @slice_whole_blocks(%q: !qt.tensor<8x100xbf16, #mx>) -> !qt.tensor<3x36xbf16, #mx> {
  // The end of the dimension may be partial; rows, which are no blocks, may be strided.
  // CHECK: qt.slice %{{.*}}[1, 64] [3, 36] [2, 1] : !qt.tensor<8x100xbf16, #scheme{{.*}}> -> !qt.tensor<3x36xbf16
  %s = qt.slice %q[1, 64] [3, 36] [2, 1] : !qt.tensor<8x100xbf16, #mx> -> !qt.tensor<3x36xbf16, #mx>
  return %s : !qt.tensor<3x36xbf16, #mx>
}

// CHECK-LABEL: func @slice_dynamic_rows
func.func @slice_dynamic_rows(%q: !qt.tensor<?x65xbf16, #row>, %o: index, %n: index, %s: index)
    -> !qt.tensor<?x65xbf16, #row> {
  // CHECK: qt.slice %{{.*}}[%{{.*}}, 0] [%{{.*}}, 65] [%{{.*}}, 1]
  %r = qt.slice %q[%o, 0] [%n, 65] [%s, 1] : !qt.tensor<?x65xbf16, #row> -> !qt.tensor<?x65xbf16, #row>
  return %r : !qt.tensor<?x65xbf16, #row>
}

// CHECK-LABEL: func @slice_experts_per_tensor
func.func @slice_experts_per_tensor(%q: !qt.tensor<4x3x65xbf16, #nv>) -> !qt.tensor<2x3x65xbf16, #nv> {
  // CHECK: qt.slice
  %r = qt.slice %q[1, 0, 0] [2, 3, 65] [1, 1, 1] : !qt.tensor<4x3x65xbf16, #nv> -> !qt.tensor<2x3x65xbf16, #nv>
  return %r : !qt.tensor<2x3x65xbf16, #nv>
}

// CHECK-LABEL: func @concat_whole_blocks
func.func @concat_whole_blocks(%a: !qt.tensor<8x64xbf16, #mx>, %b: !qt.tensor<8x?xbf16, #mx>) -> !qt.tensor<8x?xbf16, #mx> {
  // CHECK: qt.concat dim(1) %{{.*}}, %{{.*}} : (!qt.tensor<8x64xbf16, #scheme{{.*}}>, !qt.tensor<8x?xbf16, #scheme{{.*}}>) -> !qt.tensor<8x?xbf16
  %c = qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x?xbf16, #mx>) -> !qt.tensor<8x?xbf16, #mx>
  return %c : !qt.tensor<8x?xbf16, #mx>
}

// CHECK-LABEL: func @broadcast_rows
func.func @broadcast_rows(%q: !qt.tensor<64xbf16, #mx>, %n: index) -> !qt.tensor<?x3x64xbf16, #mx> {
  // CHECK: qt.broadcast %{{.*}} dimensions = [0, 1] sizes(%{{.*}}) : !qt.tensor<64xbf16, #scheme{{.*}}> -> !qt.tensor<?x3x64xbf16
  %b = qt.broadcast %q dimensions = [0, 1] sizes(%n) : !qt.tensor<64xbf16, #mx> -> !qt.tensor<?x3x64xbf16, #mx>
  return %b : !qt.tensor<?x3x64xbf16, #mx>
}

// CHECK-LABEL: func @broadcast_in_a_block
func.func @broadcast_in_a_block(%q: !qt.tensor<65xbf16, #fp8>) -> !qt.tensor<3x65xbf16, #fp8> {
  // CHECK: qt.broadcast %{{.*}} dimensions = [0] : !qt.tensor<65xbf16
  %b = qt.broadcast %q dimensions = [0] : !qt.tensor<65xbf16, #fp8> -> !qt.tensor<3x65xbf16, #fp8>
  return %b : !qt.tensor<3x65xbf16, #fp8>
}

// CHECK-LABEL: func @pad_whole_blocks
func.func @pad_whole_blocks(%q: !qt.tensor<5x64xbf16, #mx>, %n: index) -> !qt.tensor<?x136xbf16, #mx> {
  // CHECK: qt.pad %{{.*}} low[%{{.*}}, 32] high[1, 40] : !qt.tensor<5x64xbf16, #scheme{{.*}}> -> !qt.tensor<?x136xbf16
  %p = qt.pad %q low[%n, 32] high[1, 40] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<?x136xbf16, #mx>
  return %p : !qt.tensor<?x136xbf16, #mx>
}
