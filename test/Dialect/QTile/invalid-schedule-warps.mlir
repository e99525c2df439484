// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// A schedule that its target cannot run is refused, where warps multiply.

// Codes that no instruction multiplies under such scales.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected an instruction for f8E5M2 and f8E5M2 under scales of f8E8M0FNU, got a target without}}
qtile.kernel @instruction(%a: !qtile.global<f8E5M2>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E5M2>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// -----

// More rows than a tile of scales has.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected a tile of at most 128 rows and columns that 8 warps share, 64 columns and a multiple of 32 rows each, got 256 and 64}}
qtile.kernel @rows(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [256, 64], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Warps that would have no rows.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected a tile of at most 128 rows and columns that 4 warps share, 64 columns and a multiple of 32 rows each, got 64 and 64}}
qtile.kernel @warps(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [64, 64], consumers = 1, stages = 2, registers = [248, 248], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Sums of 32 rows and 64 columns, operands of two steps.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected at least 142 registers of a consumer's thread, for sums, operands, scales and addresses, got 136}}
qtile.kernel @registers(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 136], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Nobody else stores.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected store = consumers and scales = load where warps multiply, got store = storers, scales = load}}
qtile.kernel @store(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Nothing is asynchronous.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected no products in flight and no turns where warps multiply, got in_flight = 1, turns = 0}}
qtile.kernel @in_flight(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 1,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Three stages leave no room for results.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected at most 101376 bytes of shared memory of a block, got a schedule of 117808}}
qtile.kernel @shared(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [168, 168], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
