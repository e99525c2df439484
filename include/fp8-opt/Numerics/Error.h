// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a quantized tensor is from what it was made of.

#ifndef FP8_OPT_NUMERICS_ERROR_H
#define FP8_OPT_NUMERICS_ERROR_H

#include "fp8-opt/Numerics/Block.h"

namespace fp8opt::numerics {

struct QuantizationError {
  int64_t count = 0;     ///< all elements
  int64_t nonfinite = 0; ///< NaN or infinite before or after; left out of all other numbers
  int64_t saturated = 0; ///< beyond the largest code by more than rounding explains
  int64_t flushed = 0;   ///< not zero before, zero after
  double signal = 0;     ///< sum of squares before
  double noise = 0;      ///< sum of squared differences

  /// Signal to noise ratio in decibels; infinite without noise.
  double decibels() const;
};

/// Compares f32 numbers with what `quantized`, made of them by `scheme`, stands for, unrounded.
QuantizationError measureError(const Scheme &scheme, const std::vector<float> &numbers,
                               const QuantizedNumbers &quantized);

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_ERROR_H
