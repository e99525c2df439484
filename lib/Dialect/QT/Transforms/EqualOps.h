// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes equal ops one.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_EQUALOPS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_EQUALOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fp8opt::qt {

/// Replaces each op under `root` that `isAsked` selects by an earlier one in its block with equal operands,
/// attributes and types, and returns how many were. The ops selected have no effects and no regions. Linear.
unsigned mergeEqualOps(mlir::Operation *root, llvm::function_ref<bool(mlir::Operation *)> isAsked);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_EQUALOPS_H
