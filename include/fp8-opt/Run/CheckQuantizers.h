// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes again what an engine's quantizers did.

#ifndef FP8_OPT_RUN_CHECKQUANTIZERS_H
#define FP8_OPT_RUN_CHECKQUANTIZERS_H

#include "fp8-opt/Run/QuantizerStatistics.h"
#include "fp8-opt/Run/TensorFile.h"
#include "fp8-opt/Target/IREE/Reflection.h"

namespace fp8opt::run {

/// Takes the tensors that belong to an exposed quantizer, source, codes and the scales of each level, from
/// the front of `tensors`. Quantizes the source with Numerics and counts elements and scales that differ in a
/// bit; a NaN is equal to any NaN. Adds to `error` what the codes say of the source. An error where the
/// tensors do not fit the type.
llvm::Expected<QuantizerCheck> checkQuantizer(const iree::Quantizer &quantizer,
                                              llvm::ArrayRef<Tensor> &tensors,
                                              numerics::QuantizationError &error);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_CHECKQUANTIZERS_H
