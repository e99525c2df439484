// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions are matrix products that must have come through import.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fp8opt::qt {

/// Whether a contraction has m, n and k and adds floats.
bool isFloatProduct(mlir::linalg::LinalgOp op);

/// An error at a matrix product of floats that import has not brought into its form.
llvm::LogicalResult verifyNormalProduct(mlir::Operation *op);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_NORMALPRODUCT_H
