// RUN: fp8-opt %s | fp8-opt | FileCheck %s
//
// A matrix product as roles over a ring, written by hand: what the kernels' builders write, once, to be read.

#wgmma = #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>
!a = !qtile.shared<256x128xf8E4M3FN, panels>
!b = !qtile.shared<128x128xf8E4M3FN, panels>
!s = !qtile.shared<256xf32>
!ring = !qtile.ring<3, !a, !b, !s>
!f = !qtile.fragment<64x128xf32>
!p = !qtile.pending<64x128xf32>

// CHECK: qtile.target @sm_90a chip "sm_90a" features "+ptx88"
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#wgmma]

// CHECK-LABEL: qtile.kernel @unscheduled
// CHECK-SAME: on @sm_90a schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>
qtile.kernel @unscheduled(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>,
                          %sb: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0,
                             turns = 0, store = storers, scales = warp> {
  // CHECK: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_128x128 by %{{.*}} into %{{.*}} sizes(
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// One tile of 256 x 128 of the result, for k a multiple of 128.
// CHECK-LABEL: qtile.kernel @one_tile
qtile.kernel @one_tile(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>,
                       %sb: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %c16384 = arith.constant 16384 : i32
  %c32768 = arith.constant 32768 : i32
  %blocks = arith.divsi %k, %c128 : i32
  // CHECK: %[[RING:.*]] = qtile.ring : !ring
  %ring = qtile.ring : !ring
  %staging = qtile.alloc : !qtile.shared<256x128xbf16, panels>
  // CHECK: qtile.barriers : !qtile.barriers<2 of 160>
  %staged = qtile.barriers : !qtile.barriers<2 of 160>
  // CHECK: qtile.role consumer warps 8 registers 232 {
  qtile.role consumer warps 8 registers 232 {
  ^bb0(%warp: i32):
    %group = arith.shrui %warp, %c2 : i32
    %row0 = arith.muli %group, %c128 : i32
    %row1 = arith.addi %row0, %c64 : i32
    %first = qtile.first consumer of %ring : !ring
    %zero = qtile.zero : !f
    %start = qtile.zero : !p
    %last = arith.subi %blocks, %c1 : i32
    %sums:4 = scf.for %i = %c0 to %blocks step %c1
        iter_args(%stage = %first, %sum0 = %zero, %sum1 = %zero, %acc = %start) -> (!qtile.stage, !f, !f, !p) : i32 {
      %at:3 = qtile.wait %ring[%stage] : !ring -> !a, !b, !s
      %i64 = arith.extui %i : i32 to i64
      %scale = qtile.load %sb[%i64] : !qtile.global<f32> -> f32
      %s0, %s1 = qtile.load_rows %at#2[%row0] : !s
      %s2, %s3 = qtile.load_rows %at#2[%row1] : !s
      %t0 = arith.mulf %s0, %scale : f32
      %t1 = arith.mulf %s1, %scale : f32
      qtile.mma_fence
      // CHECK: qtile.mma %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} from 0 to 128 fresh
      %p0 = qtile.mma %acc, %at#0[%row0], %at#1 from 0 to 128 fresh : !p, !a, !b -> !p
      qtile.mma_commit
      // CHECK: qtile.mma_wait 0 of %{{.*}} : !qtile.pending<64x128xf32> -> !qtile.fragment<64x128xf32>
      %f0 = qtile.mma_wait 0 of %p0 : !p -> !f
      // CHECK: qtile.promote %{{.*}} by %{{.*}}, %{{.*}} onto(%{{.*}} : !qtile.fragment<64x128xf32>)
      %next0 = qtile.promote %f0 by %t0, %t1 onto(%sum0 : !f) : !f
      qtile.mma_fence
      %p1 = qtile.mma %f0, %at#0[%row1], %at#1 from 0 to 128 fresh : !f, !a, !b -> !p
      qtile.mma_commit
      %f1 = qtile.mma_wait 0 of %p1 : !p -> !f
      qtile.release %ring[%stage] : !ring
      %next1 = qtile.promote %f1 by %s2, %s3 onto(%sum1 : !f) : !f
      %is_more = arith.cmpi ult, %i, %last : i32
      %ahead = qtile.advance %ring[%stage] if %is_more : !ring
      scf.yield %ahead, %next0, %next1, %p1 : !qtile.stage, !f, !f, !p
    }
    qtile.stage_fragment %sums#1 to %staging[%row0] : !f to !qtile.shared<256x128xbf16, panels>
    qtile.stage_fragment %sums#2 to %staging[%row1] : !f to !qtile.shared<256x128xbf16, panels>
    qtile.arrive %staged[%group] : !qtile.barriers<2 of 160>
  }
  // CHECK: qtile.role producer warps 4 registers 40 {
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %lane = qtile.lane
    %is_load = arith.cmpi eq, %warp, %c0 : i32
    %is_scale = arith.cmpi eq, %warp, %c1 : i32
    %is_store = arith.cmpi uge, %warp, %c2 : i32
    %is_first = arith.cmpi eq, %lane, %c0 : i32
    %is_loader = arith.andi %is_load, %is_first : i1
    %first = qtile.first producer of %ring : !ring
    %step = arith.constant 128 : i64
    scf.if %is_loader {
      %end = scf.for %i = %c0 to %blocks step %c1 iter_args(%stage = %first) -> (!qtile.stage) : i32 {
        %i64 = arith.extui %i : i32 to i64
        %m64 = arith.extui %m : i32 to i64
        %n64 = arith.extui %n : i32 to i64
        %am = arith.muli %i64, %m64 : i64
        %ao = arith.muli %am, %step : i64
        %bn = arith.muli %i64, %n64 : i64
        %bo = arith.muli %bn, %step : i64
        // CHECK: qtile.fill bulk %[[RING]][%{{.*}}] : !ring
        qtile.fill bulk %ring[%stage] : !ring {
        ^bb0(%ta: !a, %tb: !b, %ts: !s):
          // CHECK: qtile.copy %{{.*}} to %{{[a-z0-9]+}} :
          qtile.copy %a[%ao] count %c32768 to %ta : !qtile.global<f8E4M3FN> to !a
          // CHECK-NEXT: qtile.copy %{{.*}} to %{{[a-z0-9]+}} once %{{[a-z0-9_]+}} :
          qtile.copy %b[%bo] count %c16384 to %tb once %is_load : !qtile.global<f8E4M3FN> to !b
        }
        %ahead = qtile.advance %ring[%stage] : !ring
        scf.yield %ahead : !qtile.stage
      }
    }
    scf.if %is_scale {
      %end = scf.for %i = %c0 to %blocks step %c1 iter_args(%stage = %first) -> (!qtile.stage) : i32 {
        %i64 = arith.extui %i : i32 to i64
        %m64 = arith.extui %m : i32 to i64
        %so = arith.muli %i64, %m64 : i64
        // CHECK: qtile.fill async
        qtile.fill async %ring[%stage] : !ring {
        ^bb0(%ta: !a, %tb: !b, %ts: !s):
          qtile.copy %sa[%so] count %c256 to %ts : !qtile.global<f32> to !s
        }
        %ahead = qtile.advance %ring[%stage] : !ring
        scf.yield %ahead : !qtile.stage
      }
    }
    scf.if %is_store {
      %group = arith.subi %warp, %c2 : i32
      %row = arith.muli %group, %c128 : i32
      qtile.sync %staged[%group] : !qtile.barriers<2 of 160>
      // CHECK: qtile.store_tile
      qtile.store_tile %staging to %d[%row, %c0] of %m, %n by %lane of 32 at_once 4 : !qtile.shared<256x128xbf16, panels> to !qtile.global<bf16>
    }
  }
  qtile.return
}
