// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is counted while a program quantizes.

#ifndef FP8_OPT_RUN_QUANTIZERSTATISTICS_H
#define FP8_OPT_RUN_QUANTIZERSTATISTICS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include <cstdint>
#include <string>

namespace fp8opt::run {

/// Sums over all executions of one quantizer.
struct QuantizerCounts {
  /// All elements, those clamped to the largest code, and those other than zero that became zero.
  int64_t elements = 0, saturated = 0, flushed = 0;
  /// Sums of squares of the values and of what quantization changed them by.
  double signal = 0, noise = 0;

  /// Whether no element changed.
  bool isExact() const { return noise == 0; }
  /// Signal to noise in decibels; infinite where nothing changed.
  double snrDecibels() const;
};

/// Where a quantizer stands in the program; what instruments a program writes these, in the order of the
/// numbers it passes to `fp8_record_quantizer(number, elements, saturated, flushed, signal, noise)`: i64 four
/// times, f64 twice.
struct QuantizerDescription {
  std::string location, shape, scheme;
  /// What is quantized and which products read it; empty where nothing says.
  std::string operand;
};

/// The description of a quantizer of this type.
QuantizerDescription describeQuantizer(qt::QTensorType type, mlir::LocationAttr place);

/// By how much a value may exceed the largest number of a format and still round to it, relative to that
/// number.
double relativeHalfStep(const numerics::Format &format);

/// How an engine's codes and scales differ from those that Numerics makes of the same source.
struct QuantizerCheck {
  /// False where the engine could not hand the numbers out.
  bool isChecked = false;
  int64_t differingCodes = 0, differingScales = 0;
};

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_QUANTIZERSTATISTICS_H
