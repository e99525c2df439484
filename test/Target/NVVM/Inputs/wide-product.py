# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a 64x256 product in a kernel of 512 threads.

TYPE = f"!llvm.struct<({', '.join(['f32'] * 128)})>"
print(f"""llvm.func @wide(%a: i64, %b: i64, %out: !llvm.ptr<1>)
    attributes {{nvvm.kernel, nvvm.reqntid = array<i32: 512>, nvvm.minctasm = 1 : i32}} {{
  nvvm.setmaxregister increase 160
  %zero = llvm.mlir.zero : {TYPE}
  nvvm.wgmma.fence.aligned
  %sum = nvvm.wgmma.mma_async %a, %b, %zero, #nvvm.shape<m = 64, n = 256, k = 32>, D [<f32>, <one>],
    A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : {TYPE} -> {TYPE}
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %sum, %out : {TYPE}, !llvm.ptr<1>
  llvm.return
}}""")
