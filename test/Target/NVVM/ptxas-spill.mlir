// A kernel that may not have the registers that it needs spills, is told so, and is assembled all the same; --strict refuses it.

// REQUIRES: ptxas
// DEFINE: %{assemble} = fp8-translate --nvvm-to-cubin --target=sm_90a --ptxas=%ptxas %s
// RUN: %{assemble} -o %t.cubin --report=%t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: not %{assemble} --strict 2>&1 | FileCheck %s --check-prefix=STRICT
// CHECK: ptxas: 'crowded' spills: [[STORED:[1-9][0-9]*]] bytes stored, {{[1-9][0-9]*}} bytes loaded, at 24 registers
// CHECK-NOT: 'roomy'
// JSON: "form": "cubin"
// JSON: "name": "crowded"
// JSON: "spill_store_bytes": {{[1-9]}}
// JSON: "static_shared_bytes": 512
// JSON: "name": "roomy"
// JSON: "spill_store_bytes": 0
// STRICT: fp8-translate: expected kernels without spills and remarks, got 1

llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<128 x f32>

llvm.func @crowded(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 24 : i32} {
  %numbers = llvm.load volatile %x : !llvm.ptr<1> -> !llvm.array<32 x f32>
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  nvvm.barrier0
  llvm.store volatile %numbers, %y : !llvm.array<32 x f32>, !llvm.ptr<1>
  %first = llvm.extractvalue %numbers[0] : !llvm.array<32 x f32>
  llvm.store volatile %first, %tile : f32, !llvm.ptr<3>
  llvm.return
}

llvm.func @roomy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %numbers = llvm.load volatile %x : !llvm.ptr<1> -> !llvm.array<32 x f32>
  nvvm.barrier0
  llvm.store volatile %numbers, %y : !llvm.array<32 x f32>, !llvm.ptr<1>
  llvm.return
}
