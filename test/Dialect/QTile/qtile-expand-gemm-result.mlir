// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --split-input-file | FileCheck %s
//
// From the last product of a tile to what is left of it: numbers for columns come in a ring like scales of rows, codes are made where
// a tile is staged, panels leave as one run each.

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, stored = encode>]>

// The factor of the codes is the scale that is stored for encoding. Alpha comes before the numbers for columns, which are added in f32.
// CHECK-LABEL: qtile.kernel @codes
// CHECK: %[[PANELROWS:.*]] = arith.muli %{{.*}}, %c16_i32
// CHECK: %[[OFRESULT:.*]] = qtile.ring : !ring1
// CHECK: %[[STAGING:.*]] = qtile.alloc : !qtile.shared<128x256xf8E4M3FN, panels>
// CHECK: %[[ALPHA:.*]] = qtile.load %arg2[%c0_i64]
// CHECK: qtile.load %arg4[%c0_i64]
// CHECK: %[[F:.*]] = qtile.mma_wait 0
// CHECK: %[[BIAS:.*]] = qtile.wait %[[OFRESULT]]
// CHECK-NEXT: %[[SCALED:.*]] = qtile.promote %[[F]] by %[[ALPHA]], %[[ALPHA]]
// CHECK-NEXT: %[[COLUMNS:.*]] = qtile.load_columns %[[BIAS]]
// CHECK-NEXT: qtile.release %[[OFRESULT]]
// CHECK-NEXT: %[[SUM:.*]] = qtile.add_columns %[[SCALED]], %[[COLUMNS]]
// CHECK-NEXT: qtile.advance %[[OFRESULT]]
// CHECK-NEXT: qtile.sync
//
// A tile that reaches behind the last column keeps those before it.
// CHECK: %[[PARTIAL:.*]] = arith.cmpi ult, %arg7
// CHECK-NEXT: scf.if %[[PARTIAL]] {
// CHECK: %[[KEEP:.*]] = arith.subi %arg7
// CHECK: qtile.stage_fragment %[[SUM]] to %{{.*}} keep %[[KEEP]] as #scheme of bf16 by %[[FACTOR:.*]] :
// CHECK-NEXT: } else {
// CHECK: qtile.stage_fragment %[[SUM]] to %{{.*}} as #scheme of bf16 by %[[FACTOR]] :
// CHECK-NEXT: }
// CHECK-NEXT: qtile.copy_fence
// CHECK-NEXT: qtile.arrive
// CHECK: qtile.copy %arg5{{.*}} : !qtile.global<bf16> to !qtile.shared<256xbf16>
// CHECK: qtile.sync
// CHECK: scf.if
// CHECK: qtile.store_panels %{{.*}} to %arg3[%{{.*}}] panels %{{.*}} apart %{{.*}} count
// CHECK: qtile.sync_warp
// CHECK-NOT: qtile.store_tile
qtile.kernel @codes(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %d: !qtile.global<f8E4M3FN>,
    %s: !qtile.global<f32>, %bias: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d in panels as #e4m3 of bf16 by %s plus %bias : !qtile.global<bf16>
    sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// -----

// Scales of rows and columns are used up before numbers for columns are loaded.
// CHECK-LABEL: qtile.kernel @rows
// CHECK: %[[TILES:.*]]:3 = qtile.wait %[[RING:.*]][%{{.*}}] : {{.*}} -> !qtile.shared<128xf32>, !qtile.shared<{{.*}}xf32>, !qtile.shared<{{.*}}xf16>
// CHECK-NEXT: qtile.load_columns %[[TILES]]#1
// CHECK-NEXT: qtile.load_rows %[[TILES]]#0
// CHECK-NEXT: qtile.promote
// CHECK-NEXT: qtile.load_columns %[[TILES]]#2
// CHECK-NEXT: qtile.release %[[RING]]
// CHECK-NEXT: qtile.add_columns
// CHECK: qtile.fill async
// CHECK: qtile.copy %arg1
// CHECK-NEXT: qtile.copy %arg3
// CHECK-NEXT: qtile.copy %arg5
// CHECK: qtile.store_tile
qtile.kernel @rows(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %bias: !qtile.global<f16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d plus %bias : !qtile.global<f16> sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
