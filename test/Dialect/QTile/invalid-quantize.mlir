// RUN: fp8-opt %s --split-input-file --verify-diagnostics
//
// What quantizers and the ops of their threads must hold.

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @source(%x: !qtile.global<i8>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected numbers of bf16, f16 or f32, got 'i8'}}
  qtile.quantize %x sizes(%m, %m) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @codes(%x: !qtile.global<f32>, %c: !qtile.global<f8E5M2>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected codes along rows of f8E4M3FN or i8, got 'f8E5M2'}}
  qtile.quantize %x sizes(%m, %m) by #block along_rows(%c, %s : !qtile.global<f8E5M2>) : !qtile.global<f32>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @nothing(%x: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected an output along columns, rows, or both, got none}}
  qtile.quantize %x sizes(%m, %m) by #block : !qtile.global<f32>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 64] by rceil_mul>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @blocks(%x: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected scales of f32 per tensor, or per block [1, *], [1, 128] or [128, 128], of f8E8M0FNU per block [1, 32], or of f8E4M3FN per block [1, 16] or [16, 16]}}
  qtile.quantize %x sizes(%m, %m) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<f32>
  qtile.return
}

// -----

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @tensor(%x: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected an amax under one scale for all, or for each row with an output along rows, and there alone}}
  qtile.quantize %x sizes(%m, %m) by #tensor along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<f32>
  qtile.return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @row_without(%x: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected an amax under one scale for all, or for each row with an output along rows, and there alone}}
  qtile.quantize %x sizes(%m, %m) by #row along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<f32>
  qtile.return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @row_with(%x: !qtile.global<f32>, %a: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected an amax under one scale for all, or for each row with an output along rows, and there alone}}
  qtile.quantize %x sizes(%m, %m) by #row amax %a along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<f32>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @amax(%x: !qtile.global<f32>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected a scheme of one scale for all of a tensor, or for each row, got}}
  qtile.amax %x sizes(%m, %m) by #block into %s : !qtile.global<f32>
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
// expected-error @+1 {{expected whole warps of 32 threads, got 48}}
qtile.kernel @warps() on @chip threads 48 {
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
// expected-error @+1 {{expected at most 128 threads of a block, got 256}}
qtile.kernel @threads() on @chip threads 256 {
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
// expected-error @+1 {{expected resident blocks and a grid beside threads alone}}
qtile.kernel @resident() on @chip resident 2 {
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
// expected-error @+1 {{expected a grid of one result and 1 symbols, one for each i32 argument}}
qtile.kernel @grid(%m: i32) on @chip threads 64 grid affine_map<()[s0, s1] -> (s0)> {
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @moved(%x: !qtile.global<f32>, %i: i32) on @chip threads 64 {
  %offset = arith.extui %i : i32 to i64
  // expected-error @+1 {{expected a scalar or a vector of one dimension of elements of 32 bits, got 'vector<8xbf16>'}}
  %v = qtile.load %x[%offset] : !qtile.global<f32> -> vector<8xbf16>
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @aligned(%x: !qtile.global<f32>, %i: i32) on @chip threads 64 {
  %offset = arith.extui %i : i32 to i64
  // expected-error @+1 {{expected a vector of whole 16 bytes, got 'vector<2xf32>'}}
  %v = qtile.load %x[%offset] count %i aligned : !qtile.global<f32> -> vector<2xf32>
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @lanes(%i: i32) on @chip threads 64 {
  // expected-error @+1 {{expected powers of two whose product is at most 32, got over 16 stride 4}}
  %v = qtile.lane_max %i over 16 stride 4 : i32
  qtile.return
}
