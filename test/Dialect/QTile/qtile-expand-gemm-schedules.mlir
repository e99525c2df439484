// RUN: fp8-opt %s --qtile-expand-gemm --qtile-plan-rings --split-input-file | FileCheck %s
//
// Schedules that are written by hand.

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

// Three consumers that store by themselves: their own barriers, before the tile is staged and before it is read. Nobody else stores,
// and the thread that loads operands copies the scales with them.
// CHECK-LABEL: qtile.kernel @consumers_store
// CHECK: %[[OWN:.*]] = qtile.barriers from 1 : !qtile.barriers<3 of 128>
// CHECK: qtile.role consumer warps 12 registers 152
// CHECK: %[[CONSUMER:.*]] = arith.divui
// CHECK: %[[LANE:.*]] = qtile.lane
// CHECK: %[[THREAD:.*]] = arith.addi %{{.*}}, %[[LANE]]
// CHECK: qtile.sync %[[OWN]][%[[CONSUMER]]]
// CHECK: qtile.stage_fragment
// CHECK: qtile.sync %[[OWN]][%[[CONSUMER]]]
// CHECK: qtile.store_tile {{.*}} by %[[THREAD]] of 128
// CHECK: qtile.role producer warps 4 registers 40
// CHECK: qtile.fill bulk
// CHECK: qtile.copy %arg0
// CHECK-NEXT: qtile.copy %arg2
// CHECK-NEXT: qtile.copy %arg1
// CHECK-NOT: qtile.fill
// CHECK-NOT: qtile.store_tile
// CHECK: qtile.return
qtile.kernel @consumers_store(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [192, 128], consumers = 3, stages = 4, registers = [40, 152], group = 8, in_flight = 0,
                             turns = 0, store = consumers, scales = load> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Scales of rows and columns of the result by the thread that loads: before the operands of the tile.
// CHECK-LABEL: qtile.kernel @load_result_scales
// CHECK: qtile.role producer
// CHECK: scf.for
// CHECK: qtile.fill bulk %[[SCALES:[0-9]*]]
// CHECK: qtile.copy %arg1
// CHECK-NEXT: qtile.copy %arg3
// CHECK: scf.for
// CHECK: qtile.fill bulk
// CHECK: qtile.copy %arg0
// CHECK-NEXT: qtile.copy %arg2
// CHECK-NOT: qtile.fill
// CHECK: qtile.return
qtile.kernel @load_result_scales(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Tiles in turn: a consumer has every second tile and passes over the stages and scales of the other one's; it begins when the other
// one has begun its last products, and scales and stages while that one multiplies. Four warps release a stage. There is one
// staged tile, which both storers write; the consumer whose turn would be next takes it at the end.
// CHECK-LABEL: qtile.kernel @pingpong
// CHECK: %[[RING:.*]] = qtile.ring plan <full = 1, empty = 4,
// CHECK: %[[SCALES:.*]] = qtile.ring plan <full = 32, empty = 4,
// CHECK: %[[STAGING:.*]] = qtile.alloc at 0 : !qtile.shared<128x176xbf16, panels>
// CHECK: %[[FULL:.*]] = qtile.barriers from 1 : !qtile.barriers<2 of 192>
// CHECK: %[[EMPTY:.*]] = qtile.barriers from 3 : !qtile.barriers<2 of 192>
// CHECK: %[[TURNS:.*]] = qtile.barriers from 5 : !qtile.barriers<2 of 256>
// CHECK: qtile.role consumer warps 8 registers 232
// CHECK: %[[CONSUMER:.*]] = arith.divui
// CHECK: %[[OTHER:.*]] = arith.subi %c1_i32, %[[CONSUMER]]
// CHECK: qtile.arrive %[[TURNS]][%c0_i32]
// CHECK: %[[BEHIND:.*]] = arith.muli %[[CONSUMER]], %[[BLOCKS:.*]] : i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[BEHIND]]
// CHECK-NEXT: qtile.advance %[[RING]]
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[CONSUMER]]
// CHECK-NEXT: qtile.advance %[[SCALES]]
// CHECK: scf.for
// CHECK: qtile.sync %[[TURNS]][%[[CONSUMER]]]
// CHECK-COUNT-2: qtile.mma {{.*}} fresh
// CHECK: scf.for
// CHECK: qtile.arrive %[[TURNS]][%[[OTHER]]]
// CHECK-NEXT: qtile.mma_wait 0
// CHECK: qtile.promote
// CHECK: qtile.sync %[[EMPTY]][%[[CONSUMER]]]
// CHECK-NEXT: %[[MINE:.*]] = qtile.subtile %[[STAGING]][%c0_i32]
// CHECK: qtile.stage_fragment %{{.*}} to %[[MINE]][%c64_i32]
// CHECK-NEXT: qtile.arrive %[[FULL]][%[[CONSUMER]]]
// CHECK: %[[PASSED:.*]] = arith.muli %c1_i32, %[[BLOCKS]]
// CHECK-NEXT: scf.for %{{.*}} = %c0_i32 to %[[PASSED]]
// CHECK-NEXT: qtile.advance %[[RING]]
// CHECK: arith.remui %{{.*}}, %c2_i32
// CHECK: scf.if
// CHECK-NEXT: qtile.sync %[[TURNS]][%[[CONSUMER]]]
// CHECK: qtile.role producer
// CHECK: scf.for {{.*}} iter_args(%[[TURN:.*]] = %c0_i32) -> (i32)
// CHECK: qtile.arrive %[[EMPTY]][%[[TURN]]]
// CHECK-NEXT: qtile.sync %[[FULL]][%[[TURN]]]
// CHECK: qtile.store_tile {{.*}} of 64 at_once 4
// CHECK: %[[NEXT:.*]] = arith.subi %c1_i32, %[[TURN]]
// CHECK: scf.yield %[[NEXT]]
qtile.kernel @pingpong(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1,
                             turns = 0, store = storers, scales = warp, order = pingpong> {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Nothing in flight behind an iteration: its own stage is released in it.
// CHECK-LABEL: qtile.kernel @none_in_flight
// CHECK: scf.for
// CHECK: scf.for
// CHECK: qtile.mma_commit
// CHECK-NEXT: %[[F:.*]]:2 = qtile.mma_wait 0
// CHECK-NEXT: qtile.release %{{.*}}[%[[STAGE:.*]]] :
// CHECK-NEXT: %[[NEXT:.*]] = qtile.advance %{{.*}}[%[[STAGE]]] :
// CHECK-NEXT: scf.yield %[[NEXT]], %[[STAGE]], %[[F]]#0, %[[F]]#1
// CHECK-NEXT: }
// CHECK-NOT: qtile.mma_wait
// CHECK: qtile.role producer
qtile.kernel @none_in_flight(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32,
    %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// The turn passed when all products are done.
// CHECK-LABEL: qtile.kernel @whole_turns
// CHECK: scf.for
// CHECK: scf.for
// CHECK: qtile.sync %[[TURNS:.*]][%[[CONSUMER:.*]]] :
// CHECK-NEXT: qtile.mma_fence
// CHECK-NEXT: qtile.mma {{.*}} from 0 to 128 fresh
// CHECK-NEXT: qtile.mma_commit
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: qtile.advance
// CHECK-NEXT: qtile.wait
// CHECK-NEXT: qtile.load_rows
// CHECK-NEXT: qtile.mma_wait 0 of %
// CHECK-NEXT: qtile.arrive %[[TURNS]]
// CHECK-NEXT: qtile.release
// CHECK-NEXT: qtile.promote
qtile.kernel @whole_turns(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 4, store = storers, scales = warp> {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
