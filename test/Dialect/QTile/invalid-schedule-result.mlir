// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// A schedule that cannot leave the result as it is wanted is refused.

// Panels of the result are panels of a tile.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected the columns of a tile to be a multiple of 64, whole panels of the result, got 176}}
qtile.kernel @columns(%a: !qtile.global<bf16>, %m: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 1, turns = 0,
                             store = storers, scales = load> {
  qtile.gemm %a as none, %a as none into %a in panels sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

// They leave through a warp that has time to wait for them.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected store = storers where the result is in panels, got store = consumers}}
qtile.kernel @store(%a: !qtile.global<bf16>, %m: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 1, turns = 0,
                             store = consumers, scales = load> {
  qtile.gemm %a as none, %a as none into %a in panels sizes(%m, %m, %m) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A warp has half a panel of codes, and no numbers for columns.
qtile.target @chip chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>]
// expected-error @+1 {{expected a row-major result without numbers for columns where warps multiply, got some}}
qtile.kernel @warps(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f8E8M0FNU>, %d: !qtile.global<bf16>, %m: i32) on @chip
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0, turns = 0,
                             store = consumers, scales = load> {
  qtile.gemm %a as block_1x32 by %s, %a as block_1x32 by %s into %d plus %d : !qtile.global<bf16> sizes(%m, %m, %m)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Beside a warp that copies scales of rows, of columns, and numbers for columns, storers have no registers left for addresses.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 32 registers of a producer's thread, for storers of numbers for columns, or of panels in groups, beside a warp for scales, got 24}}
qtile.kernel @crowded(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [24, 240], group = 8, in_flight = 0, turns = 3,
                             store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %s, %a as block_1x128 by %s into %d plus %d : !qtile.global<bf16> sizes(%m, %m, %m)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
