// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// Partial sums are promoted by scales of blocks, of which a tile of 192 columns reaches into two. Which one the middle third belongs
// to is known before the loop.
// CHECK-LABEL: qtile.kernel @straddling
// CHECK: %[[AMID:.*]] = arith.cmpi ne
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[SB0:arg[0-9]*]] = %{{[0-9]*}}, %[[SB1:arg[0-9]*]] = %{{[0-9]*}}, %[[S0:arg[0-9]*]] = %first, %[[S1:arg[0-9]*]] = %second,
// CHECK: qtile.load %arg3[
// CHECK: qtile.load %arg3[
// CHECK-NEXT: %[[MIDDLE:.*]] = arith.select %[[AMID]], %[[SB1]], %[[SB0]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: qtile.mma
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[T0:.*]] = arith.mulf %[[S0]], %[[SB0]]
// CHECK-NEXT: %[[T1:.*]] = arith.mulf %[[S1]], %[[SB0]]
// CHECK-NEXT: %[[T2:.*]] = arith.mulf %[[S0]], %[[MIDDLE]]
// CHECK-NEXT: %[[T3:.*]] = arith.mulf %[[S1]], %[[MIDDLE]]
// CHECK-NEXT: %[[T4:.*]] = arith.mulf %[[S0]], %[[SB1]]
// CHECK-NEXT: %[[T5:.*]] = arith.mulf %[[S1]], %[[SB1]]
// CHECK: qtile.promote %{{.*}} by %[[T0]], %[[T1]], %[[T2]], %[[T3]], %[[T4]], %[[T5]] onto(
qtile.kernel @straddling(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 2112, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
