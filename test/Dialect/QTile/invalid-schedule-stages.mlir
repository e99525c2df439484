// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// A schedule under which a kernel would wait forever, and numbers that no kernel can have.

// The next stage is waited for before this one is released.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 2 stages where partial sums are promoted, as the next one is waited for before one is released, got stages = 1}}
qtile.kernel @promoted(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 1, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
// expected-error @+1 {{expected at least 2 stages under in_flight = 1, as the next one is waited for before one is released, got stages = 1}}
qtile.kernel @in_flight(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 1, registers = [40, 232], group = 8, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// One stage is enough where it is released before the next one is waited for.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
qtile.kernel @finished(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 1, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// expected-error @+1 {{expected 1 to 256 for stages, got 100000000}}
func.func private @stages() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 2, stages = 100000000, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>}

// -----

// Rows of tiles that are walked together, times columns of tiles, are counted in 32 bits.
// expected-error @+1 {{expected 1 to 256 for group, got 4294967296}}
func.func private @group() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [40, 232], group = 4294967296, in_flight = 0, turns = 0, store = storers, scales = load>}

// -----

// expected-error @+1 {{expected 1 to 256 for group, got 2147483648}}
func.func private @even_group() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 2, stages = 3, registers = [40, 232], group = 2147483648, in_flight = 0, turns = 0, store = storers, scales = load>}

// -----

// expected-error @+1 {{expected 1 to 256 for consumers, got 1152921504606846976}}
func.func private @consumers() attributes {schedule = #qtile.schedule<tile = [128, 128], consumers = 1152921504606846976, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>}

// -----

// expected-error @+1 {{expected a tile of at most 65536 rows and 256 columns, what an instruction has, got 128 and 1073741824}}
func.func private @columns() attributes {schedule = #qtile.schedule<tile = [128, 1073741824], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>}
