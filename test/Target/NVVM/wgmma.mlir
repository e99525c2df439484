// Hopper's matrix product is one instruction of PTX there, and an error at its op on other chips, before it
// becomes inline PTX that only ptxas would refuse.

// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %s | FileCheck %s
// RUN: not fp8-translate --nvvm-to-ptx --target=sm_120a %s 2>&1 | FileCheck %s --check-prefix=LACKS -DCHIP=sm_120a
// RUN: not fp8-translate --nvvm-to-ptx --target=sm_100a %s 2>&1 | FileCheck %s --check-prefix=LACKS -DCHIP=sm_100a

!sums = !llvm.struct<(f32, f32, f32, f32)>

// CHECK-LABEL: .entry product
// CHECK: wgmma.fence.sync.aligned
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3
// CHECK: wgmma.commit_group.sync.aligned
// CHECK: wgmma.wait_group.sync.aligned 0
llvm.func @product(%a: i64, %b: i64, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
  %zero = llvm.mlir.zero : !sums
  // LACKS: wgmma.mlir:[[@LINE+1]]:3: error: 'nvvm.wgmma.fence.aligned' op expected an instruction of [[CHIP]], got one of sm_90a
  nvvm.wgmma.fence.aligned
  // LACKS: wgmma.mlir:[[@LINE+1]]:10: error: 'nvvm.wgmma.mma_async' op expected an instruction of [[CHIP]], got one of sm_90a
  %sum = nvvm.wgmma.mma_async %a, %b, %zero, #nvvm.shape<m = 64, n = 8, k = 32>, D [<f32>, <one>],
    A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %sum, %out : !sums, !llvm.ptr<1>
  llvm.return
}
