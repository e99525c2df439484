// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --cse --canonicalize --split-input-file | FileCheck %s
//
// Several products in one launch: a loop over the tiles of all, in which each tile says where its product's rows and blocks begin.

!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

// Of a batch, the number of the tile is that of its product and one in it. The product has scales of its own; in panels it is so
// many blocks further on, in the result so many rows.
// CHECK-LABEL: qtile.kernel @batch
// CHECK-SAME: (%[[A:.*]]: !qtile.global<f8E4M3FN>, %[[SA:.*]]: !qtile.global<f32>, %[[B:.*]]: !qtile.global<f8E4M3FN>, %[[SB:.*]]: !qtile.global<f32>, %[[D:arg[0-9]+]]: !qtile.global<bf16>, %[[G:arg[0-9]+]]: i32, %[[M:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK: %[[OF_ONE:.*]] = arith.muli
// CHECK: %[[ALL:.*]] = arith.muli %[[OF_ONE]], %[[G]]
// CHECK: qtile.role consumer
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %[[ALL]]
// CHECK: %[[PRODUCT:.*]] = arith.divui %[[TILE]], %[[OF_ONE]]
// CHECK: %[[WIDE:.*]] = arith.extui %[[PRODUCT]]
// CHECK-NEXT: qtile.load %[[SA]][%[[WIDE]]]
// CHECK-NEXT: qtile.load %[[SB]][%[[WIDE]]]
// CHECK: qtile.role producer
// CHECK: %[[PRODUCT:.*]] = arith.divui %{{.*}}, %[[OF_ONE]]
// CHECK: scf.for %[[BLOCK:.*]] = %c0_i32 to %[[BLOCKS:.*]] step
// CHECK: %[[BEFORE:.*]] = arith.muli %[[PRODUCT]], %[[BLOCKS]]
// CHECK: arith.addi %[[BEFORE]], %[[BLOCK]]
// CHECK: %[[PRODUCT:.*]] = arith.divui %{{.*}}, %[[OF_ONE]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[PRODUCT]], %[[M]]
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK: qtile.store_tile %{{.*}} to %[[D]][%{{.*}}, %{{.*}}] of %[[END]], %{{.*}} by
qtile.kernel @batch(%a: !c, %sa: !s, %b: !c, %sb: !s, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor by %sa, %b as tensor by %sb into %d sizes(%m, %n, %k) in batch(%g) : !c, !c -> !d
  qtile.return
}

// -----

!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

// Groups of rows have as many tiles as they have rows: all are counted once, and each role walks from the group of its last tile to
// that of the next. Rows of the result behind the end of the group are not stored.
// CHECK-LABEL: qtile.kernel @rows
// CHECK-SAME: %[[BOUNDS:arg[0-9]+]]: !qtile.global<i32>, %[[D:arg[0-9]+]]: !qtile.global<bf16>, %[[G:arg[0-9]+]]: i32,
// CHECK: %[[TILES:.*]] = scf.for %{{.*}} = %c0_i32 to %[[G]]
// CHECK-COUNT-2: qtile.load %[[BOUNDS]][
// CHECK: %[[ALL:.*]] = arith.muli %[[TILES]]
// CHECK: qtile.role producer
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %[[ALL]] step %{{.*}} iter_args(%[[GROUP:.*]] = %c0_i32, %[[FIRST:.*]] = %c0_i32, %{{.*}} = %{{.*}})
// CHECK: %[[FOUND:.*]]:{{[0-9]}} = scf.while (%[[AT:.*]] = %[[GROUP]], %[[ITS:.*]] = %[[FIRST]])
// CHECK-COUNT-2: qtile.load %[[BOUNDS]][
// CHECK: %[[BEHIND:.*]] = arith.cmpi uge, %[[TILE]], %[[NEXT:.*]] : i32
// CHECK: scf.condition(%[[BEHIND]])
// CHECK: scf.while
// CHECK: qtile.store_tile %{{.*}} to %[[D]]
qtile.kernel @rows(%a: !c, %sa: !s, %b: !c, %sb: !s, %bounds: !i, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) in rows(%g by %bounds) : !c, !c -> !d
  qtile.return
}

// -----

!c = !qtile.global<f8E4M3FN>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

// A count is one number.
// CHECK-LABEL: qtile.kernel @counted_rows
// CHECK-SAME: %[[COUNTS:arg[0-9]+]]: !qtile.global<i32>, %{{.*}}: !qtile.global<bf16>
// CHECK: scf.for
// CHECK: qtile.load %[[COUNTS]][
// CHECK-NOT: qtile.load
// CHECK: qtile.role consumer
qtile.kernel @counted_rows(%a: !c, %b: !c, %counts: !i, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in counted_rows(%g by %counts) : !c, !c -> !d
  qtile.return
}

// -----

!c = !qtile.global<f8E4M3FN>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

// A part of the contraction. Of an empty one nothing is waited for, and sums stay zeros.
// CHECK-LABEL: qtile.kernel @contraction
// CHECK-SAME: %[[BOUNDS:arg[0-9]+]]: !qtile.global<i32>, %{{.*}}: !qtile.global<bf16>
// CHECK: qtile.role consumer
// CHECK: %[[BEGIN:.*]] = qtile.load %[[BOUNDS]][
// CHECK: %[[END:.*]] = qtile.load %[[BOUNDS]][
// CHECK: %[[LENGTH:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[BLOCKS:.*]] = arith.divui
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[BLOCKS]]
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[BLOCKS]], %c0_i32
// CHECK: qtile.release %{{.*}} if %[[SOME]]
qtile.kernel @contraction(%a: !c, %b: !c, %bounds: !i, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in contraction(%g by %bounds) : !c, !c -> !d
  qtile.return
}

// -----

!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

// Where scales are loaded before the loop, an empty part takes a stage that nobody multiplies.
// CHECK-LABEL: qtile.kernel @promoted
// CHECK: qtile.role consumer
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[BLOCKS:.*]], %c0_i32
// CHECK: %[[LOOP:.*]]:{{[0-9]+}} = scf.for %{{.*}} = %c0_i32 to %[[BLOCKS]]
// CHECK: qtile.release %{{.*}}[%[[LOOP]]#0] if %[[EMPTY]]
// CHECK: qtile.advance %{{.*}}[%[[LOOP]]#0]
// CHECK: qtile.role producer
// CHECK: %[[STAGES:.*]] = arith.select %{{.*}}, %c1_i32, %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[STAGES]]
qtile.kernel @promoted(%a: !c, %sa: !s, %b: !c, %sb: !s, %bounds: !i, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k) in contraction(%g by %bounds) : !c, !c -> !d
  qtile.return
}
