// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule=copies=3 | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule=copies=1000 --qtile-expand-gemm --qtile-plan-rings | FileCheck %s --check-prefix=ALL
//
// A copy of a kernel for each of the best schedules. Of all that are legal, every one expands and finds room in shared memory.

// CHECK: qtile.kernel @block_0({{.*}}tile = [256, 128]
// CHECK: qtile.kernel @block_1(
// CHECK: qtile.kernel @block_2(
// CHECK-NOT: qtile.kernel @block
// ALL-COUNT-8: qtile.kernel @block_{{[0-9]+}}({{.*}} shared
// ALL-NOT: qtile.kernel @block
qtile.kernel @block(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// ALL-COUNT-27: qtile.kernel @columns_{{[0-9]+}}({{.*}} shared
qtile.kernel @columns(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// ALL-COUNT-10: qtile.kernel @tensor_{{[0-9]+}}({{.*}} shared
qtile.kernel @tensor(%a: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %b: !qtile.global<f8E5M2>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// ALL-COUNT-10: qtile.kernel @row_{{[0-9]+}}({{.*}} shared
qtile.kernel @row(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
