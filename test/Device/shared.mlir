// A block writes numbers to dynamic shared memory and reads them from the other end: %out[i] = %count - 1 - i.
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s
// CHECK: .extern .shared .align 16 .b8 scratch[]
// CHECK: .entry reverse(
llvm.mlir.global external @scratch() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i32>

llvm.func @reverse(%out: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel} {
  %one = arith.constant 1 : i32
  %scratch = llvm.mlir.addressof @scratch : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %threads = nvvm.read.ptx.sreg.ntid.x : i32
  %last = arith.subi %count, %one : i32
  scf.for %i = %thread to %count step %threads : i32 {
    %place = llvm.getelementptr %scratch[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %i, %place : i32, !llvm.ptr<3>
  }
  nvvm.barrier0
  scf.for %i = %thread to %count step %threads : i32 {
    %other = arith.subi %last, %i : i32
    %place = llvm.getelementptr %scratch[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %number = llvm.load %place : !llvm.ptr<3> -> i32
    %out_place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %number, %out_place : i32, !llvm.ptr<1>
  }
  llvm.return
}
