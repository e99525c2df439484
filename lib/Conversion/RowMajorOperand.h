// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operand of a product without codes comes from, as kernels see it: a row-major matrix, or a batch
// of them.

#ifndef FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H
#define FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H

#include "OperandDimensions.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <string>

namespace fp8opt {

/// The source, of which nothing is moved. Of its dimensions, runs follow each other in memory with nothing in
/// between, and only those of more than one element are listed.
struct RowMajorOperand {
  mlir::TypedValue<mlir::RankedTensorType> source;
  /// Of each dimension of the product's batch.
  Dimensions batch;
  /// The batch in two runs; the outer one is empty where one will do, or there is no batch.
  llvm::SmallVector<int64_t> outer, inner;
  /// As the matrix lies: columns come last.
  llvm::SmallVector<int64_t> rows, columns;
  /// Whether the contraction runs along the rows of the matrix, not its columns.
  bool isTransposed;

  /// How many dimensions of the source are rows, where there is no batch; the others are columns. None is
  /// where one row has all of it.
  int64_t rowDimensions() const {
    if (!rows.empty())
      return rows.back() + 1;
    return columns.empty() ? 1 : columns.front();
  }
  /// The dimensions whose elements lie between the beginnings of two rows.
  llvm::SmallVector<int64_t> sizesOfRow() const;
  /// Why kernels cannot read it, as the end of a sentence "it stays because ..."; empty if they can.
  std::string whyNot() const;
  /// The same of the sizes of its matrices, which no other source changes, and of the strides of a batch.
  std::string whyNotCounted() const;
};

/// The one farthest from the product that kernels can read, through transposes and dimensions that were
/// collapsed or expanded; else the operand itself. Its last dimension is the contraction's. The batch is one
/// run, but where `mayCut` lets it be two.
RowMajorOperand findRowMajorOperand(mlir::Value operand, bool mayCut);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H
