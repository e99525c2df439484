// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers that kernels can be, in place of concatenations of what other quantizers leave.

#ifndef FP8_OPT_LIB_CONVERSION_QUANTIZEDCONCATS_H
#define FP8_OPT_LIB_CONVERSION_QUANTIZEDCONCATS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fp8opt {

/// Quantizes concatenations of numbers in place of concatenating quantized ones: a concatenation is of whole
/// blocks, so that codes and scales are the same, and a product reads what one launch leaves. Concatenations
/// of the same numbers, in whatever orientations, have one quantizer. Those of what is not quantized in sight
/// stay.
void quantizeConcats(mlir::FunctionOpInterface function);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_QUANTIZEDCONCATS_H
