// Every schedule of a product that leaves panels, codes or sums with numbers for columns is assembled without spills and without remarks.
//
// REQUIRES: ptxas
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule=copies=1000 -o %t.mlir
// RUN: fp8-translate --nvvm-to-cubin --target=sm_90a --ptxas=%ptxas --strict --report=%t.json %t.mlir -o %t.cubin
// RUN: FileCheck %s < %t.json

// CHECK: "form": "cubin"
// CHECK-DAG: "name": "codes_3"
// CHECK-DAG: "name": "rows_20"
// CHECK-DAG: "name": "experts_1"
// CHECK-DAG: "name": "panels_6"
#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#truncated = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv_pow2>]>
qtile.kernel @codes(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %d: !qtile.global<f8E4M3FN>,
    %s: !qtile.global<f32>, %bias: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d in panels as #e4m3 of bf16 by %s plus %bias : !qtile.global<bf16>
    sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}

qtile.kernel @rows(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %bias: !qtile.global<f32>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d plus %bias : !qtile.global<f32> sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @experts(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %bounds: !qtile.global<i32>, %d: !qtile.global<f8E5M2>, %s: !qtile.global<f32>, %bias: !qtile.global<f16>,
    %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d in panels as #truncated of f16 by %s plus %bias : !qtile.global<f16>
    sizes(%m, %n, %k) in rows(%g by %bounds) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E5M2>
  qtile.return
}

qtile.kernel @panels(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none in transposed into %d in panels maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
