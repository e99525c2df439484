// RUN: fp8-opt %s --split-input-file --verify-diagnostics --qt-verify-stage=after=fuse
//
// After the step that fuses, nothing reads a tensor a second time that need not.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%x: tensor<4x64xbf16>, %e: tensor<64x4xbf16>) {
  // expected-note @+1 {{the first is here}}
  %q = qt.quantize %x : tensor<4x64xbf16> to !qt.tensor<4x64xbf16, #mx>
  %t = linalg.transpose ins(%x : tensor<4x64xbf16>) outs(%e : tensor<64x4xbf16>) permutation = [1, 0]
  // expected-error @+1 {{expected one op for all quantizations of a tensor in one half, got a second; run qt-merge-quantizers first}}
  %r = qt.quantize %t : tensor<64x4xbf16> to !qt.tensor<64x4xbf16, #fp8>
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xbf16>, %e: tensor<4x8xbf16>) {
  // expected-note @+1 {{the tensor is computed here}}
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  // expected-error @+1 {{expected an amax from the op that computes the tensor, which can return it, got a pass over the tensor; run qt-fuse-amax first}}
  %q = qt.quantize %y : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%a: !qt.tensor<4x8xbf16, #row>) {
  // expected-note @+1 {{the tensor is computed here}}
  %y = qt.matmul %a, %a : !qt.tensor<4x8xbf16, #row>, !qt.tensor<4x8xbf16, #row> -> tensor<4x4xbf16>
  // expected-error @+1 {{expected an amax from the op that computes the tensor}}
  %m = qt.amax %y <per tensor> : tensor<4x4xbf16> -> tensor<f32>
  return
}

// -----

// What cannot be fused may stay: an argument's amax, blocks of fixed size, another half.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%x: tensor<4x64xbf16>, %a: !qt.tensor<4x8xbf16, #row>) {
  %q = qt.quantize %x in <forward> : tensor<4x64xbf16> to !qt.tensor<4x64xbf16, #fp8>
  %r = qt.quantize %x in <backward> : tensor<4x64xbf16> to !qt.tensor<4x64xbf16, #mx>
  %y = qt.matmul %a, %a : !qt.tensor<4x8xbf16, #row>, !qt.tensor<4x8xbf16, #row> -> tensor<4x4xbf16>
  %p = qt.quantize %y : tensor<4x4xbf16> to !qt.tensor<4x4xbf16, #mx>
  return
}
