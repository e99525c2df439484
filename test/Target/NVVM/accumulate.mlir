// A product that is added to what its result holds: f32 chunks are loaded, added and stored, elements at a ragged end one by one; nothing is
// contracted into the sum.
//
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=ROUND
// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm | FileCheck %s --check-prefix=ROLES
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s --check-prefix=PTX
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | not grep -E "fma|add\.ftz"

// ROUND: qtile.gemm {{.*}} into %{{.*}} accumulate sizes(
// ROLES: qtile.store_tile {{.*}} to %{{.*}} accumulate[
// PTX: wgmma.mma_async
// PTX-DAG: ld.global.v4.{{[bf]}}32
// PTX-DAG: add.rn.f32
// PTX-DAG: st.global.v4.{{[bf]}}32
// PTX-DAG: ld.global.{{[bf]}}32
// PTX-DAG: st.global.{{[bf]}}32
qtile.kernel @added(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %alpha: !qtile.global<f32>, %d: !qtile.global<f32>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %alpha into %d accumulate sizes(%m, %n, %k) likely [4096, 4096, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f32>
  qtile.return
}
