// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// The order of the ops in the loop over the contraction where partial sums are promoted by scales of blocks. It was measured; nothing may move.

// Blocks of 128. The wait for the next stage and the loads of its scales come between this stage's last products and the wait for
// them, the release before the promotion. The accumulator of a wave is the partial sum of the wave before.
// CHECK-LABEL: qtile.kernel @block
// CHECK: %[[RING:.*]] = qtile.ring : !ring
// CHECK: %[[STAGING:.*]] = qtile.alloc : !qtile.shared<256x128xbf16, panels>
// CHECK: %[[FULL:.*]] = qtile.barriers : !qtile.barriers<2 of 160>
// CHECK: %[[EMPTY:.*]] = qtile.barriers : !qtile.barriers<2 of 160>
// CHECK: qtile.role consumer warps 8 registers 232 {
// CHECK: ^bb0(%[[WARP:.*]]: i32):
// CHECK: %[[CONSUMER:.*]] = arith.divui %[[WARP]]
// CHECK: %[[ROW0:.*]] = arith.muli %[[CONSUMER]]
// CHECK: %[[ROW1:.*]] = arith.addi %[[ROW0]]
// CHECK: scf.for {{.*}} iter_args(%[[START:.*]] = %{{.*}}) -> (!qtile.stage)
// CHECK: %[[SB0:.*]] = qtile.load %arg3[
// CHECK: %[[FIRST:.*]]:3 = qtile.wait %[[RING]][%[[START]]]
// CHECK-NEXT: qtile.load_rows %[[FIRST]]#2[%[[ROW0]]]
// CHECK-NEXT: qtile.load_rows %[[FIRST]]#2[%[[ROW1]]]
// CHECK-NEXT: %[[ZERO:.*]] = qtile.zero : !qtile.fragment<64x128xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[STAGE:.*]] = %[[START]], %[[A:.*]] = %[[FIRST]]#0, %[[B:.*]] = %[[FIRST]]#1, %{{.*}} = %[[FIRST]]#2, %[[SB:.*]] = %[[SB0]], %[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[S2:.*]] = %{{.*}}, %[[S3:.*]] = %{{.*}}, %[[SUM0:.*]] = %[[ZERO]], %[[SUM1:.*]] = %[[ZERO]], %[[PARTIAL:.*]] = %[[ZERO]])
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[I]]
// CHECK: %[[SBNEXT:.*]] = qtile.load %arg3[
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P0:.*]] = qtile.mma %[[PARTIAL]], %[[A]][%[[ROW0]]], %[[B]] from 0 to 128 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[T0:.*]] = arith.mulf %[[S0]], %[[SB]]
// CHECK-NEXT: %[[T1:.*]] = arith.mulf %[[S1]], %[[SB]]
// CHECK-NEXT: %[[F0:.*]] = qtile.mma_wait 0 of %[[P0]]
// CHECK-NEXT: %[[NEXT0:.*]] = qtile.promote %[[F0]] by %[[T0]], %[[T1]] onto(%[[SUM0]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P1:.*]] = qtile.mma %[[F0]], %[[A]][%[[ROW1]]], %[[B]] from 0 to 128 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[T2:.*]] = arith.mulf %[[S2]], %[[SB]]
// CHECK-NEXT: %[[T3:.*]] = arith.mulf %[[S3]], %[[SB]]
// CHECK-NEXT: %[[AHEAD:.*]] = qtile.advance %[[RING]][%[[STAGE]]] if %[[MORE]]
// CHECK-NEXT: %[[TILES:.*]]:3 = qtile.wait %[[RING]][%[[AHEAD]]]
// CHECK-NEXT: %[[N0:.*]], %[[N1:.*]] = qtile.load_rows %[[TILES]]#2[%[[ROW0]]]
// CHECK-NEXT: %[[N2:.*]], %[[N3:.*]] = qtile.load_rows %[[TILES]]#2[%[[ROW1]]]
// CHECK-NEXT: %[[F1:.*]] = qtile.mma_wait 0 of %[[P1]]
// CHECK-NEXT: qtile.release %[[RING]][%[[STAGE]]] :
// CHECK-NEXT: %[[NEXT1:.*]] = qtile.promote %[[F1]] by %[[T2]], %[[T3]] onto(%[[SUM1]]
// CHECK-NEXT: scf.yield %[[AHEAD]], %[[TILES]]#0, %[[TILES]]#1, %[[TILES]]#2, %[[SBNEXT]], %[[N0]], %[[N1]], %[[N2]], %[[N3]], %[[NEXT0]], %[[NEXT1]], %[[F1]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[BEHIND:.*]] = qtile.advance %[[RING]]
// CHECK-NEXT: qtile.sync %[[EMPTY]][%[[CONSUMER]]]
// CHECK-NEXT: %[[MINE:.*]] = qtile.subtile %[[STAGING]][%[[CONSUMER]]]
// CHECK-NEXT: qtile.stage_fragment %{{.*}} to %[[MINE]][%c0_i32]
// CHECK-NEXT: qtile.stage_fragment %{{.*}} to %[[MINE]][%c64_i32]
// CHECK-NEXT: qtile.arrive %[[FULL]][%[[CONSUMER]]]
// CHECK-NEXT: scf.yield %[[BEHIND]]
// CHECK: qtile.role producer warps 4 registers 40 {
// What all rows of tiles read at the same time, the group that they are walked in, is read once.
// CHECK: %[[ONCE:.*]] = arith.cmpi ule, %{{.*}}, %c8_i32
// CHECK: qtile.fill bulk %[[RING]]
// CHECK: qtile.copy %arg0[%{{.*}}] count %{{.*}} to %{{[a-z0-9]+}} :
// CHECK-NEXT: qtile.copy %arg2[%{{.*}}] count %{{.*}} to %{{[a-z0-9]+}} once %[[ONCE]] :
// CHECK-NEXT: qtile.copy %arg1[%{{.*}}] count %{{.*}} to %{{[a-z0-9]+}} :
// CHECK-NEXT: }
// CHECK: qtile.arrive %[[EMPTY]][%[[STORER:.*]]] :
// CHECK-NEXT: qtile.sync %[[FULL]][%[[STORER]]]
// CHECK: qtile.store_tile
// CHECK-NOT: qtile.gemm
qtile.kernel @block(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
