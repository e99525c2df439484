// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
// RUN: fp8-opt %s --qtile-expand-quantize | fp8-opt | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Along columns under scales per row a thread has eight vectors: of eight rows, two of four, and so on, or of one row; rows that are longer or not aligned are read twice.

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv_pow2>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (s0 ceildiv ((16385 floordiv (s1 + 1)) ceildiv 16385 + ((8193 floordiv (s1 + 1)) ceildiv 8193) * 2 + ((4097 floordiv (s1 + 1)) ceildiv 4097) * 4 + 1))>
// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0, s1] -> ((s0 ceildiv 128) * (s1 ceildiv 128))>
// CHECK-DAG: #[[BATCH:.*]] = affine_map<()[s0, s1, s2] -> (((s1 ceildiv 128) * (s2 ceildiv 128)) * s0)>

// CHECK: qtile.kernel @row({{.*}} threads 256 resident 2 grid #[[ROWS]] {
// CHECK: qtile.alloc : !qtile.shared<64xi16>
// CHECK: scf.if
// CHECK-COUNT-8: qtile.load {{.*}} aligned : !qtile.global<bf16> -> vector<16xbf16>
// CHECK-NOT: qtile.load %
// CHECK: qtile.vector_max {{.*}} -> vector<8xi16>
// CHECK: qtile.lane_max {{.*}} over 32 stride 1 : vector<8xi16>
// CHECK: qtile.sync_all
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : vector<8xi16>
// CHECK: qtile.pick
// CHECK-COUNT-8: qtile.lane_read
// CHECK-COUNT-8: qtile.encode
// CHECK: else
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : vector<4xi16>
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : vector<2xi16>
// CHECK: qtile.vector_max {{.*}} : vector<8xi16> -> i16
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : i16
// CHECK-COUNT-8: qtile.encode
// CHECK: scf.for %{{.*}} step %c1_i32
// CHECK: scf.for {{.*}} step %c4096_i32 iter_args
// CHECK: arith.maxui {{.*}} : vector<16xi16>
// CHECK: qtile.sync_all
// CHECK: scf.for {{.*}} step %c4096_i32
// CHECK: qtile.encode
// CHECK: qtile.sync_all
qtile.kernel @row(%x: !x, %c: !c, %s: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #row along_columns(%c, %s : !c) : !x
  qtile.return
}

// Amaxes of rows and of columns, a tile at a time: 16 lanes have the rows of a square, of columns first the warps, then the threads.
//
// CHECK: qtile.kernel @amax({{.*}} threads 256 resident 4 grid #[[TILES]] {
// CHECK: qtile.vector_max {{.*}} -> vector<8xi16>
// CHECK: qtile.lane_max {{.*}} over 16 stride 1 : vector<8xi16>
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: qtile.atomic_max %{{.*}} to %arg1[%[[ROW]]] : !qtile.global<f32>
// CHECK: qtile.lane_max {{.*}} over 2 stride 16 : vector<8xi16>
// CHECK: qtile.sync_all
// CHECK: scf.if
// CHECK: %[[NUMBER:.*]] = arith.addi %arg2, %{{.*}} : i32
// CHECK-COUNT-8: qtile.load_shared {{.*}} -> i16
// CHECK: %[[COLUMN:.*]] = arith.extui %[[NUMBER]] : i32 to i64
// CHECK: qtile.atomic_max %{{.*}} to %arg1[%[[COLUMN]]]
qtile.kernel @amax(%x: !x, %a: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #row into %a : !x
  qtile.return
}

// From there scales of the tile's rows and columns, read before its numbers: nothing is sought. The tiles at the left and at the top write them.
//
// CHECK: qtile.kernel @both({{.*}} threads 256 resident 3 grid #[[TILES]] {
// CHECK-NOT: _max
// CHECK: qtile.load %arg1[
// CHECK: qtile.load %arg1[
// CHECK: qtile.load %arg0[
// CHECK: qtile.store %{{.*}} to %arg3[
// CHECK-COUNT-8: qtile.lane_read
// CHECK: qtile.renew
// CHECK: qtile.store_shared
// CHECK: qtile.store %{{.*}} to %arg5[
// CHECK: qtile.sync_all
// CHECK-COUNT-8: qtile.encode {{.*}} : vector<8xbf16>, vector<8xf32>
// CHECK: qtile.transpose
// CHECK-NOT: _max
qtile.kernel @both(%x: !x, %a: !s, %c: !c, %s: !s, %ct: !c, %st: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #row amax %a along_columns(%c, %s : !c) along_rows(%ct, %st : !c) : !x
  qtile.return
}

// A matrix of a batch has so many amaxes for its rows and its columns.
//
// CHECK: qtile.kernel @batch({{.*}} threads 256 resident 3 grid #[[BATCH]] {
// CHECK: %[[ALL:.*]] = arith.addi %arg5, %arg6 : i32
// CHECK: qtile.from %arg1[
// CHECK: qtile.from %arg3[
qtile.kernel @batch(%x: !x, %a: !s, %c: !c, %s: !s, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) in batch(%e) by #row amax %a along_rows(%c, %s : !c) : !x
  qtile.return
}
