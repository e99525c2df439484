// RUN: fp8-opt %s --qt-verify-stage=after=axes -verify-diagnostics -split-input-file
//
// What the steps quantize and axes promise, broken once each.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.contract' op expected no qt.layer after quantization; run qt-materialize-quantization first}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.kept = #qt.kept<site, "head">, qt.layer = #qt.layer<0, 0>}
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.contract' op expected a contraction that is left to have qt.kept, got none; run qt-materialize-quantization first}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// The upstream op takes any type; ours are not numbers to choose between element by element.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%c: i1, %a: !qt.tensor<2xf32, #fp8>, %b: !qt.tensor<2xf32, #fp8>) -> !qt.tensor<2xf32, #fp8> {
  // expected-error @+1 {{'arith.select' op expected quantized tensors only on ops of qt, func, scf and cf, got '!qt.tensor<2xf32}}
  %0 = arith.select %c, %a, %b : !qt.tensor<2xf32, #fp8>
  return %0 : !qt.tensor<2xf32, #fp8>
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<2xf32>) -> (!qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>) {
  // expected-note @+1 {{the first is here}}
  %0 = qt.quantize %x in <forward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  // expected-error @+1 {{'qt.quantize' op expected each value to be quantized once by one scheme in one half, got a second time; run qt-match-operand-axes first}}
  %1 = qt.quantize %x in <forward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  return %0, %1 : !qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>
}

// -----

// The halves do not share, and control flow carries quantized tensors.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%c: i1, %x: tensor<2xf32>) -> !qt.tensor<2xf32, #fp8> {
  %0 = qt.quantize %x in <forward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  %1 = qt.quantize %x in <backward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  %r = scf.if %c -> !qt.tensor<2xf32, #fp8> {
    scf.yield %0 : !qt.tensor<2xf32, #fp8>
  } else {
    scf.yield %1 : !qt.tensor<2xf32, #fp8>
  }
  return %r : !qt.tensor<2xf32, #fp8>
}

// -----

// What a plan computes again may say that it belongs to the backward half; nothing else of roles may stay, on nothing else.
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) attrs = {qt.half = #qt.half<backward>} {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<4xf32>
  // expected-error @+1 {{'tensor.empty' op expected no qt.half after quantization; run qt-materialize-quantization first}}
  %1 = tensor.empty() {qt.half = #qt.half<backward>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
