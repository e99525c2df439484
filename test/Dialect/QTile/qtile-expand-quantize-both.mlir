// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
// RUN: fp8-opt %s --qtile-expand-quantize --qtile-plan-rings | FileCheck %s --check-prefix=PLAN
// RUN: fp8-opt %s --qtile-expand-quantize | fp8-opt | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Quantizers that leave both orientations read a matrix once.

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#tile = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_dec, apply = div_decode>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []


// CHECK: #[[TILES:.*]] = affine_map<()[s0, s1] -> ((s0 ceildiv 128) * (s1 ceildiv 128))>

// Both orientations in one read: a thread has 8x8 numbers. The first has its scales from lanes, the second from shared
// memory, through which its codes go, too.
// CHECK: qtile.kernel @both({{.*}} threads 256 resident 3 grid #[[TILES]] {
// PLAN: qtile.kernel @both({{.*}} shared 18944 {
// CHECK-COUNT-8: qtile.load {{.*}} aligned : !qtile.global<bf16> -> vector<8xbf16>
// CHECK: qtile.vector_max {{.*}} -> vector<8xi16>
// CHECK: qtile.lane_max {{.*}} over 16 stride 1 : vector<8xi16>
// CHECK: qtile.pick
// CHECK: qtile.lane_read
// CHECK: qtile.encode {{.*}} : vector<8xbf16>, f32 -> vector<8xi8>
// CHECK: qtile.store {{.*}} : vector<8xi8> to !qtile.global<f8E4M3FN>
// CHECK-COUNT-8: qtile.renew
// CHECK: qtile.alloc : !qtile.shared<8x128xi16>
// CHECK: qtile.lane_max {{.*}} over 2 stride 16 : vector<8xi16>
// CHECK: qtile.sync_all
// CHECK: qtile.sync_all
// CHECK-COUNT-8: qtile.encode {{.*}} : vector<8xbf16>, vector<8xf32> -> vector<8xi8>
// CHECK: qtile.alloc : !qtile.shared<128x128xi8>
// CHECK: qtile.transpose
// CHECK: qtile.sync_all
// CHECK-COUNT-4: qtile.store {{.*}} : vector<16xi8> to !qtile.global<f8E4M3FN>
qtile.kernel @both(%x: !x, %c: !c, %s: !s, %ct: !c, %st: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #block along_columns(%c, %s : !c) along_rows(%ct, %st : !c) : !x
  qtile.return
}

// One scale for 128x128, and its codes, serve both orientations.
// CHECK: qtile.kernel @tile(
// CHECK-COUNT-8: qtile.encode
// CHECK-NOT: qtile.encode
// CHECK: qtile.transpose
// CHECK-NOT: qtile.encode
qtile.kernel @tile(%x: !x, %c: !c, %s: !s, %ct: !c, %st: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #tile along_columns(%c, %s : !c) along_rows(%ct, %st : !c) : !x
  qtile.return
}
