// RUN: fp8-opt %s --qtile-to-nvvm -o %t.mlir
// RUN: fp8-translate %t.mlir --nvvm-to-ptx --target=sm_90a | FileCheck %s
//
// Groups of rows as PTX: bounds are read from global memory, once to count tiles and then, in each role, to walk to a tile's group.

// CHECK-LABEL: .entry rows(
// CHECK: ld.param.b64 %[[PARAM:rd[0-9]+]], [rows_param_3]
// The tiles of all groups.
// CHECK: ld.global.b32
// CHECK: setmaxnreg.inc.sync.aligned.u32 232
// CHECK: ld.global.b32
// CHECK: wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3
// CHECK: setmaxnreg.dec.sync.aligned.u32 40
// CHECK: ld.global.b32
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
qtile.kernel @rows(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %bounds: !qtile.global<i32>,
    %d: !qtile.global<bf16>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d sizes(%m, %n, %k) in rows(%g by %bounds)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
