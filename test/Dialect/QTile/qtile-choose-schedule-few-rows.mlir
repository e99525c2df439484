// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s --check-prefix=EXPANDED
//
// Of few rows a tile has as few columns as give every processor one, a quarter of a block that shares scales at the least; and then one
// scale for all of its columns.

// CHECK: qtile.kernel @narrow({{.*}}schedule #qtile.schedule<tile = [64, 32], consumers = 1,
// EXPANDED-LABEL: qtile.kernel @narrow
// EXPANDED: scf.for {{.*}} iter_args(%{{.*}}, %[[SB:arg[0-9]*]] = %{{[0-9]*}}, %[[S0:arg[0-9]*]] = %first, %[[S1:arg[0-9]*]] = %second,
// EXPANDED: %[[T0:.*]] = arith.mulf %[[S0]], %[[SB]]
// EXPANDED-NEXT: %[[T1:.*]] = arith.mulf %[[S1]], %[[SB]]
// EXPANDED-NOT: arith.select
// EXPANDED: qtile.promote %{{.*}} by %[[T0]], %[[T1]] onto(
qtile.kernel @narrow(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [64, 4096, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @half({{.*}}schedule #qtile.schedule<tile = [64, 64], consumers = 1,
qtile.kernel @half(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [64, 7168, 16384]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @whole({{.*}}schedule #qtile.schedule<tile = [64, 128], consumers = 1,
qtile.kernel @whole(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [64, 28672, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
