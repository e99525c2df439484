// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check that a matrix product has come through import.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H

#include "mlir/IR/Operation.h"

namespace fp8opt::qt {

/// An error at a matrix product of floats that import has not brought into its form.
llvm::LogicalResult verifyNormalProduct(mlir::Operation *op);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H
