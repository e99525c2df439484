// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which quantizers read one tensor and could be one op.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fp8opt::qt {

/// Quantizations of one tensor in one half of the step and one block of the control flow, in program order.
struct QuantizerGroup {
  /// What one op can make: the result of a quantizer or of a `qt.transpose` of one, and the permutation that
  /// the tensor went through on the way there.
  struct Orientation {
    mlir::Operation *op;
    llvm::SmallVector<int64_t> permutation;
  };
  llvm::SmallVector<QuantizeOp> quantizers;
  llvm::SmallVector<Orientation> orientations;
};

/// The groups that can be one op: of at least two quantizers, or with a transpose that the quantizer could
/// write itself; in program order. Quantizers with given scales or a given amax belong to none. Codes that
/// are transposed behind the border of the halves stay: it is the plan that keeps them. `refuse` is called
/// for each quantizer that reads the tensor of others and cannot be one op with them.
llvm::SmallVector<QuantizerGroup> findQuantizerGroups(mlir::func::FuncOp function,
                                                      llvm::function_ref<void(QuantizeOp)> refuse);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZERGROUPS_H
