// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The middle of several measurements.

#ifndef FP8_OPT_LIB_RUN_MEDIAN_H
#define FP8_OPT_LIB_RUN_MEDIAN_H

#include <algorithm>
#include <cassert>
#include <vector>

namespace fp8opt::run {

/// The mean of the two middle ones where their number is even.
inline double median(std::vector<double> values) {
  assert(!values.empty() && "a median of something");
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_MEDIAN_H
