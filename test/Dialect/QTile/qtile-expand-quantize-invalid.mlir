// RUN: fp8-opt %s --qtile-expand-quantize --split-input-file --verify-diagnostics
//
// What no kernel is for is refused where it stands.

#mx = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @mx(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f8E8M0FNU>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected codes of 8 bits, got f4E2M1FN}}
  qtile.quantize %x sizes(%m, %n) by #mx along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#stochastic = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [1, 128] by fdiv>], rounding = stochastic>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @stochastic(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected a rounding without random bits, got stochastic}}
  qtile.quantize %x sizes(%m, %n) by #stochastic along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#encode = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [1, 128] by fdiv, stored = encode>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @encode(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected stored decode factors, got encode}}
  qtile.quantize %x sizes(%m, %n) by #encode along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#fp4 = #qt.scheme<f4E2M1FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @fp4(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected codes of 8 bits, got f4E2M1FN}}
  qtile.quantize %x sizes(%m, %n) by #fp4 along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @computed(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  %half = arith.divui %m, %n : i32
  // expected-error @+1 {{expected rows to be an argument of the kernel}}
  qtile.quantize %x sizes(%half, %n) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @two(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  // expected-error @+1 {{expected one quantizer in a kernel, got a second}}
  qtile.quantize %x sizes(%m, %n) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#decode = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4, stored = decode>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @decode(%x: !qtile.global<bf16>, %a: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f8E4M3FN>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected a stored amax of the tensor, got decode}}
  qtile.quantize %x sizes(%m, %n) by #decode amax %a along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @batch(%x: !qtile.global<bf16>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  %e = arith.constant 3 : i32
  // expected-error @+1 {{expected batch to be an argument of the kernel}}
  qtile.quantize %x sizes(%m, %n) in batch(%e) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<bf16>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#encode = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv, stored = encode>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @requantize(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  // expected-error @+1 {{expected stored decode factors, got encode}}
  qtile.requantize %x by %sx as #encode of bf16 sizes(%m, %n) by #block along_rows(%c, %s : !qtile.global<i8>) : !qtile.global<i8>
  qtile.return
}

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
qtile.kernel @dequantize(%x: !qtile.global<i8>, %sx: !qtile.global<f32>, %y: !qtile.global<bf16>, %m: i32, %n: i32) on @sm_90a {
  %half = arith.divui %n, %m : i32
  // expected-error @+1 {{expected columns to be an argument of the kernel}}
  qtile.dequantize %x by %sx as #block along rows sizes(%m, %half) into %y : !qtile.global<i8> -> !qtile.global<bf16>
  qtile.return
}
