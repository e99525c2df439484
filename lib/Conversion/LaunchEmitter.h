// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes launches of kernels on the matrices of a graph.

#ifndef FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H
#define FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// A quantized matrix as kernels leave it: codes, of i8 or i4, in panels, scales, of f32 or codes of i8, in
/// the layout of their scaling; and the amax where a level is for all of the tensor.
struct StoredOperand {
  mlir::Value codes, scales, amax;
};

/// Sizes of a matrix: static ones as attributes.
struct MatrixSizes {
  mlir::OpFoldResult rows, columns;

  MatrixSizes exchanged() const { return {columns, rows}; }
};

class LaunchEmitter {
public:
  LaunchEmitter(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// Dimension i is dimension order[i] of the tensor.
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> order);
  /// The tensor with its dimensions in this order, the first `rowDimensions` collapsed into rows, the others
  /// into columns.
  mlir::Value asMatrix(mlir::Value tensor, llvm::ArrayRef<int64_t> order, int64_t rowDimensions);
  /// From such a matrix back to the tensor, of this shape.
  mlir::Value asTensor(mlir::Value matrix, llvm::ArrayRef<int64_t> order, int64_t rowDimensions,
                       llvm::ArrayRef<int64_t> shape);
  MatrixSizes sizesOf(mlir::Value matrix);

  /// The amax of a matrix: an f32 without dimensions.
  mlir::Value amax(qtile::KernelOp kernel, mlir::Value matrix);

  /// Along columns, then along rows, as far as they are wanted. `amax` is null but where a level is for all
  /// of the tensor.
  llvm::SmallVector<StoredOperand> quantize(qtile::KernelOp kernel, mlir::Value matrix, mlir::Value amax,
                                            qt::SchemeAttr scheme, bool isAlongColumns, bool isAlongRows);

  /// The same of a matrix of these sizes that is stored along its columns.
  llvm::SmallVector<StoredOperand> requantize(qtile::KernelOp kernel, const StoredOperand &stored,
                                              const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                              bool isAlongColumns, bool isAlongRows);

  /// The numbers, of this type, of a stored matrix of these sizes.
  mlir::Value dequantize(qtile::KernelOp kernel, const StoredOperand &stored, const MatrixSizes &sizes,
                         mlir::Type element);

  /// What a product is multiplied by for the levels that are for all of its operands, an f32 without
  /// dimensions; null where no level is, or no other.
  mlir::Value alpha(qt::SchemeAttr lhs, mlir::Value lhsAmax, qt::SchemeAttr rhs, mlir::Value rhsAmax);

  /// The product, of type `type`; `contracted` is k, `alpha` may be null.
  mlir::Value multiply(qtile::KernelOp kernel, const StoredOperand &lhs, const StoredOperand &rhs,
                       mlir::Value alpha, mlir::RankedTensorType type, mlir::OpFoldResult rows,
                       mlir::OpFoldResult columns, mlir::OpFoldResult contracted);

private:
  /// A launch that reads `inputs` and leaves codes and scales of a matrix of these sizes.
  llvm::SmallVector<StoredOperand> launchQuantizer(qtile::KernelOp kernel, mlir::ValueRange inputs,
                                                   const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                                   bool isAlongColumns, bool isAlongRows);
  mlir::Value asI32(mlir::OpFoldResult size);
  /// What a kernel writes: of an array of these sizes, in this layout, and the sizes of it that are dynamic.
  mlir::RankedTensorType describe(qtile::StoredKind layout, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                  mlir::Type element, llvm::SmallVectorImpl<mlir::Value> &shapes);
  mlir::RankedTensorType describeScales(qtile::Scaling scaling, mlir::OpFoldResult rows,
                                        mlir::OpFoldResult contracted,
                                        llvm::SmallVectorImpl<mlir::Value> &shapes);
  mlir::OpFoldResult ceilDiv(mlir::OpFoldResult size, int64_t by);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_LAUNCHEMITTER_H
