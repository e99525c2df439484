// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --qtile-choose-schedule | FileCheck %s
//
// Schedules of products whose scales an instruction multiplies in. They are not measured: the largest tile that fits, with as many
// stages; a smaller one where a large one would leave processors without work.

// CHECK: qtile.kernel @mxfp8({{.*}}schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>
qtile.kernel @mxfp8(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @nvfp4({{.*}}schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 2, registers = [168, 168], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>
qtile.kernel @nvfp4(%a: !qtile.global<f4E2M1FN>, %sa: !qtile.global<f8E4M3FN>, %b: !qtile.global<f4E2M1FN>, %sb: !qtile.global<f8E4M3FN>,
    %alpha: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x16 by %sa, %b as block_1x16 by %sb alpha %alpha into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f4E2M1FN>, !qtile.global<f4E2M1FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @few_rows({{.*}}schedule #qtile.schedule<tile = [64, 128], consumers = 1, stages = 3,
qtile.kernel @few_rows(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k) likely [64, 16384, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @few_columns({{.*}}schedule #qtile.schedule<tile = [128, 64], consumers = 1, stages = 3,
qtile.kernel @few_columns(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k) likely [16384, 64, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}
