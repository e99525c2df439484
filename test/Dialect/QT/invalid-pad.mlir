// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.pad has a program that breaks it alone.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c1_amounts(%q: !qt.tensor<5x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected high amounts of at least 0, got -1 in dimension 0}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[-1, 0] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<4x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c2_partial_block(%q: !qt.tensor<5x40xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of 32 along dimension 1 at scale level 0 with other elements, got 24 behind 40}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[0, 24] : !qt.tensor<5x40xbf16, #mx> -> !qt.tensor<5x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @pad_c2_in_front(%q: !qt.tensor<5x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of 32 along dimension 1 at scale level 0 with other elements, got 8 in front and 24 behind}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 8] high[0, 24] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<5x96xbf16, #mx>
  return
}

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
func.func @pad_c2_per_tensor(%q: !qt.tensor<5x64xbf16, #nv>) {
  // expected-error @+2 {{'qt.pad' op expected added zeros to share no block of * along dimension 0 at scale level 1 with other elements, got 0 in front and 3 behind}}
  // expected-error @+1 {{'qt.pad' op failed to infer returned types}}
  qt.pad %q low[0, 0] high[3, 0] : !qt.tensor<5x64xbf16, #nv> -> !qt.tensor<8x64xbf16, #nv>
  return
}
