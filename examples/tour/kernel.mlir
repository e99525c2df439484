// Each thread adds its two numbers; a block has 128 threads.
llvm.func @add(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %threads = arith.constant 128 : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %before = arith.muli %block, %threads : i32
  %i = arith.addi %before, %thread : i32
  %x_place = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %y_place = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %out_place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x_number = llvm.load %x_place : !llvm.ptr<1> -> f32
  %y_number = llvm.load %y_place : !llvm.ptr<1> -> f32
  %sum = arith.addf %x_number, %y_number : f32
  llvm.store %sum, %out_place : f32, !llvm.ptr<1>
  llvm.return
}
