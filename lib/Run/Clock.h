// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds by the clock.

#ifndef FP8_OPT_LIB_RUN_CLOCK_H
#define FP8_OPT_LIB_RUN_CLOCK_H

#include <chrono>

namespace fp8opt::run {

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_CLOCK_H
