// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --split-input-file | FileCheck %s
//
// The order of the ops in the loop over the contraction, one kind of product each. It was measured; nothing may move.

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

// -----

// A tile of 192 columns reaches into two blocks of columns. Which one the middle third belongs to is known before the loop.
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

// -----

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

// -----

// One scale: the first stage's products begin the sums anew. Products stay in flight over an iteration, and the stage before is
// released when they are done.
// CHECK-LABEL: qtile.kernel @tensor
// CHECK: %[[RING:.*]] = qtile.ring
// CHECK: %[[ALPHA:.*]] = qtile.load %arg1[%c0_i64]
// CHECK: scf.for {{.*}} iter_args(%[[START:.*]] = %{{.*}}) -> (!qtile.stage)
// CHECK: %[[ZERO:.*]] = qtile.zero : !qtile.pending<64x256xf32>
// CHECK-NEXT: %[[FIRST:.*]]:2 = qtile.wait %[[RING]][%[[START]]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P0:.*]] = qtile.mma %[[ZERO]], %[[FIRST]]#0[%{{.*}}], %[[FIRST]]#1 from 0 to 128 fresh :
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: %[[SECOND:.*]] = qtile.advance %[[RING]][%[[START]]] :
// CHECK-NEXT: %[[LOOP:.*]]:3 = scf.for %{{.*}} = %c1_i32 to %{{.*}} iter_args(%[[STAGE:.*]] = %[[SECOND]], %[[BEFORE:.*]] = %[[START]], %[[ACC:.*]] = %[[P0]])
// CHECK-NEXT: %[[TILES:.*]]:2 = qtile.wait %[[RING]][%[[STAGE]]]
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: %[[P:.*]] = qtile.mma %[[ACC]], %[[TILES]]#0[%{{.*}}], %[[TILES]]#1 from 0 to 128 :
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: qtile.mma_wait 1
// CHECK-NEXT: qtile.release %[[RING]][%[[BEFORE]]] :
// CHECK-NEXT: %[[NEXT:.*]] = qtile.advance %[[RING]][%[[STAGE]]] :
// CHECK-NEXT: scf.yield %[[NEXT]], %[[STAGE]], %[[P]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[F:.*]] = qtile.mma_wait 0 of %[[LOOP]]#2
// CHECK-NEXT: qtile.release %[[RING]][%[[LOOP]]#1] :
// CHECK-NEXT: %[[SCALED:.*]] = qtile.promote %[[F]] by %[[ALPHA]], %[[ALPHA]] :
// CHECK: qtile.stage_fragment %[[SCALED]]
// CHECK-NOT: qtile.fill async
qtile.kernel @tensor(%a: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %b: !qtile.global<f8E5M2>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// -----

// No scales: what is accumulated is stored. Two bytes an element: 64 of the contraction are a stage.
// CHECK-LABEL: qtile.kernel @none
// CHECK: arith.divui %{{.*}}, %c64_i32
// CHECK: qtile.ring
// CHECK: %[[F:.*]] = qtile.mma_wait 0 of %{{.*}} : !qtile.pending<64x256xf32>
// CHECK-NOT: qtile.promote
// CHECK: qtile.stage_fragment %[[F]]
// CHECK: qtile.copy %{{.*}} : !qtile.global<bf16> to !qtile.shared<128x64xbf16, panels>
qtile.kernel @none(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// -----

// Scales of rows and columns of the result come in a ring of their own, once for each tile.
// CHECK-LABEL: qtile.kernel @row
// CHECK: %[[F:.*]] = qtile.mma_wait 0
// CHECK-NEXT: qtile.release
// CHECK-NEXT: %[[TILES:.*]]:2 = qtile.wait %[[RING2:.*]][%[[STAGE:.*]]] : {{.*}} -> !qtile.shared<128xf32>, !qtile.shared<256xf32>
// CHECK-NEXT: %[[COLUMNS:.*]] = qtile.load_columns %[[TILES]]#1
// CHECK-NEXT: %[[S0:.*]], %[[S1:.*]] = qtile.load_rows %[[TILES]]#0
// CHECK-NEXT: qtile.release %[[RING2]][%[[STAGE]]]
// CHECK-NEXT: qtile.promote %[[F]] by %[[S0]], %[[S1]] columns(%[[COLUMNS]] :
// CHECK-NEXT: qtile.advance %[[RING2]][%[[STAGE]]]
// CHECK: qtile.fill async %[[RING2]]
// CHECK: qtile.copy %arg1
// CHECK-NEXT: qtile.copy %arg3
qtile.kernel @row(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
