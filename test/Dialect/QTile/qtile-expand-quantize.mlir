// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
// RUN: fp8-opt %s --qtile-expand-quantize --qtile-plan-rings | FileCheck %s --check-prefix=PLAN
// RUN: fp8-opt %s --qtile-expand-quantize | fp8-opt | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Quantizers become what the threads of a block do, in a grid that the sizes of the matrix give.

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 16384)>
// CHECK-DAG: #[[PANELS:.*]] = affine_map<()[s0, s1] -> ((s0 ceildiv 64) * (s1 ceildiv 128))>
// CHECK-DAG: #[[OTHERS:.*]] = affine_map<()[s0, s1, s2] -> ((s2 ceildiv 128) * (s0 ceildiv 128))>

// The amax: one atomic for 32 KB.
// CHECK: qtile.kernel @amax({{.*}}) on @sm_90a threads 256 resident 4 grid #[[FLAT]] {
// PLAN: qtile.kernel @amax({{.*}} shared 16 {
// CHECK-COUNT-8: qtile.load {{.*}} -> vector<8xbf16>
// CHECK: scf.yield
// CHECK: } else {
// CHECK-COUNT-8: qtile.load {{.*}} count {{.*}} -> vector<8xbf16>
// CHECK: qtile.vector_max {{.*}} : vector<8xi16> -> i16
// CHECK: qtile.lane_max {{.*}} over 32 stride 1 : i16
// CHECK: qtile.sync_all
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : i16
// CHECK: qtile.atomic_max
qtile.kernel @amax(%x: !x, %amax: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #tensor into %amax : !x
  qtile.return
}

// The cast walks the tiles backwards.
// CHECK: qtile.kernel @cast({{.*}} threads 256 resident 5 grid #[[PANELS]] {
// PLAN: qtile.kernel @cast({{.*}} shared 0 {
// CHECK: %[[BLOCK:.*]] = qtile.block
// CHECK: %[[BLOCKS:.*]] = qtile.blocks
// CHECK: %[[LAST:.*]] = arith.subi %[[BLOCKS]]
// CHECK: arith.subi %[[LAST]], %[[BLOCK]]
// CHECK: qtile.load %{{.*}} : !qtile.global<f32> -> f32
// CHECK: arith.divf
// CHECK-COUNT-2: qtile.encode {{.*}} : vector<16xbf16>, f32 -> vector<16xi8>
// CHECK-NOT: qtile.encode
qtile.kernel @cast(%x: !x, %amax: !s, %c: !c, %s: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #tensor amax %amax along_columns(%c, %s : !c) : !x
  qtile.return
}

// Eight lanes have 128 numbers: no shared memory, and each lane loads 32 bytes side by side.
// CHECK: qtile.kernel @block({{.*}} threads 256 resident 5 grid #[[PANELS]] {
// CHECK: scf.if
// CHECK-COUNT-2: qtile.load {{.*}} count {{.*}} aligned : !qtile.global<bf16> -> vector<16xbf16>
// CHECK: else
// CHECK-COUNT-2: qtile.load {{.*}} count %{{[0-9a-z_]*}} : !qtile.global<bf16> -> vector<16xbf16>
// CHECK: qtile.lane_max {{.*}} over 8 stride 1 : i16
// CHECK: qtile.encode
// CHECK: scf.if
// CHECK: qtile.keep_first
// CHECK: qtile.store {{.*}} : vector<16xi8> to !qtile.global<f8E4M3FN>
// CHECK: qtile.store {{.*}} : f32 to !qtile.global<f32>
// CHECK-NOT: qtile.alloc
qtile.kernel @block(%x: !x, %c: !c, %s: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #block along_columns(%c, %s : !c) : !x
  qtile.return
}

// The grid counts the arguments of the kernel, wherever the sizes stand.
// CHECK: qtile.kernel @others({{.*}} grid #[[OTHERS]] {
qtile.kernel @others(%columns: i32, %x: !x, %ct: !c, %st: !s, %other: i32, %rows: i32) on @sm_90a {
  qtile.quantize %x sizes(%rows, %columns) by #block along_rows(%ct, %st : !c) : !x
  qtile.return
}
