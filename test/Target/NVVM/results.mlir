// Numbers for columns are added to what was multiplied, by instructions of their own; codes are rounded by the chip's conversion; panels leave
// by the copy engine, behind a fence of those who wrote them.
//
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | not grep -E "fma|\.ftz|\.approx|st\.global"

// CHECK-LABEL: .visible .entry codes(
// CHECK-DAG: rcp.rn.f32
// CHECK-DAG: wgmma.mma_async
// CHECK-DAG: mul.rn.f32
// CHECK-DAG: add.rn.f32
// CHECK-DAG: cvt.rn.bf16x2.f32
// CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32
// CHECK-DAG: st.shared.b16
// CHECK-DAG: fence.proxy.async.shared::cta
// CHECK-DAG: cp.async.bulk.global.shared::cta.bulk_group
// CHECK-DAG: cp.async.bulk.commit_group
// CHECK-DAG: cp.async.bulk.wait_group.read 0
#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @codes(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %d: !qtile.global<f8E4M3FN>,
    %s: !qtile.global<f32>, %bias: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d in panels as #e4m3 of bf16 by %s plus %bias : !qtile.global<bf16>
    sizes(%m, %n, %k) likely [8192, 8192, 8192] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
  qtile.return
}
