// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of what a matrix product leaves behind.

#ifndef FP8_OPT_LIB_DIALECT_QTILE_IR_VERIFYRESULT_H
#define FP8_OPT_LIB_DIALECT_QTILE_IR_VERIFYRESULT_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

namespace fp8opt::qtile {

/// The result of a product, and what its elements meet on their way to it.
mlir::LogicalResult verifyResult(GemmOp gemm);

} // namespace fp8opt::qtile

#endif // FP8_OPT_LIB_DIALECT_QTILE_IR_VERIFYRESULT_H
