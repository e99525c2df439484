// Each block of a cluster reads from the shared memory of the next one: %out[block] = 100 * (its rank + 1) + size of the
// cluster, where its is the next one's.
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s
// CHECK: .entry read_next(
// CHECK: barrier.cluster.arrive
// CHECK: mapa.shared::cluster
// CHECK: ld.shared::cluster
llvm.mlir.global internal @own() {addr_space = 3 : i32} : i32

llvm.func @read_next(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %own = llvm.mlir.addressof @own : !llvm.ptr<3>
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %size = nvvm.read.ptx.sreg.cluster.nctarank : i32
  %number = arith.addi %rank, %one : i32
  %scaled = arith.muli %number, %hundred : i32
  llvm.store %scaled, %own : i32, !llvm.ptr<3>
  nvvm.cluster.arrive
  nvvm.cluster.wait
  %next = arith.remui %number, %size : i32
  %theirs = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
  %read = llvm.load %theirs : !llvm.ptr<7> -> i32
  %sum = arith.addi %read, %size : i32
  %place = llvm.getelementptr %out[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %sum, %place : i32, !llvm.ptr<1>
  // Shared memory of a block must stay while others read it.
  nvvm.cluster.arrive
  nvvm.cluster.wait
  llvm.return
}
