// RUN: fp8-opt %s --qtile-expand-gemm --qtile-plan-rings --split-input-file | FileCheck %s
//
// Schedules by hand: who stores a tile, and who copies scales.

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
