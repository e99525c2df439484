// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --split-input-file | FileCheck %s
//
// The order of the ops in the loop over the contraction where two consumers take turns. It was measured; nothing may move.

// Scales of columns: the turn is taken before the products and passed when three of four are done. Consumer 1 gives consumer
// 0 the first turn, consumer 0 takes the one that is left.
// CHECK-LABEL: qtile.kernel @columns
// CHECK: %[[TURNS:.*]] = qtile.barriers : !qtile.barriers<2 of 256>
// CHECK: %[[CONSUMER:.*]] = arith.divui
// CHECK: %[[OTHER:.*]] = arith.subi %c1_i32, %[[CONSUMER]]
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %[[CONSUMER]], %c1_i32
// CHECK-NEXT: scf.if %[[IS1]]
// CHECK-NEXT: qtile.arrive %[[TURNS]][%c0_i32]
// CHECK-NEXT: }
// CHECK: scf.for
// CHECK: scf.for
// CHECK: qtile.sync %[[TURNS]][%[[CONSUMER]]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P0:.*]] = qtile.mma %{{.*}} from 0 to 96 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[Q0:.*]] = qtile.mma %[[P0]], %{{.*}} from 96 to 128 :
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[COLUMNS:.*]] = qtile.load_columns
// CHECK-NEXT: qtile.mma_wait 1
// CHECK-NEXT: qtile.arrive %[[TURNS]][%[[OTHER]]]
// CHECK-NEXT: %[[F0:.*]] = qtile.mma_wait 0 of %[[Q0]]
// CHECK-NEXT: qtile.promote %[[F0]] by %{{.*}} columns(%[[COLUMNS]] :
// CHECK-NEXT: qtile.sync %[[TURNS]][%[[CONSUMER]]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P1:.*]] = qtile.mma %[[F0]], %{{.*}} from 0 to 96 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[Q1:.*]] = qtile.mma %[[P1]], %{{.*}} from 96 to 128 :
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: qtile.advance
// CHECK-NEXT: qtile.wait
// CHECK-NEXT: qtile.load_rows
// CHECK-NEXT: qtile.load_rows
// CHECK-NEXT: qtile.mma_wait 1
// CHECK-NEXT: qtile.arrive %[[TURNS]][%[[OTHER]]]
// CHECK-NEXT: %[[F1:.*]] = qtile.mma_wait 0 of %[[Q1]]
// CHECK-NEXT: qtile.release
// CHECK-NEXT: qtile.promote %[[F1]] by %{{.*}} columns(%[[COLUMNS]] :
// CHECK-NEXT: scf.yield
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[CONSUMER]], %c0_i32
// CHECK-NEXT: scf.if %[[IS0]]
// CHECK-NEXT: qtile.sync %[[TURNS]][%c0_i32]
// CHECK: qtile.fill async
// CHECK: qtile.copy %arg1
// CHECK-NEXT: qtile.copy %arg3
qtile.kernel @columns(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
