// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is counted while a program quantizes.

#ifndef FP8_OPT_RUN_QUANTIZERSTATISTICS_H
#define FP8_OPT_RUN_QUANTIZERSTATISTICS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Numerics/Error.h"

#include <cstdint>
#include <string>

namespace fp8opt::run {

/// Where a quantizer stands in the program; what instruments a program writes these, in the order of the
/// numbers it passes to `fp8_record_quantizer(number, count, nonfinite, saturated, flushed, signal, noise)`:
/// i64 five times, f64 twice; see numerics::QuantizationError.
struct QuantizerDescription {
  std::string location, shape, scheme;
  /// What is quantized and which products read it; empty where nothing says.
  std::string operand;
};

/// The description of a quantizer of this type.
QuantizerDescription describeQuantizer(qt::QTensorType type, mlir::LocationAttr place);

/// How an engine's codes and scales differ from those that Numerics makes of the same source.
struct QuantizerCheck {
  /// False where the engine could not hand the numbers out.
  bool isChecked = false;
  int64_t differingCodes = 0, differingScales = 0;
};

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_QUANTIZERSTATISTICS_H
