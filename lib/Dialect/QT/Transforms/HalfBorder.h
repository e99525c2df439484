// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the forward half of a block ends, and what is kept beyond it.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_HALFBORDER_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_HALFBORDER_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fp8opt::qt {

/// The border of a block: behind `last`, the last op that is a product of quantizers `in <forward>`, or holds
/// one, and stands before the first quantizer `in <backward>`. A value is *kept* if it is made before the
/// border and read behind it, and would not be there anyway: arguments, constants, what another block makes
/// and what the block returns are. Views are ways to read a value, so that the value under them is what is
/// kept; a slice is kept by itself where what it is cut from is not.
///
/// Asking is linear in the ops of the block; the block may not change between the questions.
class HalfBorder {
public:
  explicit HalfBorder(mlir::Operation *last);

  /// Whether an op of the block stands before the border.
  bool isBefore(mlir::Operation *op) const { return op == last || op->isBeforeInBlock(last); }
  /// Whether a value is made in the block and before the border.
  bool isBefore(mlir::Value value) const;

  /// The value that is in memory where `value` is: what its views lead to, down to a slice cut before the
  /// border.
  mlir::Value stored(mlir::Value value);

  using Values = llvm::SetVector<mlir::Value>;
  /// The stored values from before the border that ops behind it read, of which `ignored` are left out.
  Values readBehind(llvm::function_ref<bool(mlir::Operation *)> ignored);
  /// Whether a stored value from before the border is there behind it, for readers that are in `read`, or
  /// anyway.
  bool isThere(mlir::Value value, const Values &read);
  /// Bytes of the kept ones of `read`.
  int64_t keptBytes(const Values &read, const Sizes &sizes);

private:
  bool isThereAnyway(mlir::Value value) const;

  mlir::Operation *last;
  llvm::DenseMap<mlir::Value, mlir::Value> underViews;
  llvm::DenseSet<mlir::Value> returned;
};

/// The op before the border of each block that has one, in program order: a block that quantizes, itself or
/// in ops that it holds, in the forward half and later in the backward half.
llvm::MapVector<mlir::Block *, mlir::Operation *> findBorders(mlir::Operation *function);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_HALFBORDER_H
