// RUN: fp8-opt %s | fp8-opt --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// Row-major operands: the warp that loads describes both to the copy engine before its first copy, by way of the memory that results
// are staged in later. Rows that the left one lacks need not be zeros, those along the contraction must. A transposed tile has a row for each element of the contraction, and products are told so.

// CHECK-LABEL: qtile.kernel @dgrad
// CHECK-SAME: (%[[A:.*]]: !qtile.global<bf16>, %[[B:.*]]: !qtile.global<bf16>, %[[D:.*]]: !qtile.global<bf16>, %[[MAPS:.*]]: !qtile.global<i8>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[K:.*]]: i32)
// CHECK-SAME: schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3
// CHECK: %[[BLOCK:.*]] = qtile.block
// CHECK: arith.addi %[[K]], %c63_i32
// CHECK: %[[RING:.*]] = qtile.ring
// CHECK: %[[STAGING:.*]] = qtile.alloc
// CHECK: qtile.role consumer
// CHECK: %[[TILES:.*]]:2 = qtile.wait %[[RING]]
// CHECK: qtile.mma %{{.*}}, %[[TILES]]#0[%{{.*}}], %[[TILES]]#1 transposed from 0 to 128 fresh : !qtile.pending<64x256xf32>, !qtile.shared<128x64xbf16, panels>, !qtile.shared<64x256xbf16, panels>
// CHECK: qtile.role producer
// CHECK: %[[LANE:.*]] = qtile.lane
// CHECK: scf.if
// CHECK: %[[LHS:.*]] = qtile.tensor_map %[[A]][%[[M]], %[[K]]] clip in %[[MAPS]][%{{.*}}] through %[[STAGING]] : !qtile.global<bf16>, !qtile.shared<128x256xbf16, panels> -> !qtile.tensor_map<!qtile.shared<128x64xbf16, panels>>
// CHECK: %[[RHS:.*]] = qtile.tensor_map %[[B]][%[[K]], %[[N]]] in %[[MAPS]][%{{.*}}] through %[[STAGING]] : {{.*}} -> !qtile.tensor_map<!qtile.shared<64x256xbf16, panels>>
// CHECK: arith.cmpi eq, %[[LANE]], %c0_i32
// CHECK: scf.if
// CHECK: scf.for
// CHECK: %[[ONCE:.*]] = arith.cmpi ule, %{{.*}}, %c16_i32
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c64_i32
// CHECK-NEXT: qtile.fill bulk %[[RING]]
// CHECK: qtile.copy_tile %[[LHS]][%[[ROW:.*]], %[[AT]]] to %{{[a-z0-9]+}} :
// CHECK-NEXT: qtile.copy_tile %[[RHS]][%[[AT]], %[[COLUMN:.*]]] to %{{[a-z0-9]+}} once %[[ONCE]] :
// CHECK-NEXT: }
qtile.kernel @dgrad(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in row_major, %b as none in transposed into %d maps %maps sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// Weight gradients, into f32: the left operand lies so too. 2112 columns of whole panels are 11 tiles of 192.
// CHECK-LABEL: qtile.kernel @wgrad
// CHECK-SAME: schedule #qtile.schedule<tile = [128, 192], consumers = 2
// CHECK: qtile.mma %{{.*}}, %{{.*}}#0[%{{.*}}] transposed, %{{.*}}#1 transposed from 0 to 128
// CHECK: qtile.tensor_map %arg0[%arg6, %arg4]
// CHECK: qtile.tensor_map %arg1[%arg6, %arg5]
qtile.kernel @wgrad(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in transposed, %b as none in transposed into %d maps %maps sizes(%m, %n, %k) likely [4096, 2112, 7168]
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// A batch: both operands are stacks of two outer dimensions, which lie as the strides say. Which matrix a tile is of is found once, before
// the contraction. Rows of the result are those of all matrices.
// CHECK-LABEL: qtile.kernel @batch
// CHECK-SAME: (%[[A:.*]]: !qtile.global<bf16>, %[[B:.*]]: !qtile.global<bf16>, %[[D:.*]]: !qtile.global<bf16>, %[[MAPS:.*]]: !qtile.global<i8>, %[[E:[a-z0-9]+]]: i32, %[[H:[a-z0-9]+]]: i32,
// CHECK-SAME: %[[A0:[a-z0-9]+]]: i32, %[[A1:[a-z0-9]+]]: i32, %[[A2:[a-z0-9]+]]: i32, %[[B0:[a-z0-9]+]]: i32, %[[B1:[a-z0-9]+]]: i32, %[[B2:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32)
// CHECK: qtile.role producer
// CHECK: %[[OUTER:.*]] = arith.divui %[[E]], %[[H]]
// CHECK: %[[LHS:.*]] = qtile.tensor_map %[[A]][%[[M]], %[[K]]] of[%[[H]], %[[OUTER]]] strides[%[[A0]], %[[A1]], %[[A2]]] clip in %[[MAPS]]
// CHECK-SAME: -> !qtile.tensor_map<outer 2,!qtile.shared<256x64xbf16, panels>>
// CHECK: %[[RHS:.*]] = qtile.tensor_map %[[B]][%[[K]], %[[N]]] of[%[[H]], %{{.*}}] strides[%[[B0]], %[[B1]], %[[B2]]] in %[[MAPS]]
// CHECK: scf.for
// CHECK: %[[G:.*]] = arith.divui
// CHECK: %[[ROW:.*]] = arith.muli %[[G]], %[[M]]
// CHECK-DAG: %[[X:.*]] = arith.remui %[[G]], %[[H]]
// CHECK-DAG: %[[Y:.*]] = arith.divui %[[G]], %[[H]]
// CHECK: scf.for
// CHECK: qtile.copy_tile %[[LHS]][%{{.*}}, %{{.*}}, %[[X]], %[[Y]]] to
// CHECK-NEXT: qtile.copy_tile %[[RHS]][%{{.*}}, %{{.*}}, %[[X]], %[[Y]]] to
qtile.kernel @batch(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %e: i32, %h: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in row_major, %b as none in transposed into %d maps %maps sizes(%m, %n, %k) in batch(%e)
    strides of %h [%a0, %a1, %a2], [%b0, %b1, %b2] likely [2048, 128, 2048, 32]
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
