// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes and scales computed at compile time.

#ifndef FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H
#define FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt {

/// What qt.quantize computes of a constant, by Numerics, or null where `input` cannot be read: another shape
/// than `type`, a resource that is not there. `scales` holds the given scales of each level, or nothing if
/// they are derived.
DenseAttr quantizeConstant(mlir::ElementsAttr input, llvm::ArrayRef<mlir::ElementsAttr> scales,
                           QTensorType type);

/// A constant of `type` with its dimensions permuted, or null where it cannot be read. With `mayCopy` false
/// only if this needs no second copy of something large.
DenseAttr transposeConstant(DenseAttr constant, llvm::ArrayRef<int64_t> permutation, QTensorType type,
                            bool mayCopy);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H
