// RUN: fp8-opt %s --convert-qtile-to-nvvm | FileCheck %s
//
// What threads do with vectors, as instructions.

#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [1, 128] by fdiv_dec, apply = div_decode>]>
#ieee = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [1, 128] by fdiv>], overflow = ieee>
#zero = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>], rounding = toward_zero>
#fnuz = #qt.scheme<f8E4M3FNUZ, [#qt.scale<f32 per block [1, 128] by fdiv>]>

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []

// CHECK: llvm.func @memory(
// CHECK-SAME: nvvm.minctasm = 3 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 256>
qtile.kernel @memory(%x: !qtile.global<bf16>, %y: !qtile.global<f32>, %n: i32) on @sm_90a threads 256 resident 3 shared 512 {
  // CHECK: nvvm.read.ptx.sreg.tid.x
  %thread = qtile.thread
  %i = arith.extui %thread : i32 to i64
  // Each 16 bytes are there or not.
  // CHECK: scf.if
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
  // CHECK: scf.if
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
  // CHECK: llvm.shufflevector
  %a = qtile.load %x[%i] count %n aligned : !qtile.global<bf16> -> vector<16xbf16>
  // Elements outside are read inside.
  // CHECK: arith.minui
  // CHECK: llvm.load {{.*}} -> bf16
  // CHECK: arith.select
  %b = qtile.load %x[%i] count %n : !qtile.global<bf16> -> vector<16xbf16>
  %tile = qtile.alloc at 0 : !qtile.shared<256xbf16>
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<16xbf16>, !llvm.ptr<3>
  qtile.store_shared %a to %tile[%thread] : vector<16xbf16> to !qtile.shared<256xbf16>
  // CHECK: nvvm.barrier0
  qtile.sync_all
  %f = qtile.load %y[%i] : !qtile.global<f32> -> f32
  // CHECK: llvm.atomicrmw umax {{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
  qtile.atomic_max %n to %y[%i] : !qtile.global<f32>
  qtile.return
}

// CHECK-LABEL: llvm.func @maxima(
qtile.kernel @maxima(%x: !qtile.global<i16>, %y: !qtile.global<i32>) on @sm_90a threads 256 shared 0 {
  %lane = qtile.lane
  %i = arith.extui %lane : i32 to i64
  %v = qtile.load %x[%i] : !qtile.global<i16> -> vector<8xi16>
  // CHECK: arith.maxui {{.*}} : vector<4xi16>
  // CHECK: arith.maxui {{.*}} : vector<2xi16>
  // CHECK: arith.maxui {{.*}} : i16
  %one = qtile.vector_max %v : vector<8xi16> -> i16
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: arith.maxui {{.*}} : i32
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync bfly
  // CHECK: arith.trunci
  %group = qtile.lane_max %one over 8 stride 1 : i16
  // Four registers, twice.
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK: arith.maxui {{.*}} : vector<8xi16>
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK: arith.maxui {{.*}} : vector<8xi16>
  %all = qtile.lane_max %v over 4 stride 8 : vector<8xi16>
  // CHECK-COUNT-3: arith.select
  %picked = qtile.pick %all[%lane] : vector<8xi16> -> i16
  qtile.store %picked to %x[%i] : i16 to !qtile.global<i16>
  qtile.return
}

// The chip's conversion where it gives the scheme's codes, else the arithmetic of Numerics.
// CHECK-LABEL: llvm.func @encode(
qtile.kernel @encode(%x: !qtile.global<bf16>, %f: !qtile.global<f32>, %c: !qtile.global<i8>, %n: i32) on @sm_90a threads 256 shared 0 {
  %zero = arith.constant 0 : i64
  %v = qtile.load %x[%zero] : !qtile.global<bf16> -> vector<4xbf16>
  %factor = qtile.load %f[%zero] : !qtile.global<f32> -> f32
  // CHECK: arith.mulf
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}}rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>{{.*}}(f8E4M3FN)
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E4M3FN)
  %a = qtile.encode %v by %factor as #e4m3 : vector<4xbf16>, f32 -> vector<4xi8>
  // CHECK: llvm.store {{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
  qtile.store %a to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  // Numbers by one factor, where that is far from the ends of f32, else divisions: of bf16, two products by a coarse reciprocal
  // and by what it lacks; of f32, a product that is corrected once.
  // CHECK: %[[F:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: nvvm.rcp.approx.ftz.f
  // CHECK-COUNT-2: llvm.intr.fma
  // CHECK: %[[BEYOND:.*]] = arith.subi %[[F]], %{{.*}} : i32
  // CHECK: %[[NEAR:.*]] = arith.cmpi ult, %[[BEYOND]]
  // CHECK: scf.if %[[NEAR]] -> (i32) {
  // CHECK-COUNT-4: llvm.intr.fma
  // CHECK-NOT: arith.divf
  // CHECK: } else {
  // CHECK-COUNT-2: arith.divf
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E5M2)
  // CHECK-COUNT-2: arith.divf
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E5M2)
  %b = qtile.encode %v by %factor as #e5m2 : vector<4xbf16>, f32 -> vector<4xi8>
  // CHECK: arith.divf
  // CHECK: scf.if
  // CHECK-NOT: arith.divf
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.fmin.nan.xorsign.abs.f"
  // CHECK: } else {
  // CHECK-COUNT-4: arith.divf
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E5M2)
  %wide = qtile.load %f[%zero] : !qtile.global<f32> -> vector<4xf32>
  %g = qtile.encode %wide by %factor as #e5m2 : vector<4xf32>, f32 -> vector<4xi8>
  // CHECK-NOT: nvvm.convert
  %d = qtile.encode %v by %factor as #ieee : vector<4xbf16>, f32 -> vector<4xi8>
  %e = qtile.encode %v by %factor as #zero : vector<4xbf16>, f32 -> vector<4xi8>
  // CHECK: llvm.return
  qtile.store %b to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  qtile.store %g to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  qtile.store %d to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  qtile.store %e to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  qtile.return
}

// CHECK-LABEL: llvm.func @transpose(
qtile.kernel @transpose(%c: !qtile.global<i8>) on @sm_90a threads 256 shared 0 {
  %zero = arith.constant 0 : i64
  %v = qtile.load %c[%zero] : !qtile.global<i8> -> vector<4xi8>
  // CHECK-COUNT-8: nvvm.prmt
  // CHECK-NOT: nvvm.prmt
  %t:4 = qtile.transpose %v, %v, %v, %v : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
    -> vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
  qtile.store %t#1 to %c[%zero] : vector<4xi8> to !qtile.global<i8>
  qtile.return
}

// Two codes at a time by the chip, and the arithmetic of Numerics where it has no instruction.
// CHECK-LABEL: llvm.func @decode(
qtile.kernel @decode(%c: !qtile.global<i8>, %f: !qtile.global<f32>, %x: !qtile.global<bf16>) on @sm_90a threads 256 shared 0 {
  %zero = arith.constant 0 : i64
  %v = qtile.load %c[%zero] : !qtile.global<i8> -> vector<4xi8>
  %factor = qtile.load %f[%zero] : !qtile.global<f32> -> f32
  // CHECK: nvvm.convert.f8x2.to.f16x2 {{.*}} : vector<2xi8>{{ ?}}(f8E4M3FN) -> vector<2xf16>
  // CHECK: arith.extf {{.*}} : f16 to f32
  // CHECK: arith.mulf
  // CHECK: arith.truncf {{.*}} : f32 to bf16
  // CHECK: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E4M3FN)
  %a = qtile.decode %v by %factor as #e4m3 : vector<4xi8>, f32 -> vector<4xbf16>
  // CHECK: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E5M2)
  // CHECK: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E5M2)
  // CHECK-NOT: nvvm.convert
  %b = qtile.decode %v by %factor as #e5m2 : vector<4xi8>, f32 -> vector<4xbf16>
  %d = qtile.decode %v by %factor as #fnuz : vector<4xi8>, f32 -> vector<4xbf16>
  // CHECK: llvm.store
  qtile.store %a to %x[%zero] : vector<4xbf16> to !qtile.global<bf16>
  qtile.store %b to %x[%zero] : vector<4xbf16> to !qtile.global<bf16>
  qtile.store %d to %x[%zero] : vector<4xbf16> to !qtile.global<bf16>
  qtile.return
}

// CHECK-LABEL: llvm.func @stores(
qtile.kernel @stores(%x: !qtile.global<bf16>, %n: i32) on @sm_90a threads 256 shared 0 {
  %zero = arith.constant 0 : i64
  %v = qtile.load %x[%zero] : !qtile.global<bf16> -> vector<16xbf16>
  // CHECK-COUNT-2: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
  qtile.store %v to %x[%zero] count %n aligned : vector<16xbf16> to !qtile.global<bf16>
  // CHECK-COUNT-16: llvm.store {{.*}} {alignment = 2 : i64} : bf16, !llvm.ptr<1>
  qtile.store %v to %x[%zero] count %n : vector<16xbf16> to !qtile.global<bf16>
  qtile.return
}
