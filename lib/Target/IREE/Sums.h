// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sums add.

#ifndef FP8_OPT_LIB_TARGET_IREE_SUMS_H
#define FP8_OPT_LIB_TARGET_IREE_SUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fp8opt::iree {

/// The term that the body of an op on tensors adds to its only output over a reduction, as an operand of the
/// addition; null for any other op.
mlir::OpOperand *addedTerm(mlir::linalg::LinalgOp op);

} // namespace fp8opt::iree

#endif // FP8_OPT_LIB_TARGET_IREE_SUMS_H
