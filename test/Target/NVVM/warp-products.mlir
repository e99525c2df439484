// RUN: fp8-opt %s --qtile-to-nvvm=target=sm_120a -o %t.mlir
// RUN: fp8-translate %t.mlir --nvvm-to-ptx --target=sm_120a -o %t.ptx
// RUN: FileCheck %s --check-prefix=MX --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=NV --input-file=%t.ptx
//
// Products with scales as PTX: a stage is four steps of 2 by 8 instructions a warp, each of which names its scales by byte and lane.

// MX-LABEL: .entry mxfp8(
// MX: .reqntid 384
// Two loads of 16 rows, four of 16 columns; words of scales of 32 rows and of 64 columns.
// MX: mbarrier.try_wait.parity
// MX-COUNT-6: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MX-NOT: ldmatrix
// MX: ld.shared.b32
// MX: ld.shared.v2.b32
// The next step before this one's products.
// MX-COUNT-6: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MX-COUNT-16: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0
// MX-COUNT-6: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MX-COUNT-16: mma.sync
// MX-COUNT-6: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MX-COUNT-16: mma.sync
// The stage is free before the last products.
// MX: mbarrier.arrive.shared::cta.b64
// MX-COUNT-16: mma.sync
// MX-NOT: mma.sync
// MX: stmatrix.sync.aligned.m8n8.x4.shared.b16
// MX: bar.warp.sync
// MX: st.global.v4.b32
// MX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
qtile.kernel @mxfp8(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f8E8M0FNU>, %b: !qtile.global<f8E5M2>, %sb: !qtile.global<f8E8M0FNU>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x32 by %sa, %b as block_1x32 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E5M2> -> !qtile.global<bf16>
  qtile.return
}

// NV-LABEL: .entry nvfp4(
// NV-COUNT-64: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
// NV-NOT: mma.sync
// Two operands and four tiles of scales of each.
// NV-COUNT-10: cp.async.bulk.shared::cluster.global
// NV-NOT: cp.async.bulk
qtile.kernel @nvfp4(%a: !qtile.global<f4E2M1FN>, %sa: !qtile.global<f8E4M3FN>, %b: !qtile.global<f4E2M1FN>, %sb: !qtile.global<f8E4M3FN>,
    %alpha: !qtile.global<f32>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_120a {
  qtile.gemm %a as block_1x16 by %sa, %b as block_1x16 by %sb alpha %alpha into %d sizes(%m, %n, %k)
    : !qtile.global<f4E2M1FN>, !qtile.global<f4E2M1FN> -> !qtile.global<bf16>
  qtile.return
}
