// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// A table of schedules that says nothing, or two things, is refused.

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  // expected-error @+1 {{expected at least one schedule, got none}}
  qtile.schedules of none, none stages 3 []
}

// -----

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  // expected-error @+1 {{expected stages, columns and a step of at least 1, got 3, 0 and 16}}
  qtile.schedules of none, none stages 3 columns 0 by 16 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
}

// -----

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  // expected-error @+1 {{expected rows of at least 5 stages and 32 columns, got #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4,}}
  qtile.schedules of none, none stages 5 columns 32 by 16 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
}

// -----

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  qtile.schedules of row, row stages 3 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
  qtile.schedules of row, row promoted stages 3 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
  // expected-error @+1 {{expected one table of schedules for each kind of product, got two for row and row, promoted}}
  qtile.schedules of row, row promoted stages 3 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
}

// -----

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  qtile.schedules of row, row stages 3 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
  // expected-error @+1 {{expected one table of schedules for each kind of product, got two for row and row}}
  qtile.schedules of row, row stages 3 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
}

// -----

qtile.target @mine chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  // expected-error @+1 {{expected only qtile.schedules in a target, got builtin.module}}
  builtin.module {
  }
}

// -----

// expected-error @+2 {{expected clocks of at least 0}}
qtile.target @mine chip "sm_90a" features "+ptx88" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 1, barriers = 1>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = -1, handover = 100, tile = 1000> instructions []
