// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// A schedule that its target cannot run is refused, and the limit is named.

// Three groups of 128 threads.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 256, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at most 256 threads of a block, got a schedule of 384}}
qtile.kernel @threads(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// What the threads of a block start with: more is never there.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at most 64512 registers of a block, 168 for each thread, got a schedule of 65536}}
qtile.kernel @registers(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [32, 240], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A tile is as wide as one instruction.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x96x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at most 96 columns of a tile, what instructions for 'f8E4M3FN' and 'f8E4M3FN' have, got 128}}
qtile.kernel @instruction(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Two waves of sums, a partial sum, and what is left for scales and addresses.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 312 registers of a consumer's thread, for sums, partial sum, scales and addresses, got 232}}
qtile.kernel @accumulators(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 192], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Scales of columns take registers too.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 240 registers of a consumer's thread, for sums, partial sum, scales and addresses, got 232}}
qtile.kernel @column_scales(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Storers of f32 in a group that copies scales too need more than the fewest.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 32 registers of a producer's thread, for storers of f32 beside a warp for scales, got 24}}
qtile.kernel @storers(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<f32>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 3, registers = [24, 240], group = 8, in_flight = 0,
                             turns = 3, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f32>
  qtile.return
}

// -----

// The accumulator of one instruction has to fit what a thread starts with.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected an instruction of at most 102 accumulator registers where 512 threads share 65536, got 128}}
qtile.kernel @share(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [192, 256], consumers = 3, stages = 3, registers = [40, 152], group = 8, in_flight = 1,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Nothing is in flight while partial sums are promoted.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected in_flight of at most 0 where partial sums are promoted, got 1}}
qtile.kernel @in_flight(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 1,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A stage is released one iteration later, not two.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected in_flight of at most 1, got 2}}
qtile.kernel @too_many_in_flight(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 2,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// There is nothing to hide without promotions.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected no turns where no partial sums are promoted, got turns = 3}}
qtile.kernel @turns(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 3, store = storers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Two warps of the producer's group are free.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at most 2 consumers for as many storers, got 3}}
qtile.kernel @storers(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [192, 128], consumers = 3, stages = 3, registers = [40, 152], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A tile starts at half a block of columns at the least.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected the columns of a tile to be a multiple of 64 under block_128x128 scales, got 96}}
qtile.kernel @halves(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 96], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Stages and the staged result.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at most 232448 bytes of shared memory of a block, got a schedule of 266304}}
qtile.kernel @shared(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// What is staged has 16 bits or 32.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected a result of bf16, f16 or f32, what tiles are staged in, got 'f8E5M2'}}
qtile.kernel @result(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<f8E5M2>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E5M2>
  qtile.return
}

// -----

// Under pingpong tiles alternate between two consumers, and storers hand the staged tile on.
// expected-error @+1 {{expected two consumers, storers and no turns under pingpong, got consumers = 1, store = storers, turns = 0}}
func.func private @one() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 1, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp, order = pingpong>}

// -----

// expected-error @+1 {{expected the rows of a tile to be a multiple of 64 under pingpong (64), got 96}}
func.func private @rows() attributes {schedule = #qtile.schedule<tile = [96, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp, order = pingpong>}

// -----

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected no pingpong where partial sums are promoted}}
qtile.kernel @pingpong_promoted(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 64], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load, order = pingpong> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected no pingpong for groups of the contraction, whose tiles differ in their stages}}
qtile.kernel @pingpong_groups(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %bounds: !qtile.global<i32>, %d: !qtile.global<bf16>,
    %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 64], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load, order = pingpong> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in contraction(%g by %bounds)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected no pingpong for a result of f32, which leaves the operands too few stages}}
qtile.kernel @pingpong_wide(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<f32>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 64], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load, order = pingpong> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f32>
  qtile.return
}

// -----

// expected-error @+1 {{expected consumers or storers, got 'producer'}}
func.func private @word() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = producer, scales = load>}

// -----

// expected-error @+1 {{expected 'order'}}
func.func private @unknown_field() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load, cluster = 2>}

// -----

// expected-error @+1 {{expected none, tensor, row, block_1x128, block_128x128, block_1x32 or block_1x16, got 'rows'}}
func.func private @scaling() attributes {scaling = #qtile<scaling rows>}
