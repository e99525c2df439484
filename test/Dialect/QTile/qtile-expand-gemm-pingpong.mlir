// RUN: fp8-opt %s --qtile-expand-gemm --qtile-plan-rings --split-input-file | FileCheck %s
//
// A schedule by hand: tiles in turn.

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

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
