// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts and sums over the elements of a quantized tensor.

#include "fp8-opt/Numerics/Error.h"

#include "fp8-opt/Numerics/Host.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace fp8opt::numerics;

double QuantizationError::decibels() const {
  return noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity();
}

QuantizationError &QuantizationError::operator+=(const QuantizationError &other) {
  count += other.count;
  nonfinite += other.nonfinite;
  saturated += other.saturated;
  flushed += other.flushed;
  signal += other.signal;
  noise += other.noise;
  return *this;
}

double fp8opt::numerics::reachOfLargest(const Format &code) {
  Host host;
  const double largest = floatOf(decode(host, code, code.largestCode()));
  const double below = floatOf(decode(host, code, code.largestCode() - 1));
  return 1 + (largest - below) / 2 / largest;
}

QuantizationError fp8opt::numerics::measureError(const Scheme &scheme, FormatId expressed,
                                                 const std::vector<float> &numbers,
                                                 const QuantizedNumbers &quantized) {
  const Format &code = format(scheme.code);
  const std::vector<float> decoded = dequantize(scheme, expressed, quantized);
  const size_t bytes = size_t(code.storageBits()) / 8;
  Host host;
  QuantizationError error;
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint32_t word = 0;
    std::memcpy(&word, quantized.codes.data() + i * bytes, bytes);
    const auto one = elementError(host, code, bitsOf(numbers[i]), bitsOf(decoded[i]), word);
    error += {1, one.nonfinite, one.saturated, one.flushed, one.signal, one.noise};
  }
  return error;
}
