// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes launches of kernels on the matrices of a graph.

#ifndef FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H
#define FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// A quantized matrix, or a batch of them, as kernels leave it: codes, of i8 or i4, in panels, scales, of f32
/// or codes of i8, in the layout of their scaling; and the amaxes of each that its quantizer read, if it did.
struct StoredOperand {
  mlir::Value codes, scales, amax;
};

/// Sizes of a matrix: static ones as attributes. `batch` is how many such there are, null where it is one
/// without a dimension for that.
struct MatrixSizes {
  mlir::OpFoldResult batch, rows, columns;

  MatrixSizes transposed() const { return {batch, columns, rows}; }
  /// The batch, if there is one, rows and columns.
  llvm::SmallVector<mlir::OpFoldResult> shape() const;
};

class LaunchEmitter {
public:
  LaunchEmitter(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// Dimension i is dimension order[i] of the tensor.
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> order);
  /// The tensor with its dimensions in this order, the first `batchDimensions` collapsed into a batch if
  /// there are some, the next `rowDimensions` into rows, the others into columns. Without dimensions for
  /// them, there is one row or one column.
  mlir::Value asMatrix(mlir::Value tensor, llvm::ArrayRef<int64_t> order, int64_t batchDimensions,
                       int64_t rowDimensions);
  /// From such a matrix back to the tensor, of this shape, which is static where dimensions are collapsed.
  mlir::Value asTensor(mlir::Value matrix, llvm::ArrayRef<int64_t> order, int64_t batchDimensions,
                       int64_t rowDimensions, llvm::ArrayRef<int64_t> shape);
  MatrixSizes sizesOf(mlir::Value matrix);

  /// What a quantizer by this scheme reads: the amax of a matrix, an f32 without dimensions, or those of its
  /// rows and columns, in one dimension; for each of a batch.
  mlir::Value amax(qtile::KernelOp kernel, mlir::Value matrix, qt::SchemeAttr scheme);

  /// Along columns, then along rows, as far as they are wanted. `amax` is null where it is not read.
  llvm::SmallVector<StoredOperand> quantize(qtile::KernelOp kernel, mlir::Value matrix, mlir::Value amax,
                                            qt::SchemeAttr scheme, bool isAlongColumns, bool isAlongRows);

  /// The same of a matrix of these sizes that is stored along its columns.
  llvm::SmallVector<StoredOperand> requantize(qtile::KernelOp kernel, const StoredOperand &stored,
                                              const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                              bool isAlongColumns, bool isAlongRows);

  /// The numbers, of this type, of a stored matrix of these sizes.
  mlir::Value dequantize(qtile::KernelOp kernel, const StoredOperand &stored, const MatrixSizes &sizes,
                         mlir::Type element);

  /// The scale of all of an operand, or of each of a batch, as that of each of its rows.
  mlir::Value repeatForRows(mlir::Value scale, const MatrixSizes &operand);

  /// What a product is multiplied by for the levels that are for all of its operands, an f32 without
  /// dimensions, or one for each of a batch; null where no level is, or no other.
  mlir::Value alpha(qt::SchemeAttr lhs, mlir::Value lhsAmax, qt::SchemeAttr rhs, mlir::Value rhsAmax);

  /// What the elements of a product meet: a factor, a number for each column, what they are added to; null
  /// where there is none.
  struct Met {
    mlir::Value alpha, bias, addend;
  };
  /// What `launch` makes, of type `type` with the dynamic sizes `shapes`; where the contraction has no
  /// elements when the program runs, what is met, or zeros: kernels wait for a first stage.
  mlir::Value unlessEmpty(mlir::OpFoldResult contracted, const Met &met, mlir::RankedTensorType type,
                          mlir::ValueRange shapes, llvm::function_ref<mlir::Value()> launch);
  /// The product, of `element`; its sizes and k.
  mlir::Value multiply(qtile::KernelOp kernel, const StoredOperand &lhs, const StoredOperand &rhs, Met met,
                       mlir::Type element, const MatrixSizes &sizes, mlir::OpFoldResult contracted);
  /// A tensor whose dimensions but the last two are one in front, or, of no batch, begin its rows.
  mlir::Value collapseBatch(mlir::Value tensor, bool isBatched);
  /// The same numbers with the dimensions of `type`; the sizes of its batch that are not known are `batch`'s.
  mlir::Value expandBatch(mlir::Value result, llvm::ArrayRef<mlir::OpFoldResult> batch,
                          mlir::RankedTensorType type);

  /// The product of row-major matrices, of type `type`; `result` are its sizes, `batch` the integers that a
  /// kernel has for one. The launch has `mapsBytes` more of memory for itself.
  mlir::Value multiply(qtile::KernelOp kernel, mlir::Value lhs, mlir::Value rhs, int64_t mapsBytes,
                       mlir::RankedTensorType type, llvm::ArrayRef<mlir::OpFoldResult> result,
                       mlir::OpFoldResult contracted, llvm::ArrayRef<mlir::OpFoldResult> batch);

private:
  /// A launch that reads `inputs` and leaves codes and scales of a matrix of these sizes.
  llvm::SmallVector<StoredOperand> launchQuantizer(qtile::KernelOp kernel, mlir::ValueRange inputs,
                                                   const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                                   bool isAlongColumns, bool isAlongRows);
  mlir::Value asI32(mlir::OpFoldResult size);
  /// Of a batch, rows and columns.
  llvm::SmallVector<mlir::Value> asI32(const MatrixSizes &sizes);
  /// What a kernel writes: of an array of these sizes, in this layout, and the sizes of it that are dynamic.
  mlir::RankedTensorType describe(qtile::StoredKind layout, const MatrixSizes &sizes, mlir::Type element,
                                  llvm::SmallVectorImpl<mlir::Value> &shapes);
  /// Row major.
  mlir::RankedTensorType describe(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element,
                                  llvm::SmallVectorImpl<mlir::Value> &shapes);
  /// An f32 for each matrix.
  mlir::RankedTensorType describeCells(mlir::OpFoldResult batch, llvm::SmallVectorImpl<mlir::Value> &shapes);
  /// Of an operand whose contraction is along its columns.
  mlir::RankedTensorType describeScales(qtile::Scaling scaling, const MatrixSizes &operand,
                                        llvm::SmallVectorImpl<mlir::Value> &shapes);
  mlir::OpFoldResult ceilDiv(mlir::OpFoldResult size, int64_t by);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H
