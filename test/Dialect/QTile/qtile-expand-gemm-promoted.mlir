// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=ROUND
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// Sums under tensor and row scales that are promoted every 128 of the contraction. Nothing but operands comes with a stage; the scales are met
// once, behind the last promotion, as they are where all of the contraction stays in the accumulator.

// ROUND: qtile.gemm %{{.*}} as tensor, %{{.*}} as tensor alpha %{{.*}} promoted into
// ROUND: qtile.gemm %{{.*}} as row by %{{.*}}, %{{.*}} as row by %{{.*}} promoted into

// CHECK-LABEL: qtile.kernel @tensor({{.*}} in_flight = 0, turns = 0,
// CHECK: %[[RING:.*]] = qtile.ring : !ring
// CHECK: qtile.role consumer
// CHECK: %[[ALPHA:.*]] = qtile.load %arg2[
// CHECK: %[[FIRST:.*]]:2 = qtile.wait %[[RING]][
// CHECK-NEXT: %[[ZERO:.*]] = qtile.zero
// CHECK: scf.for {{.*}} %[[SUM0:[^ ]*]] = %[[ZERO]], %[[SUM1:[^ ]*]] = %[[ZERO]], %[[PARTIAL:[^ ]*]] = %[[ZERO]])
// CHECK: %[[P0:.*]] = qtile.mma %[[PARTIAL]], {{.*}} from 0 to 128 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[F0:.*]] = qtile.mma_wait 0 of %[[P0]]
// CHECK-NEXT: qtile.promote %[[F0]] by %[[ONE]], %[[ONE]] onto(%[[SUM0]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P1:.*]] = qtile.mma %[[F0]], {{.*}} from 0 to 128 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[ONE1:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: qtile.advance
// CHECK-NEXT: qtile.wait
// CHECK-NEXT: %[[F1:.*]] = qtile.mma_wait 0 of %[[P1]]
// CHECK-NEXT: qtile.release
// CHECK-NEXT: qtile.promote %[[F1]] by %[[ONE1]], %[[ONE1]] onto(%[[SUM1]]
// CHECK: qtile.promote %{{.*}} by %[[ALPHA]], %[[ALPHA]] :
// CHECK: qtile.role producer
qtile.kernel @tensor(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E5M2>, %alpha: !qtile.global<f32>, %d: !qtile.global<bf16>,
                     %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha promoted into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// Scales of rows and columns come once for a tile, by a warp of their own.
// CHECK-LABEL: qtile.kernel @row(
// CHECK: qtile.role consumer
// CHECK: qtile.promote %{{.*}} by %{{.*}}, %{{.*}} onto(
// CHECK: %[[COLUMNS:.*]] = qtile.load_columns
// CHECK: qtile.promote %{{.*}} by %{{.*}}, %{{.*}} columns(%[[COLUMNS]]
// CHECK: qtile.role producer
// CHECK: qtile.fill bulk
// CHECK-COUNT-2: qtile.copy
// CHECK-NOT: qtile.copy
// CHECK: qtile.fill async
qtile.kernel @row(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
                  %d: !qtile.global<f32>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb promoted into %d sizes(%m, %n, %k) likely [4096, 4096, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f32>
  qtile.return
}
