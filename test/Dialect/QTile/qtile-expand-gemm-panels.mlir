// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s
//
// An operand in panels comes in one run beside one that the copy engine picks out of rows.
// CHECK-LABEL: qtile.kernel @mixed
// CHECK: qtile.tensor_map %arg1[
// CHECK-NOT: = qtile.tensor_map
// CHECK: qtile.fill bulk
// CHECK: qtile.copy_tile
// CHECK-NEXT: qtile.copy %arg0
// CHECK: qtile.store_panels
qtile.kernel @mixed(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none in transposed into %d in panels maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
