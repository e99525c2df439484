// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the matrices of a batch lie that a product reads where they are, in integers of a launch.

#ifndef FP8_OPT_LIB_CONVERSION_STRIDEDBATCH_H
#define FP8_OPT_LIB_CONVERSION_STRIDEDBATCH_H

#include "RowMajorOperand.h"

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// Both operands of a product, which see its batch as outer times inner matrices.
class StridedBatch {
public:
  /// Where these lie; the right operand is moved where the two cut the batch in different places.
  static StridedBatch find(mlir::Value lhs, mlir::Value rhs);

  RowMajorOperand lhs, rhs;

  bool isBatched() const { return !lhs.batch.empty(); }
  /// Whether there are outer matrices.
  bool isCut() const { return !lhs.outer.empty() || !rhs.outer.empty(); }
  /// Sizes of the product, those of its batch first, and of its contraction.
  llvm::SmallVector<mlir::OpFoldResult> sizesOfResult(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::OpFoldResult contracted(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// How many matrices, how many of them are inner ones, and strides of both operands in elements: of rows,
  /// of inner and of outer matrices.
  llvm::SmallVector<mlir::OpFoldResult> integers(mlir::OpBuilder &builder, mlir::Location loc) const;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_STRIDEDBATCH_H
