// Every schedule of products of row-major operands is assembled without spills and without remarks.
//
// REQUIRES: ptxas
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule=copies=1000 -o %t.mlir
// RUN: fp8-translate --nvvm-to-cubin --target=sm_90a --ptxas=%ptxas --strict --report=%t.json %t.mlir -o %t.cubin
// RUN: FileCheck %s < %t.json

// CHECK: "form": "cubin"
// CHECK-DAG: "name": "forward_30"
// CHECK-DAG: "name": "data_30"
// CHECK-DAG: "name": "weight_20"
qtile.kernel @forward(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in row_major, %b as none in row_major into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @data(%a: !qtile.global<f16>, %b: !qtile.global<f16>, %d: !qtile.global<f16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in row_major, %b as none in transposed into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<f16>, !qtile.global<f16> -> !qtile.global<f16>
  qtile.return
}

qtile.kernel @weight(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<f32>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none in transposed, %b as none in transposed into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<f32>
  qtile.return
}
