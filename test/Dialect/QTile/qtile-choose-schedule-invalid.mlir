// RUN: fp8-opt %s --qtile-choose-schedule --verify-diagnostics --split-input-file
//
// Where there is nothing to choose from, the reason is named.

// expected-error @+1 {{expected @sm_90a to name a qtile.target of the module; run qtile-load-target first}}
qtile.kernel @no_target(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// expected-error @+1 {{expected rates, which schedules are compared by, got none}}
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]
qtile.kernel @no_rates(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  qtile.schedules of none, none stages 3 [
    #qtile.schedule<tile = [64, 128], consumers = 1, stages = 4, registers = [40, 248], group = 8, in_flight = 1, turns = 0, store = storers, scales = load>]
}
qtile.kernel @no_instruction(%a: !qtile.global<f8E5M2>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected a schedule that target "sm_90a" can run, got none for 'f8E5M2' as none and 'f8E5M2' as none into 'bf16'}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E5M2>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A table for another kind of product is none for this one.
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  qtile.schedules of none, none stages 3 [
    #qtile.schedule<tile = [64, 128], consumers = 1, stages = 4, registers = [40, 248], group = 8, in_flight = 1, turns = 0, store = storers, scales = load>]
}
qtile.kernel @no_table(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{got none for 'f8E4M3FN' as row and 'f8E4M3FN' as row into 'bf16'}}
  qtile.gemm %a as row by %s, %a as row by %s into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
