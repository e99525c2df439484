// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
// RUN: fp8-opt %s --qtile-expand-quantize --qtile-plan-rings | FileCheck %s --check-prefix=PLAN
// RUN: fp8-opt %s | fp8-opt --qtile-expand-quantize | fp8-opt | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// What reads codes in panels becomes what the threads of a block do with squares of 8x8.

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0, s1] -> ((s0 ceildiv 128) * (s1 ceildiv 128))>
// CHECK-DAG: #[[BATCH:.*]] = affine_map<()[s0, s1, s2] -> (((s1 ceildiv 128) * (s2 ceildiv 128)) * s0)>

// Codes are read once, without a question in the tiles inside; then it is a quantizer along rows.
// CHECK: qtile.kernel @requantize({{.*}} threads 256 resident 4 grid #[[TILES]] {
// PLAN: qtile.kernel @requantize({{.*}} shared 18944 {
// CHECK: scf.if
// CHECK-COUNT-8: qtile.load {{.*}} : !qtile.global<f8E4M3FN> -> vector<8xi8>
// CHECK-COUNT-8: qtile.keep_first
// CHECK: qtile.load {{.*}} count {{.*}} : !qtile.global<f32> -> vector<8xi32>
// CHECK: else
// CHECK-COUNT-8: qtile.load {{.*}} : !qtile.global<f8E4M3FN> -> vector<8xi8>
// CHECK-NOT: keep_first
// CHECK: qtile.load %{{[a-z0-9_]*}}[%{{[a-z0-9_]*}}] : !qtile.global<f32> -> vector<8xi32>
// CHECK-COUNT-8: qtile.decode {{.*}} : vector<8xi8>, f32 -> vector<8xbf16>
// CHECK-NOT: qtile.decode
// CHECK: qtile.lane_max {{.*}} over 2 stride 16 : vector<8xi16>
// CHECK-COUNT-8: qtile.encode {{.*}} : vector<8xbf16>, vector<8xf32> -> vector<8xi8>
// CHECK: qtile.transpose
// CHECK: qtile.sync_all
// CHECK-COUNT-4: qtile.store {{.*}} : vector<16xi8> to !qtile.global<f8E4M3FN>
qtile.kernel @requantize(%x: !c, %sx: !s, %ct: !c, %st: !s, %m: i32, %n: i32) on @sm_90a {
  qtile.requantize %x by %sx as #block of bf16 sizes(%m, %n) by #block along_rows(%ct, %st : !c) : !c
  qtile.return
}

// A row is decoded where it is stored, in whole 16 bytes or, where rows are not whole 16 bytes, element by element.
// CHECK: qtile.kernel @columns({{.*}} threads 256 resident 4 grid #[[TILES]] {
// PLAN: qtile.kernel @columns({{.*}} shared 0 {
// CHECK-NOT: qtile.transpose
// CHECK: qtile.decode {{.*}} : vector<8xi8>, f32 -> vector<8xbf16>
// CHECK: qtile.store {{.*}} count {{.*}} aligned : vector<8xbf16> to !qtile.global<bf16>
// CHECK: else
// CHECK: qtile.store {{.*}} count %{{[a-z0-9_]*}} : vector<8xbf16> to !qtile.global<bf16>
qtile.kernel @columns(%x: !c, %sx: !s, %y: !x, %m: i32, %n: i32) on @sm_90a {
  qtile.dequantize %x by %sx as #block along columns sizes(%m, %n) into %y : !c -> !x
  qtile.return
}

// Codes of the transpose: a scale for each column.
// CHECK: qtile.kernel @rows({{.*}} {
// CHECK: qtile.transpose
// CHECK: qtile.decode {{.*}} : vector<8xi8>, vector<8xf32> -> vector<8xbf16>
qtile.kernel @rows(%x: !c, %sx: !s, %y: !x, %m: i32, %n: i32) on @sm_90a {
  qtile.dequantize %x by %sx as #block along rows sizes(%m, %n) into %y : !c -> !x
  qtile.return
}

// One scale is loaded once.
// CHECK: qtile.kernel @tensor({{.*}} resident 3 {{.*}} {
// CHECK: qtile.load {{.*}} : !qtile.global<f32> -> i32
// CHECK-NOT: qtile.load
// CHECK: qtile.decode {{.*}} : vector<8xi8>, f32 -> vector<8xf32>
qtile.kernel @tensor(%x: !c, %sx: !s, %y: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.dequantize %x by %sx as #tensor along columns sizes(%m, %n) into %y : !c -> !qtile.global<f32>
  qtile.return
}

// In a batch: the scales that are read and that are written are those of the thread block's matrix.
// CHECK: qtile.kernel @batch(%{{.*}}, %[[SX:.*]]: !qtile.global<f32>, %{{.*}}, %[[ST:.*]]: !qtile.global<f32>, {{.*}} grid #[[BATCH]] {
// CHECK: qtile.blocks
// CHECK: %[[SXE:.*]] = qtile.from %[[SX]]
// CHECK: %[[STE:.*]] = qtile.from %[[ST]]
// CHECK: qtile.load %[[SXE]]
// CHECK: qtile.store %{{.*}} to %[[STE]]
qtile.kernel @batch(%x: !c, %sx: !s, %ct: !c, %st: !s, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.requantize %x by %sx as #block of bf16 sizes(%m, %n) in batch(%e) by #block along_rows(%ct, %st : !c) : !c
  qtile.return
}

// So are the numbers.
// CHECK: qtile.kernel @decode_batch(%{{.*}}, %[[SX:.*]]: !qtile.global<f32>, %[[Y:.*]]: !qtile.global<bf16>, {{.*}} grid #[[BATCH]] {
// CHECK: %[[SXE:.*]] = qtile.from %[[SX]]
// CHECK: %[[YE:.*]] = qtile.from %[[Y]]
// CHECK: qtile.load %[[SXE]]
// CHECK: qtile.store %{{.*}} to %[[YE]]
qtile.kernel @decode_batch(%x: !c, %sx: !s, %y: !x, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.dequantize %x by %sx as #block along rows sizes(%m, %n) in batch(%e) into %y : !c -> !x
  qtile.return
}
