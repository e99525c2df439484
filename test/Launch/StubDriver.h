// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver without a device tells the test about itself.

#ifndef FP8_OPT_TEST_LAUNCH_STUBDRIVER_H
#define FP8_OPT_TEST_LAUNCH_STUBDRIVER_H

#include <cstdint>

struct StubState {
  /// What is held: contexts, allocations, modules, streams, events.
  int held;
  /// The last launch.
  unsigned grid[3], block[3], cluster[3], dynamicSharedBytes;
  void *stream;
  int hasCluster;
  /// Of the kernel "take", which has parameters of 8, 4 and 4 bytes.
  uint64_t arguments[3];
};

/// By its name in the library: stubState.
using StubStateFunction = const StubState *();

#endif // FP8_OPT_TEST_LAUNCH_STUBDRIVER_H
