// RUN: fp8-opt %s --qtile-expand-quantize | FileCheck %s
//
// A thread block of a batch has a part of one matrix: which, and where that lies, comes first; then it is a quantizer as any other.

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
!x = !qtile.global<bf16>
!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1, s2] -> (((s1 * s2) ceildiv 16384) * s0)>
// CHECK-DAG: #[[PANELS:.*]] = affine_map<()[s0, s1, s2] -> (((s1 ceildiv 64) * (s2 ceildiv 128)) * s0)>

// Whole chunks are loaded only of matrices that begin at one.
// CHECK: qtile.kernel @amax(%[[X:.*]]: {{.*}}, %[[CELLS:.*]]: {{.*}}, %[[E:.*]]: i32, %[[M:.*]]: i32, %[[N:.*]]: i32) {{.*}} grid #[[FLAT]]
// CHECK: %[[BLOCK:.*]] = qtile.block
// CHECK: %[[ALL:.*]] = qtile.blocks
// CHECK: %[[OWN:.*]] = arith.divui %[[ALL]], %[[E]]
// CHECK: %[[MATRIX:.*]] = arith.divui %[[BLOCK]], %[[OWN]]
// CHECK: arith.remui %[[BLOCK]], %[[OWN]]
// CHECK: %[[SOURCE:.*]] = qtile.from %[[X]][
// CHECK: %[[CELL:.*]] = qtile.from %[[CELLS]][
// CHECK: %[[SIZE:.*]] = arith.muli %[[M]], %[[N]] : i32
// CHECK: %[[LAST:.*]] = arith.andi %[[SIZE]], %c7_i32
// CHECK: arith.cmpi eq, %[[LAST]], %c0_i32
// CHECK: qtile.load %[[SOURCE]][
// CHECK: qtile.atomic_max {{.*}} to %[[CELL]][
qtile.kernel @amax(%x: !x, %amax: !s, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) in batch(%e) by #tensor into %amax : !x
  qtile.return
}

// Codes need no pointer: a matrix is so many panels further on.
// CHECK: qtile.kernel @columns(%[[X:.*]]: {{.*}}, %[[AMAX:.*]]: !qtile.global<f32>, %[[C:.*]]: !qtile.global<f8E4M3FN>, %[[S:.*]]: !qtile.global<f32>, %[[E:.*]]: i32, {{.*}} grid #[[PANELS]]
// CHECK: %[[SOURCE:.*]] = qtile.from %[[X]][
// CHECK: %[[MINE:.*]] = qtile.from %[[AMAX]][
// CHECK: %[[SCALE:.*]] = qtile.from %[[S]][
// CHECK: qtile.load %[[SOURCE]][
// CHECK: qtile.load %[[MINE]][
// CHECK: qtile.store {{.*}} to %[[SCALE]][
// CHECK: qtile.store {{.*}} to %[[C]][
qtile.kernel @columns(%x: !x, %amax: !s, %c: !c, %s: !s, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) in batch(%e) by #tensor amax %amax along_columns(%c, %s : !c) : !x
  qtile.return
}
