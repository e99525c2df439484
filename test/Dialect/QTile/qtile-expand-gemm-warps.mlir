// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// The order of the ops where warps multiply: what a step multiplies is loaded before the step before it is multiplied, and the stage
// is released as soon as the last step is loaded.

// One tile of scales is for a stage: four steps, a byte of each word.
// CHECK: !ring = !qtile.ring<2, !qtile.shared<128x128xf8E4M3FN, panels>, !qtile.shared<128x128xf8E5M2, panels>, !qtile.shared<512xf8E8M0FNU>, !qtile.shared<512xf8E8M0FNU>>
// CHECK-LABEL: qtile.kernel @mxfp8
// CHECK: %[[RING:.*]] = qtile.ring : !ring
// CHECK: %[[STAGING:.*]] = qtile.alloc : !qtile.shared<128x64xbf16, panels>
// CHECK-NOT: qtile.barriers
// CHECK: qtile.role consumer warps 8 registers 168 {
// CHECK: ^bb0(%[[WARP:.*]]: i32):
// CHECK: %[[DOWN:.*]] = arith.remui %[[WARP]], %c4_i32
// CHECK: %[[ROW:.*]] = arith.muli %[[DOWN]], %c32_i32
// CHECK: %[[ACROSS:.*]] = arith.divui %[[WARP]], %c4_i32
// CHECK: %[[COLUMN:.*]] = arith.muli %[[ACROSS]], %c64_i32
// CHECK: %[[LANE:.*]] = qtile.lane
// CHECK: %[[MINE:.*]] = qtile.subtile %[[STAGING]][%[[WARP]]]
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[SUM0:.*]] = %{{.*}}, %[[SUM1:.*]] = %{{.*}}) -> (!qtile.stage, !qtile.fragment<16x64xf32>, !qtile.fragment<16x64xf32>)
// CHECK: %[[TILES:.*]]:4 = qtile.wait %[[RING]][%[[STAGE]]]
// CHECK-NEXT: %[[A0:.*]] = qtile.load_operand %[[TILES]]#0[%[[ROW]]] byte 0
// CHECK-NEXT: %[[B0:.*]] = qtile.load_operand %[[TILES]]#1[%[[COLUMN]]] byte 0
// CHECK: %[[SA:.*]] = qtile.load_scale_words %[[TILES]]#2
// CHECK: %[[SB:.*]] = qtile.load_scale_words %[[TILES]]#3
// CHECK-NEXT: %[[A1:.*]] = qtile.load_operand %[[TILES]]#0[%[[ROW]]] byte 32
// CHECK-NEXT: %[[B1:.*]] = qtile.load_operand %[[TILES]]#1[%[[COLUMN]]] byte 32
// CHECK-NEXT: %[[P0:.*]] = qtile.mma_scaled %[[SUM0]], %[[A0]][0] by %[[SA]], %[[B0]] by %[[SB]] block 0
// CHECK-NEXT: %[[P1:.*]] = qtile.mma_scaled %[[SUM1]], %[[A0]][16] by %[[SA]], %[[B0]] by %[[SB]] block 0
// CHECK-NEXT: qtile.load_operand %[[TILES]]#0[%[[ROW]]] byte 64
// CHECK-NEXT: qtile.load_operand %[[TILES]]#1[%[[COLUMN]]] byte 64
// CHECK-NEXT: qtile.mma_scaled %[[P0]], %[[A1]][0] by %[[SA]], %[[B1]] by %[[SB]] block 1
// CHECK-NEXT: qtile.mma_scaled %[[P1]], %[[A1]][16] by %[[SA]], %[[B1]] by %[[SB]] block 1
// CHECK-NEXT: qtile.load_operand %[[TILES]]#0[%[[ROW]]] byte 96
// CHECK-NEXT: qtile.load_operand %[[TILES]]#1[%[[COLUMN]]] byte 96
// CHECK-COUNT-2: qtile.mma_scaled {{.*}} block 2
// CHECK-NEXT: qtile.sync_warp
// CHECK-NEXT: qtile.release %[[RING]][%[[STAGE]]]
// CHECK-COUNT-2: qtile.mma_scaled {{.*}} block 3
// CHECK-NEXT: qtile.advance %[[RING]][%[[STAGE]]]
// The result, 16 rows at a time.
// CHECK: qtile.sync_warp
// CHECK-NEXT: qtile.stage_fragment %{{.*}} to %[[MINE]][%c0_i32]
// CHECK-NEXT: qtile.sync_warp
// CHECK: qtile.store_tile %[[MINE]] to %{{.*}} by %[[LANE]] of 32 at_once 4
// CHECK: qtile.sync_warp
// CHECK: qtile.store_tile
// CHECK: qtile.role producer warps 4 registers 168 {
// CHECK: qtile.fill bulk %[[RING]]
// CHECK: qtile.copy %arg0
// CHECK-NEXT: qtile.copy %arg2
// CHECK-NEXT: qtile.copy %arg1
// CHECK-NEXT: qtile.copy %arg3
// CHECK-NEXT: }
// CHECK-NOT: qtile.gemm
qtile.kernel @mxfp8(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}
