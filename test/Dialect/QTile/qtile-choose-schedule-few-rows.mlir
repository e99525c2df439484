// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule | FileCheck %s
//
// Of few rows a tile has as few columns as give every processor one; and the fewer columns, the more stages.

// CHECK: qtile.kernel @narrow({{.*}}schedule #qtile.schedule<tile = [64, 32], consumers = 1, stages = 16,
qtile.kernel @narrow(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %s into %d sizes(%m, %n, %k) likely [64, 4096, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @wide({{.*}}schedule #qtile.schedule<tile = [64, 64], consumers = 1, stages = 8,
qtile.kernel @wide(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %s into %d sizes(%m, %n, %k) likely [64, 7168, 16384]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
