// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a value a second time, elsewhere in its block.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_REMAKING_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_REMAKING_H

#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace fp8opt::qt {

/// The ops that make a value of others, each behind those that it reads.
struct Remaking {
  std::vector<mlir::Operation *> ops;
  /// What those of them that compute read and write. What moves elements is done on codes, or by its reader.
  Traffic traffic(const Sizes &sizes) const;

  /// Makes the value again at the insertion point. What is computed or copied is marked as of the backward
  /// half, which keeps common subexpression elimination from taking the first one instead.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value value) const;
};

/// What a linalg.generic that computes reads and writes.
Traffic computingTraffic(mlir::Operation *op, const Sizes &sizes);

/// Whether an op only moves elements into memory of its own: a concatenation, a repetition, a padding.
bool copiesElements(mlir::Operation *op);
/// An all-parallel linalg.generic that computes, and reads neither its outputs nor tensors from inside its
/// body.
bool isElementwise(mlir::Operation *op);

/// How to make `value` of values that are available, with at most `computing` elementwise ops besides what
/// moves elements, tensor.empty, tensor.dim and constants; none if there is no short way. `computing` may
/// be 0. Looks at a bounded number of ops, and as many more for each part of a concatenation.
std::optional<Remaking> remake(mlir::Value value, llvm::function_ref<bool(mlir::Value)> isAvailable,
                               unsigned computing);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_REMAKING_H
