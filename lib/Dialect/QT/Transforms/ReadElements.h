// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operands an op reads the elements of.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_READELEMENTS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_READELEMENTS_H

#include "mlir/IR/Operation.h"

namespace fp8opt::qt {

/// Whether an op reads an operand: not if it only writes over it, as over most `outs`.
bool isRead(mlir::OpOperand &operand);

/// Whether an op reads the elements of an operand: not if it asks for sizes either.
bool readsElements(mlir::OpOperand &operand);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_READELEMENTS_H
