// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes every quantizer of a function an op of its own.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_EXPANDQUANTIZERS_H
#define FP8_OPT_DIALECT_QT_TRANSFORMS_EXPANDQUANTIZERS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fp8opt::qt {

/// Replaces each qt.requantize by a qt.dequantize and a qt.quantize, and each qt.multi_quantize by a
/// qt.quantize for each result, so that what looks at quantizers sees all of them. Bits stay.
void expandQuantizers(mlir::func::FuncOp function);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_EXPANDQUANTIZERS_H
