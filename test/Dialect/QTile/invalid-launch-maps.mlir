// Memory for the maps of a product of row-major operands.
//
// RUN: fp8-opt %s --split-input-file --verify-diagnostics

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @maps(%a: tensor<5x16xbf16>, %b: tensor<7x16xbf16>) -> tensor<5x7xf32> {
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%m, %n, %k) tied [-1, -1] : (tensor<5x16xbf16>, tensor<7x16xbf16>) -> (tensor<5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @fewer_maps(%a: tensor<5x16xbf16>, %b: tensor<7x16xbf16>) -> tensor<5x7xf32> {
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 1152 bytes for argument 3 of @gemm, the maps of 4 processors, got 1151}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%m, %n, %k) tied [-1, -1] : (tensor<5x16xbf16>, tensor<7x16xbf16>) -> (tensor<5x7xf32>, tensor<1151xi8>)
  return %c#0 : tensor<5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @maps_of_batch(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 1152 bytes for argument 3 of @gemm, the maps of 4 processors, got 3}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<3xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}
