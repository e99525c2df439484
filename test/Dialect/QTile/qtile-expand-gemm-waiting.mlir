// RUN: fp8-opt %s --qtile-expand-gemm --qtile-plan-rings --split-input-file | FileCheck %s
//
// Schedules by hand: when products are waited for, a stage is released and a turn passed.

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>]

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
