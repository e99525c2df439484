// Loops and arithmetic become PTX for each target, with the sizes of the launch that the kernel states.
//
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s -DCHIP=sm_90a
// RUN: fp8-translate --nvvm-to-ptx --target=sm_100a %s | FileCheck %s -DCHIP=sm_100a
// RUN: fp8-translate --nvvm-to-ptx --target=sm_120a %s | FileCheck %s -DCHIP=sm_120a

// CHECK: .version 8.8
// CHECK: .target [[CHIP]]
// CHECK: .visible .entry sum(
// CHECK: .reqntid 128
// CHECK: ld.global.b32
// CHECK: add.rn.f32
// CHECK: bra
// CHECK: st.global.b32
llvm.func @sum(%x: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %sum = scf.for %i = %zero to %n step %one iter_args(%partial = %start) -> (f32) : i32 {
    %place = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %number = llvm.load %place : !llvm.ptr<1> -> f32
    %next = arith.addf %partial, %number : f32
    scf.yield %next : f32
  }
  llvm.store %sum, %x : f32, !llvm.ptr<1>
  llvm.return
}
