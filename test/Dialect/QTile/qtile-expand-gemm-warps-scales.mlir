// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// Scales that come in several tiles of a stage, where warps multiply.

// CHECK: !ring = !qtile.ring<2, !qtile.shared<128x256xf4E2M1FN, panels>, !qtile.shared<128x256xf4E2M1FN, panels>, !qtile.shared<512xf8E4M3FN>,

// A step has a tile of scales of its own. The last tile along the contraction is copied for those behind it.
// CHECK-LABEL: qtile.kernel @nvfp4
// CHECK: %[[BEHIND:.*]] = arith.addi %arg8, %c63_i32
// CHECK: %[[SCALE_TILES:.*]] = arith.divui %[[BEHIND]], %c64_i32
// CHECK: qtile.ring : !ring
// CHECK: %[[TILES:.*]]:10 = qtile.wait
// CHECK: qtile.load_scale_words %[[TILES]]#2
// CHECK: qtile.load_scale_words %[[TILES]]#6
// CHECK: qtile.load_scale_words %[[TILES]]#3
// CHECK: qtile.load_scale_words %[[TILES]]#7
// CHECK: qtile.mma_scaled {{.*}} block 0
// CHECK: qtile.load_scale_words %[[TILES]]#4
// CHECK: qtile.load_scale_words %[[TILES]]#8
// CHECK-NOT: block {{[1-9]}}
// CHECK: qtile.promote %{{.*}} by %[[ALPHA:.*]], %[[ALPHA]] :
// CHECK: qtile.role producer
// CHECK: %[[LAST:.*]] = arith.subi %[[SCALE_TILES]], %c1_i32
// CHECK-COUNT-4: arith.minui %{{.*}}, %[[LAST]]
qtile.kernel @nvfp4(%a: !qtile.global<f4E2M1FN>, %sa: !qtile.global<f8E4M3FN>, %b: !qtile.global<f4E2M1FN>, %sb: !qtile.global<f8E4M3FN>,
    %alpha: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x16 by %sa, %b as block_1x16 by %sb alpha %alpha into %d sizes(%m, %n, %k)
    : !qtile.global<f4E2M1FN>, !qtile.global<f4E2M1FN> -> !qtile.global<bf16>
  qtile.return
}
