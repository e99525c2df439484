// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts and sums over the elements of a quantized tensor.

#include "fp8-opt/Numerics/Error.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <cmath>
#include <limits>

using namespace fp8opt::numerics;

double QuantizationError::decibels() const {
  return noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity();
}

/// Half a step above the largest number, in units of the largest number: what still rounds to it.
static double roundedToLargest(const Format &code) {
  Host host;
  const double largest = floatOf(decode(host, code, code.largestCode()));
  const double below = floatOf(decode(host, code, code.largestCode() - 1));
  return 1 + (largest - below) / 2 / largest;
}

QuantizationError fp8opt::numerics::measureError(const Scheme &scheme, const std::vector<float> &numbers,
                                                 const QuantizedNumbers &quantized) {
  const Format &code = format(scheme.code);
  const std::vector<float> decoded = dequantize(scheme, FormatId::F32, quantized);
  const double reach = roundedToLargest(code);
  QuantizationError error;
  error.count = numbers.size();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double before = numbers[i], after = decoded[i];
    if (!std::isfinite(before) || !std::isfinite(after)) {
      ++error.nonfinite;
      continue;
    }
    error.flushed += before != 0 && after == 0;
    uint32_t word = quantized.codes[code.storageBits() == 8 ? i : 2 * i];
    if (code.storageBits() != 8)
      word |= uint32_t(quantized.codes[2 * i + 1]) << 8;
    const bool negative = word & code.signBit();
    const uint32_t magnitude = !negative          ? word
                               : code.isInteger() ? 2 * code.signBit() - word
                                                  : word - code.signBit();
    // The factors' own rounding is far below a step.
    error.saturated +=
        magnitude == code.largestCode() && after != 0 && std::fabs(before) > std::fabs(after) * reach;
    error.signal += before * before;
    error.noise += (before - after) * (before - after);
  }
  return error;
}
