// The report has what a launch of a kernel needs: threads, shared memory, and the kinds of its arguments in their order.
//
// REQUIRES: ptxas
// RUN: fp8-translate --nvvm-to-cubin --target=sm_90a --ptxas=%ptxas --strict --report=%t.json %s -o %t.cubin && FileCheck %s < %t.json

// CHECK: "form": "cubin"
// CHECK: "kernels": [
// CHECK: "arguments": [
// CHECK-NEXT: "f8E4M3FN*",
// CHECK-NEXT: "f32*",
// CHECK-NEXT: "f8E5M2*",
// CHECK-NEXT: "f32*",
// CHECK-NEXT: "bf16*",
// CHECK-NEXT: "i32",
// CHECK-NEXT: "i32",
// CHECK-NEXT: "i32"
// CHECK: "name": "row"
// CHECK-NEXT: "schedule": "#qtile.schedule<tile = [128, 192], consumers = 2, stages = 4,
// CHECK-NEXT: "shared_bytes": 21{{[0-9]+}},
// CHECK-NEXT: "threads": 384
qtile.kernel @row(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}
