// The instructions of a target are those that kernels for its chip have: an entry that says another would be believed by schedules and written by nobody.
//
// RUN: fp8-opt %s --qtile-load-target=name=chip --split-input-file --verify-diagnostics

// Fewer columns, and fewer instructions, than the chip has.
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x96x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E5M2, f32, threads = 128, asynchronous>, #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>, #qtile.mma<64x256x16, step = 8, f16, f16, f32, threads = 128, asynchronous>]

// -----

qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>, #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>]

// -----

qtile.target @chip chip "sm_100a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<128x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<128x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x512x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x512x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x64, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x64, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 16, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 16, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f16, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f16, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 64, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 64, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128>]

// -----

// expected-error @below {{expected #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>, or one of fewer columns, got #qtile.mma<64x256x32, step = 8, bf16, bf16, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>, got #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 16, threads = 32>}}
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 16, threads = 32>]

// -----

// expected-error @below {{expected #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>, got #qtile.mma<16x16x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>}}
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x16x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>]

// -----

// expected-error @below {{expected #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>, got #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E8M0FNU each 32, threads = 32>}}
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E8M0FNU each 32, threads = 32>]

// -----

// expected-error @below {{expected #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>, got #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32, asynchronous>}}
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32, asynchronous>]

// -----

// Operands that no kernel multiplies.
// expected-error @below {{expected instructions for operands that kernels for sm_90a multiply, got #qtile.mma<64x256x32, step = 8, i8, i8, i32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, i8, i8, i32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected instructions for operands that kernels for sm_90a multiply, got #qtile.mma<64x256x16, step = 8, bf16, f16, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, f16, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected instructions for operands that kernels for sm_120a multiply, got #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected instructions for operands that kernels for sm_100a multiply, got #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_100a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// -----

// expected-error @below {{expected instructions for operands that kernels for sm_90a multiply, got #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>]

// -----

// Which of them would count?
// expected-error @below {{expected one instruction for 'f8E4M3FN' and 'f8E4M3FN', got a second, #qtile.mma<64x96x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>}}
qtile.target @chip chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 99328, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>, #qtile.mma<64x96x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
