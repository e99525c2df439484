// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program count what its quantizers do to the numbers.

#ifndef FP8_OPT_RUN_INSTRUMENTQUANTIZERS_H
#define FP8_OPT_RUN_INSTRUMENTQUANTIZERS_H

#include "fp8-opt/Run/QuantizerStatistics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace fp8opt::run {

/// Adds a call of `fp8_record_quantizer` after each `qt.quantize` of `function`; call i describes quantizer i
/// of the result. Requires a step before the reference lowering. The function's results do not change.
std::vector<QuantizerDescription> instrumentQuantizers(mlir::func::FuncOp function);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_INSTRUMENTQUANTIZERS_H
