// In process comes out what the tools of LLVM make of the module one after the other, byte for byte.

// REQUIRES: mlir-opt, llc
// DEFINE: %{lower} = %llvm_tools/mlir-opt --convert-scf-to-cf --convert-cf-to-llvm --convert-arith-to-llvm --convert-nvvm-to-llvm --reconcile-unrealized-casts
// DEFINE: %{stock} = %{lower} %t.mlir | %llvm_tools/mlir-translate --mlir-to-llvmir | %llvm_tools/llc -march=nvptx64 -mattr=+ptx88
// RUN: cat %s %S/translate.mlir > %t.mlir
// RUN: %{stock} -mcpu=sm_90a -o %t.stock && fp8-translate --nvvm-to-ptx --target=sm_90a %t.mlir -o %t.ptx && diff %t.stock %t.ptx
// RUN: %{stock} -mcpu=sm_120a -o %t.stock && fp8-translate --nvvm-to-ptx --target=sm_120a %t.mlir -o %t.ptx && diff %t.stock %t.ptx

// Arithmetic that contraction, rounding and division by constants could change.
llvm.func @arithmetic(%x: f32, %y: f32, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %seven = arith.constant 7 : i32
  %product = arith.mulf %x, %y : f32
  %sum = arith.addf %product, %y : f32
  %quotient = arith.divf %sum, %x : f32
  %part = arith.divsi %n, %seven : i32
  %number = arith.sitofp %part : i32 to f32
  %is_less = arith.cmpf olt, %quotient, %number : f32
  %least = arith.select %is_less, %quotient, %number : f32
  %narrow = arith.truncf %least : f32 to bf16
  llvm.store %narrow, %out : bf16, !llvm.ptr<1>
  llvm.return
}
