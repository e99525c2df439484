// One thread for each element, in blocks of any size: %out[i] = %x[i] + %y[i] below %count.
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s
// CHECK: .entry add(
llvm.func @add(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %out: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel} {
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %threads = nvvm.read.ptx.sreg.ntid.x : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %before = arith.muli %block, %threads : i32
  %i = arith.addi %before, %thread : i32
  %is_inside = arith.cmpi slt, %i, %count : i32
  scf.if %is_inside {
    %x_place = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %y_place = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %out_place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x_number = llvm.load %x_place : !llvm.ptr<1> -> f32
    %y_number = llvm.load %y_place : !llvm.ptr<1> -> f32
    %sum = arith.addf %x_number, %y_number : f32
    llvm.store %sum, %out_place : f32, !llvm.ptr<1>
  }
  llvm.return
}

// For the tests of errors: writes where nothing is.
llvm.func @fault() attributes {nvvm.kernel} {
  %nowhere = llvm.mlir.zero : !llvm.ptr<1>
  %number = arith.constant 1 : i32
  llvm.store volatile %number, %nowhere : i32, !llvm.ptr<1>
  llvm.return
}
