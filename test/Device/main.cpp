// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test of a device: DeviceTests --kernels=FOLDER, beside GoogleTest's options.

#include "DeviceTest.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// What the numbers of a run are worth depends on it.
static void describeDevice() {
  auto device = fp8opt::launch::Device::open();
  if (!device) {
    std::printf("device: %s\n", device.error().message.c_str());
    return;
  }
  const auto &facts = device->properties();
  std::printf("device: %s, compute capability %d.%d, %d multiprocessors at up to %d MHz, %.1f GiB, %d KiB of "
              "shared memory "
              "for each block, driver for CUDA %d.%d\n",
              facts.name.c_str(), facts.computeMajor, facts.computeMinor, facts.multiprocessors,
              facts.clockKHz / 1000, double(facts.memoryBytes) / (1 << 30), facts.sharedBytesPerBlock / 1024,
              facts.driverVersion / 1000, facts.driverVersion % 1000 / 10);
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char *folder = std::getenv("FP8OPT_DEVICE_KERNELS"))
    kernelsFolder = folder;
  constexpr const char *option = "--kernels=";
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], option, std::strlen(option)) != 0) {
      std::fprintf(stderr, "DeviceTests: expected --kernels=FOLDER, got '%s'\n", argv[i]);
      return 2;
    }
    kernelsFolder = argv[i] + std::strlen(option);
  }
  if (!testing::GTEST_FLAG(list_tests))
    describeDevice();
  return RUN_ALL_TESTS();
}
