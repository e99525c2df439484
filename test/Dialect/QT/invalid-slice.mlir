// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.slice has a program that breaks it alone.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c1_numbers(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected 2 strides, one for each dimension, got 1}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c1_negative(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected offsets of at least 0, got -1 in dimension 0}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[-1, 0] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c2_within(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected a slice within dimension 0 of size 8, got element 9}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[1, 0] [5, 32] [2, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<5x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_begin(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice from 16}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 16] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_end(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice of 24}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 32] [8, 24] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x24xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_unknown_offset(%q: !qt.tensor<8x64xbf16, #mx>, %o: index) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got a slice from an unknown offset}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, %o] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_c3_stride(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of 32 along dimension 1 at scale level 0, got every element at a stride of 2}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1, 2] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x32xbf16, #mx>
  return
}

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @slice_c3_per_tensor(%q: !qt.tensor<8x64xbf16, #nv>) {
  // expected-error @+2 {{'qt.slice' op expected whole blocks of * along dimension 0 at scale level 1, got a part of the dimension}}
  // expected-error @+1 {{'qt.slice' op failed to infer returned types}}
  qt.slice %q[0, 0] [4, 64] [1, 1] : !qt.tensor<8x64xbf16, #nv> -> !qt.tensor<4x64xbf16, #nv>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @slice_type(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation}}
  // expected-error @+1 {{failed to infer returned types}}
  qt.slice %q[0, 0] [8, 32] [1, 1] : !qt.tensor<8x64xbf16, #mx> -> !qt.tensor<8x64xbf16, #mx>
  return
}
