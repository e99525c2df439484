// Row-major operands in PTX: the kernel describes them to the copy engine itself, copies a tile of 128 bytes of columns at a time,
// and products read a tile along or across its rows.
//
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions [#qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>,
                #qtile.mma<64x256x16, step = 8, f16, f16, f32, threads = 128, asynchronous>]

// The description has every field set, in shared memory that was zero, before it is copied to its place and acquired there.
// CHECK-LABEL: .entry dgrad(
// One step of 16 along the contraction: 32 bytes of the left tile's rows, 16 rows of the right one's, both a descriptor's word.
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}, p, 1, 1, 0, 1;
// CHECK: bar.warp.sync
// CHECK: st.shared.b32
// CHECK: bar.warp.sync
// CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64
// CHECK: tensormap.replace.tile.rank.shared::cta.b1024.b32
// CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [{{.*}}], 0
// CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [{{.*}}], 1, [[ROWS:%r[0-9]+]];
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 0
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 1
// CHECK: mul.wide.u32 [[STRIDE:%rd[0-9]+]], {{.*}}, 2
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 0, [[STRIDE]]
// CHECK: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [{{.*}}], 0
// CHECK: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [{{.*}}], 1
// CHECK: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [{{.*}}], 10
// CHECK: tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [{{.*}}], 0
// CHECK: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [{{.*}}], 3
// CHECK: tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [{{.*}}], 0
// CHECK: bar.warp.sync
// CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
// CHECK: fence.proxy.tensormap::generic.acquire.gpu
// CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [{{.*}}], 0, [[COLUMNS:%r[0-9]+]];
// CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
// CHECK: fence.proxy.tensormap::generic.acquire.gpu
// The barrier expects what copies bring: of the transposed tile all rows of two panels, also where they end outside of the matrix, but
// columns that the matrix has; of the other one the rows that the matrix has.
// CHECK: shl.b32 [[LEFT:%r[0-9]+]], [[ROWS]], 7;
// CHECK: shl.b32 [[PANEL:%r[0-9]+]], [[COLUMNS]], 7;
// CHECK: shl.b32 [[RIGHT:%r[0-9]+]], [[PANEL]], 1;
// CHECK: add.s32 [[BYTES:%r[0-9]+]], [[LEFT]], [[RIGHT]];
// CHECK: mbarrier.arrive.expect_tx{{.*}}, [[BYTES]];
// CHECK: cp.async.bulk.tensor.2d{{.*}}bytes [{{.*}}, {[[AT:%r[0-9]+]], [[ROW:%r[0-9]+]]}]
// CHECK: cp.async.bulk.tensor.2d{{.*}}bytes.L2::cache_hint [{{.*}}, {[[COLUMN:%r[0-9]+]], [[AT]]}], [{{.*}}], [[POLICY:%rd[0-9]+]];
// CHECK: cp.async.bulk.tensor.2d{{.*}}bytes.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, [[AT]]}], [{{.*}}], [[POLICY]];
// CHECK-NOT: cp.async.bulk.tensor.2d
// CHECK: .entry halves(
qtile.kernel @dgrad(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none in row_major, %b as none in transposed into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// Both transposed, of f16, into f16.
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.f16.f16 {{.*}}, p, 1, 1, 1, 1;
// CHECK-DAG: cvt.rn.f16x2.f32
// Columns that the matrix lacks are not copied, as nobody reads what they are multiplied to.
// CHECK: min.u32 [[HAS:%r[0-9]+]], {{%r[0-9]+}}, 64;
// CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [{{.*}}], 0, [[HAS]];
// CHECK: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [{{.*}}], 6
qtile.kernel @halves(%a: !qtile.global<f16>, %b: !qtile.global<f16>, %d: !qtile.global<f16>, %maps: !qtile.global<i8>,
    %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none in transposed, %b as none in transposed into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<f16>, !qtile.global<f16> -> !qtile.global<f16>
  qtile.return
}

// A batch has two dimensions more, each of one matrix at a time, and strides that the launch gives.
// CHECK-LABEL: .entry batch(
// CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [{{.*}}], 3, [[ONE:%r[0-9]+]]
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 3
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 0
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 1
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 2
// CHECK: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [{{.*}}], 3, [[ONE]]
// CHECK: cp.async.bulk.tensor.4d
qtile.kernel @batch(%a: !qtile.global<bf16>, %b: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>,
    %g: i32, %h: i32, %a0: i32, %a1: i32, %a2: i32, %b0: i32, %b1: i32, %b2: i32, %m: i32, %n: i32, %k: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none in row_major, %b as none in transposed into %d maps %maps sizes(%m, %n, %k) in batch(%g)
    strides of %h [%a0, %a1, %a2], [%b0, %b1, %b2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
