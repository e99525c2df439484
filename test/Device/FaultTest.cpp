// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that fails while it runs. It is linked last and so runs last: the context of the process takes no
// more work after it.

#include "DeviceTest.h"

using namespace fp8opt::launch;

using FaultTest = DeviceTest;

TEST_F(FaultTest, failureOfAKernelIsToldWhereItIsWaitedFor) {
  Result<Kernel> fault = kernel("add", "fault");
  ASSERT_SUCCESS(fault);
  EXPECT_SUCCESS(fault->launch({}, {}));
  EXPECT_FAILURE(device->synchronize(),
                 "expected to finish the work of the device, got CUDA_ERROR_ILLEGAL_ADDRESS");
}
