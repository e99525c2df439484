// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --qtile-plan-rings --convert-qtile-to-nvvm -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fp8-translate %t.mlir --nvvm-to-ptx --target=sm_90a -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=STAGE --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=FILL --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=STORE --input-file=%t.ptx --implicit-check-not=arrive.release.cluster
//
// A whole product, down to instructions; the order of its loop is the one that was measured.

// CHECK: llvm.mlir.global external @fp8opt_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @block(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<1>, %arg3: !llvm.ptr<1>, %arg4: !llvm.ptr<1>, %arg5: i32, %arg6: i32, %arg7: i32)
// CHECK-SAME: nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 384>
// CHECK-NOT: qtile.
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.barrier0
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.setmaxregister decrease 40

// Barriers: one thread fills, eight warps empty.
// PTX: .entry block
// PTX: mbarrier.init
// PTX: setmaxnreg.inc.sync.aligned.u32 232
// The first wave of a stage.
// PTX: wgmma.fence.sync.aligned
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
// PTX: wgmma.commit_group.sync.aligned
// PTX-NOT: mbarrier.try_wait
// PTX: wgmma.wait_group.sync.aligned 0
// PTX: fma.rn.f32
// The second: the wait for the next stage and its scales come before this one's wait, the release before the promotion.
// PTX: wgmma.fence.sync.aligned
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
// PTX: wgmma.commit_group.sync.aligned
// PTX: mbarrier.try_wait.parity
// PTX: ld.shared
// PTX: wgmma.wait_group.sync.aligned 0
// PTX: mbarrier.arrive.shared::cta.b64
// PTX-NEXT: //
// PTX: fma.rn.f32
// The result, rounded, to shared memory.
// STAGE: cvt.rn.bf16x2.f32
// STAGE: stmatrix.sync.aligned.m8n8.x4.shared.b16
// What all rows of tiles read at the same time leaves the cache first (0x12F0000000000000), else when its turn is (0x1000000000000000).
// The bytes that a stage expects, then copies of both operands and the row scales.
// FILL: setmaxnreg.dec.sync.aligned.u32 40
// FILL: selp.b64 [[POLICY:%rd[0-9]+]], 1364590687093260288, 1152921504606846976,
// FILL: mbarrier.arrive.expect_tx
// FILL: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [
// FILL: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint {{.*}}, [[POLICY]];
// FILL: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [
// The storers' loops, which stay loops: loads first.
// STORE: .pragma "nounroll"
// STORE-COUNT-4: ld.shared.v4
// STORE-COUNT-4: st.global.v4.b32
qtile.kernel @block(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
