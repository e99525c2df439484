// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.concat has a program that breaks it alone.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c1_operands() {
  // expected-error @+2 {{'qt.concat' op expected an operand of type !qt.tensor}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(0) : () -> !qt.tensor<8x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c1_dimension(%q: !qt.tensor<8x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected a dimension below 2, got 2}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(2) %q, %q : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x64xbf16, #mx>) -> !qt.tensor<8x64xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c2_sizes(%a: !qt.tensor<8x64xbf16, #mx>, %b: !qt.tensor<7x64xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected operand 1 to have the type of operand 0 but for dimension 1}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<7x64xbf16, #mx>) -> !qt.tensor<8x128xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c2_schemes(%a: !qt.tensor<8x64xbf16, #mx>, %b: !qt.tensor<8x64xbf16, #e5m2>) {
  // expected-error @+2 {{'qt.concat' op expected operand 1 to have the type of operand 0 but for dimension 1}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x64xbf16, #e5m2>) -> !qt.tensor<8x128xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c3_divides(%a: !qt.tensor<8x48xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of 32 along dimension 1 at scale level 0 in every operand but the last, got 48 in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %a : (!qt.tensor<8x48xbf16, #mx>, !qt.tensor<8x48xbf16, #mx>) -> !qt.tensor<8x96xbf16, #mx>
  return
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @concat_c3_unknown(%a: !qt.tensor<8x?xbf16, #mx>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of 32 along dimension 1 at scale level 0 in every operand but the last, got an unknown size in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(1) %a, %a : (!qt.tensor<8x?xbf16, #mx>, !qt.tensor<8x?xbf16, #mx>) -> !qt.tensor<8x?xbf16, #mx>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @concat_c3_per_tensor(%a: !qt.tensor<8x64xbf16, #fp8>) {
  // expected-error @+2 {{'qt.concat' op expected whole blocks of * along dimension 0 at scale level 0 in every operand but the last, got 8 in operand 0}}
  // expected-error @+1 {{'qt.concat' op failed to infer returned types}}
  qt.concat dim(0) %a, %a : (!qt.tensor<8x64xbf16, #fp8>, !qt.tensor<8x64xbf16, #fp8>) -> !qt.tensor<16x64xbf16, #fp8>
  return
}
