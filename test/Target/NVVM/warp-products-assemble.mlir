// Every schedule of products with scales is assembled without spills and without remarks.
//
// REQUIRES: ptxas
// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --qtile-choose-schedule=copies=1000 -o %t.mlir
// RUN: fp8-translate --nvvm-to-cubin --target=sm_120a --ptxas=%ptxas --strict --report=%t.json %t.mlir -o %t.cubin
// RUN: FileCheck %s < %t.json

// CHECK: "form": "cubin"
// CHECK: "name": "mxfp8_0"
// CHECK: "name": "nvfp4_3"
qtile.kernel @mxfp8(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @nvfp4(%a: !qtile.global<f4E2M1FN>, %sa: !qtile.global<f8E4M3FN>, %b: !qtile.global<f4E2M1FN>, %sb: !qtile.global<f8E4M3FN>,
    %alpha: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x16 by %sa, %b as block_1x16 by %sb alpha %alpha into %d sizes(%m, %n, %k)
    : !qtile.global<f4E2M1FN>, !qtile.global<f4E2M1FN> -> !qtile.global<bf16>
  qtile.return
}
