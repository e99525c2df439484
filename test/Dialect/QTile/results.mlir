// RUN: fp8-opt %s | fp8-opt | FileCheck %s
//
// What a product leaves behind: numbers for columns, panels, codes under a scale that is given.

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, stored = encode>]>

// CHECK-LABEL: qtile.kernel @codes
// CHECK: qtile.gemm %{{.*}} as tensor, %{{.*}} as tensor alpha %{{.*}} into %{{.*}} in panels as #{{.*}} of bf16 by %{{.*}} plus %{{.*}} : !qtile.global<bf16> sizes(
qtile.kernel @codes(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %d: !qtile.global<f8E4M3FN>,
    %s: !qtile.global<f32>, %bias: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d in panels as #e4m3 of bf16 by %s plus %bias : !qtile.global<bf16>
    sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

// CHECK-LABEL: qtile.kernel @numbers
// CHECK: into %{{.*}} in panels maps %{{.*}} sizes(
qtile.kernel @numbers(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none in transposed into %d in panels maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// CHECK-LABEL: qtile.kernel @added
// CHECK: into %{{.*}} plus %{{.*}} : !qtile.global<f32> accumulate sizes(
qtile.kernel @added(%a: !qtile.global<f16>, %b: !qtile.global<f16>, %d: !qtile.global<f32>, %bias: !qtile.global<f32>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d plus %bias : !qtile.global<f32> accumulate sizes(%m, %n, %k)
    : !qtile.global<f16>, !qtile.global<f16> -> !qtile.global<f32>
  qtile.return
}
