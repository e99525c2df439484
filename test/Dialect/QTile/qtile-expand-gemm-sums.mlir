// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --split-input-file | FileCheck %s
//
// The order of the ops in the loop over the contraction where sums stay in the accumulators, one kind of product each. It was measured; nothing may
// move.

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
