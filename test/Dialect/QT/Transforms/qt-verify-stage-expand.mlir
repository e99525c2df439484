// After the step expand no kernel has what it computes as one op: five ops, each alone in its module.
// RUN: fp8-opt %s --split-input-file --qtile-load-target --qtile-choose-schedule --qt-verify-stage=after=expand --verify-diagnostics
// RUN: sed '/expected-error/d' %s | fp8-opt --split-input-file --qtile-load-target --qtile-choose-schedule --qt-verify-stage=after=schedule -o %t

module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
      %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
    // expected-error@+1 {{expected roles or threads, got what they compute; run qtile-expand-gemm and qtile-expand-quantize first}}
    qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
      : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.return
  }
}

// -----

module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
    // expected-error@+1 {{expected roles or threads, got what they compute; run qtile-expand-gemm and qtile-expand-quantize first}}
    qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
    qtile.return
  }
}

// -----

module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.kernel @quantize(%x: !qtile.global<bf16>, %c: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
    // expected-error@+1 {{expected roles or threads, got what they compute; run qtile-expand-gemm and qtile-expand-quantize first}}
    qtile.quantize %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]> along_columns(%c, %s : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
    qtile.return
  }
}

// -----

module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.kernel @requantize(%x: !qtile.global<f8E4M3FN>, %sx: !qtile.global<f32>, %c: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
    // expected-error@+1 {{expected roles or threads, got what they compute; run qtile-expand-gemm and qtile-expand-quantize first}}
    qtile.requantize %x by %sx as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]> of bf16 sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]> along_rows(%c, %s : !qtile.global<f8E4M3FN>) : !qtile.global<f8E4M3FN>
    qtile.return
  }
}

// -----

module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.kernel @dequantize(%x: !qtile.global<f8E4M3FN>, %sx: !qtile.global<f32>, %y: !qtile.global<bf16>, %m: i32, %n: i32) on @sm_90a {
    // expected-error@+1 {{expected roles or threads, got what they compute; run qtile-expand-gemm and qtile-expand-quantize first}}
    qtile.dequantize %x by %sx as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]> along columns sizes(%m, %n) into %y : !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.return
  }
}
