// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// Each matrix of a stack has panels, a scale and numbers for columns of its own.
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: qtile.kernel @batch
// CHECK: scf.for
// CHECK: %[[GROUP:.*]] = arith.divui
// CHECK: %[[WIDE:.*]] = arith.extui %[[GROUP]]
// CHECK: qtile.load %arg5[%{{.*}}]
// CHECK: arith.divf
// CHECK: qtile.fill bulk
// CHECK: qtile.copy %arg6
// CHECK: %[[PANEL:.*]] = arith.divui %{{.*}}, %c128_i32
// CHECK: %[[BEFORE:.*]] = arith.muli %{{.*}}, %[[PANELS:.*]] :
// CHECK-NEXT: %[[OFSTACK:.*]] = arith.addi %[[PANEL]], %[[BEFORE]]
// CHECK: qtile.store_panels
qtile.kernel @batch(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<f8E5M2>, %s: !qtile.global<f32>, %bias: !qtile.global<f32>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d in panels as #e5m2 of f32 by %s plus %bias : !qtile.global<f32>
    sizes(%m, %n, %k) in batch(%g) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E5M2>
  qtile.return
}
