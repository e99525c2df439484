// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a quantized tensor is from what it was made of.

#ifndef FP8_OPT_NUMERICS_ERROR_H
#define FP8_OPT_NUMERICS_ERROR_H

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Block.h"

namespace fp8opt::numerics {

struct QuantizationError {
  int64_t count = 0;     ///< all elements
  int64_t nonfinite = 0; ///< NaN or infinite before or after; left out of all other numbers
  int64_t saturated = 0; ///< beyond the largest code by more than rounding explains
  int64_t flushed = 0;   ///< not zero before, zero after
  double signal = 0;     ///< sum of squares before
  double noise = 0;      ///< sum of squared differences

  /// Whether no finite element changed.
  bool isExact() const { return noise == 0; }
  /// Signal to noise ratio in decibels; infinite without noise.
  double decibels() const;
  QuantizationError &operator+=(const QuantizationError &other);
};

/// What one element adds to a QuantizationError: 0 or 1, and f64 numbers.
template <class I> struct ElementError {
  typename I::Word nonfinite, saturated, flushed;
  typename I::Real signal, noise;
};

/// What still rounds to the largest number, half a step above it, in units of it.
double reachOfLargest(const Format &code);

/// Of an element that was `before` and is `after`, f32 bits, where its code is `word`.
template <class I>
ElementError<I> elementError(I &i, const Format &code, typename I::Word before, typename I::Word after,
                             typename I::Word word) {
  const auto zero = i.constant(0), one = i.constant(1), magnitude = i.constant(f32::kMagnitude);
  const auto nothing = i.real(0);
  auto sizeBefore = i.bitAnd(before, magnitude), sizeAfter = i.bitAnd(after, magnitude);
  auto isFinite = i.ult(i.umax(sizeBefore, sizeAfter), i.constant(f32::kInfinity));
  auto isZero = i.eq(sizeAfter, zero);
  auto isLargest = i.eq(i.bitAnd(decode(i, code, word), magnitude), i.constant(code.largestAsF32()));
  // The factors' own rounding is far below a step.
  auto isBeyond = i.lessR(i.mulR(i.widen(sizeAfter), i.real(reachOfLargest(code))), i.widen(sizeBefore));
  auto clamped = i.select(isZero, zero, i.select(isLargest, i.select(isBeyond, one, zero), zero));
  auto flushed = i.select(isZero, i.umin(sizeBefore, one), zero);
  auto number = i.widen(before), change = i.subR(number, i.widen(after));
  return {i.select(isFinite, zero, one), i.select(isFinite, clamped, zero), i.select(isFinite, flushed, zero),
          i.selectR(isFinite, i.mulR(number, number), nothing),
          i.selectR(isFinite, i.mulR(change, change), nothing)};
}

/// Compares numbers of the type `expressed`, as f32, with what `quantized`, made of them by `scheme`, stands
/// for in that type.
QuantizationError measureError(const Scheme &scheme, FormatId expressed, const std::vector<float> &numbers,
                               const QuantizedNumbers &quantized);

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_ERROR_H
