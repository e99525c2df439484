// Equal kernels become one, and launches name it. Likely sizes keep kernels apart until they have schedules.
//
// RUN: fp8-opt %s --qtile-merge-kernels | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-merge-kernels | FileCheck %s --check-prefix=SCHEDULED

// CHECK: qtile.kernel @amax(
// CHECK-NOT: qtile.kernel @amax_again
// CHECK: qtile.kernel @amax_f32(
// CHECK: qtile.kernel @small(
// CHECK: qtile.kernel @large(
// CHECK: qtile.kernel @larger(
// CHECK-LABEL: func @main
// CHECK-COUNT-2: qtile.launch @amax(
// CHECK: qtile.launch @amax_f32(

// SCHEDULED: qtile.kernel @small(
// SCHEDULED: qtile.kernel @large(
// SCHEDULED-NOT: likely
// SCHEDULED-NOT: qtile.kernel @larger(

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @amax_again(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @amax_f32(%x: !qtile.global<f32>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<f32>
  qtile.return
}
qtile.kernel @small(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [64, 4096, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
qtile.kernel @large(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
qtile.kernel @larger(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [16384, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

func.func @main(%x: tensor<8x8xbf16>, %y: tensor<8x8xf32>, %c: tensor<f32>, %m: i32) {
  %0 = qtile.launch @amax(%x, %c) sizes(%m, %m) tied [1] : (tensor<8x8xbf16>, tensor<f32>) -> tensor<f32>
  %1 = qtile.launch @amax_again(%x, %0) sizes(%m, %m) tied [1] : (tensor<8x8xbf16>, tensor<f32>) -> tensor<f32>
  %2 = qtile.launch @amax_f32(%y, %1) sizes(%m, %m) tied [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
