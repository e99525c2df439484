// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operand of a product without codes comes from, as kernels see it: a row-major matrix.

#ifndef FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H
#define FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <string>

namespace fp8opt {

/// The source with its first dimensions collapsed into rows, the others into columns: nothing is moved.
struct RowMajorOperand {
  mlir::TypedValue<mlir::RankedTensorType> source;
  int64_t rowDimensions;
  /// Whether the contraction runs along the rows of the matrix, not its columns.
  bool isTransposed;

  /// Why kernels cannot read it, as the end of a sentence "it stays because ..."; empty if they can.
  std::string whyNot() const;
};

/// The one farthest from the product that kernels can read, through transposes and collapsed dimensions; else
/// the operand itself. The operand has two dimensions, its contraction last.
RowMajorOperand findRowMajorOperand(mlir::Value operand);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_ROWMAJOROPERAND_H
