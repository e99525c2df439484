// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
// RUN: fp8-opt %s --qtile-expand-quantize | fp8-opt | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Under scales per row a thread has eight vectors: of eight rows, two of four, and so on, or of one row; rows that are longer or not aligned are read twice.

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv_pow2>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (s0 ceildiv ((16385 floordiv (s1 + 1)) ceildiv 16385 + ((8193 floordiv (s1 + 1)) ceildiv 8193) * 2 + ((4097 floordiv (s1 + 1)) ceildiv 4097) * 4 + 1))>

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
