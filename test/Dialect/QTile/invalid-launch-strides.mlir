// Matrices that lie by strides: a launch reaches no further than its tensors, as far as its integers are constants.
//
// RUN: fp8-opt %s --split-input-file --verify-diagnostics

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @batch(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
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
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in transposed into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @transposed(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x16x3x8xbf16>) -> tensor<2x3x5x8xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 24 : i32
  %b1 = arith.constant 8 : i32
  %b2 = arith.constant 384 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 8 : i32
  %k = arith.constant 16 : i32
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x16x3x8xbf16>) -> (tensor<2x3x5x8xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x8xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @unknown(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>, %a0: i32, %groups: i32) -> tensor<2x3x5x7xf32> {
  %inner = arith.constant 3 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @result(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x8x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 384 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 8 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected 240 elements of argument 2 of @gemm, as the sizes of the launch say, got 210}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x8x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @contraction(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
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
  %k = arith.constant 17 : i32
  // expected-error @+1 {{expected at least 481 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in transposed into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @contraction_of_transposed(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x16x3x8xbf16>) -> tensor<2x3x5x8xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 24 : i32
  %b1 = arith.constant 8 : i32
  %b2 = arith.constant 384 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 8 : i32
  %k = arith.constant 24 : i32
  // expected-error @+1 {{expected at least 488 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x16x3x8xbf16>) -> (tensor<2x3x5x8xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x8xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @rows_alone(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>, %n: i32) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 6 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 528 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @matrices(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<3x3x5x7xf32> {
  %groups = arith.constant 9 : i32
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
  // expected-error @+1 {{expected at least 720 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<3x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<3x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @inner(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 4 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected a multiple of the inner matrices of a batch, 4, got 6}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @no_inner(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 0 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected a multiple of the inner matrices of a batch, 0, got 6}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @stride(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 248 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 488 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @stride_of_right(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 24 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 688 elements in argument 1 of @gemm, as far as the sizes and strides of the launch reach, got 672}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @far(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant -8 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected at least 4294967528 elements in argument 0 of @gemm, as far as the sizes and strides of the launch reach, got 480}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @start(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 33 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 16 : i32
  %b2 = arith.constant 336 : i32
  %m = arith.constant 5 : i32
  %n = arith.constant 7 : i32
  %k = arith.constant 16 : i32
  // expected-error @+1 {{expected strides of argument 0 of @gemm of a multiple of 16 bytes, got 66}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}

// -----

qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
qtile.kernel @gemm(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %c: !qtile.global<f32>, %maps: !qtile.global<i8>, %groups: i32, %inner: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @chip {
  qtile.gemm %a as none in row_major, %b as none in row_major into %c maps %maps sizes(%m, %n, %k) in batch(%groups) strides of %inner[%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
func.func @start_of_unknown(%a: tensor<2x5x3x16xbf16>, %b: tensor<2x7x3x16xbf16>, %m: i32, %n: i32, %k: i32) -> tensor<2x3x5x7xf32> {
  %groups = arith.constant 6 : i32
  %inner = arith.constant 3 : i32
  %a0 = arith.constant 48 : i32
  %a1 = arith.constant 16 : i32
  %a2 = arith.constant 240 : i32
  %b0 = arith.constant 48 : i32
  %b1 = arith.constant 20 : i32
  %b2 = arith.constant 336 : i32
  // expected-error @+1 {{expected strides of argument 1 of @gemm of a multiple of 16 bytes, got 40}}
  %c:2 = qtile.launch @gemm(%a, %b) sizes(%groups, %inner, %a0, %a1, %a2, %b0, %b1, %b2, %m, %n, %k) tied [-1, -1] : (tensor<2x5x3x16xbf16>, tensor<2x7x3x16xbf16>) -> (tensor<2x3x5x7xf32>, tensor<1152xi8>)
  return %c#0 : tensor<2x3x5x7xf32>
}
