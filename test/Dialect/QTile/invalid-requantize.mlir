// RUN: fp8-opt %s --split-input-file --verify-diagnostics
//
// What ops that read codes must hold.

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @numbers(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected numbers of bf16, f16 or f32, got 'f64'}}
  qtile.requantize %x by %sx as #block of f64 sizes(%m, %m) by #block along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @codes(%x: !qtile.global<f8E5M2>, %sx: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected codes of f8E4M3FN or i8, got 'f8E5M2'}}
  qtile.requantize %x by %sx as #block of bf16 sizes(%m, %m) by #block along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<f8E5M2>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @nothing(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected an output along columns, rows, or both, got none}}
  qtile.requantize %x by %sx as #block of bf16 sizes(%m, %m) by #block : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @read(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected to read scales of f32 per tensor, or per block [1, *], [1, 128] or [128, 128], got #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>}}
  qtile.requantize %x by %sx as #mx of bf16 sizes(%m, %m) by #block along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @made(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected scales of f32 per block [1, 128] or [128, 128], or of f8E8M0FNU per block [1, 32], got #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>}}
  qtile.requantize %x by %sx as #block of bf16 sizes(%m, %m) by #tensor along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @into(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %y: !qtile.global<i16>, %m: i32) on @chip {
  // expected-error @+1 {{expected numbers of bf16, f16 or f32, got 'i16'}}
  qtile.dequantize %x by %sx as #block along rows sizes(%m, %m) into %y : !qtile.global<i8> -> !qtile.global<i16>
  qtile.return
}

// -----

#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [64, 64] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @squares(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %y: !qtile.global<bf16>, %m: i32) on @chip {
  // expected-error @+1 {{expected to read scales of f32 per tensor}}
  qtile.dequantize %x by %sx as #square along columns sizes(%m, %m) into %y : !qtile.global<i8> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @stored(%x: !qtile.global<f32>, %i: i32) on @chip threads 64 {
  %offset = arith.extui %i : i32 to i64
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{expected a count of the elements of a vector alone, got one of 'f32'}}
  qtile.store %one to %x[%offset] count %i : f32 to !qtile.global<f32>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @decoded(%x: !qtile.global<i8>, %i: i32) on @chip threads 64 {
  %offset = arith.extui %i : i32 to i64
  %one = arith.constant 1.0 : f32
  %c = qtile.load %x[%offset] : !qtile.global<i8> -> vector<8xi8>
  // expected-error @+1 {{expected as many codes as numbers, and one factor or as many, got 'vector<4xbf16>', 'f32' and 'vector<8xi8>'}}
  %y = qtile.decode %c by %one as #block : vector<8xi8>, f32 -> vector<4xbf16>
  qtile.return
}
