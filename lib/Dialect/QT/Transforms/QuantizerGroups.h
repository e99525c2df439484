// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which quantizers read one tensor and could be one op.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fp8opt::qt {

/// Quantizers of one tensor, each of which sees it transposed by its permutation, in one half of the step and
/// one block of the control flow, in program order.
struct QuantizerGroup {
  llvm::SmallVector<QuantizeOp> quantizers;
  llvm::SmallVector<llvm::SmallVector<int64_t>> permutations;
};

/// The groups of at least two that can be one op, in program order. Quantizers with given scales or a given
/// amax belong to none. `refuse` is called for each that reads the tensor of others and cannot be one op with
/// them.
llvm::SmallVector<QuantizerGroup> findQuantizerGroups(mlir::func::FuncOp function,
                                                      llvm::function_ref<void(QuantizeOp)> refuse);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H
