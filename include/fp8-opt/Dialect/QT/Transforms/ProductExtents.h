// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a product is.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_PRODUCTEXTENTS_H
#define FP8_OPT_DIALECT_QT_TRANSFORMS_PRODUCTEXTENTS_H

#include "mlir/IR/Value.h"

namespace fp8opt::qt {

/// The product of sizes; -1 if one of them is dynamic.
int64_t extentOf(mlir::ArrayRef<int64_t> sizes);

/// The batch, m, n and k extents of [batch..., M, K] times [batch..., N, K]; -1 is dynamic.
mlir::SmallVector<int64_t> extentsOfProduct(mlir::Value lhs, mlir::Value rhs);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_PRODUCTEXTENTS_H
