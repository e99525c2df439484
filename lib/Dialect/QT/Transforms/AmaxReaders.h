// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who reads a whole tensor for its amax, and which op could have returned that amax.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_AMAXREADERS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_AMAXREADERS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fp8opt::qt {

/// Where an amax of a value comes from, through the views between.
struct AmaxOrigin {
  /// A view, and the block that shares an amax in the layout of its result.
  struct View {
    mlir::Operation *op;
    llvm::SmallVector<int64_t> block;
  };
  /// What computes the numbers, and the block in its layout; ShapedType::kDynamic is a whole dimension.
  mlir::Value value;
  llvm::SmallVector<int64_t> block;
  /// From the reader to `value`.
  llvm::SmallVector<View> views;
  /// Why the op that computes `value` cannot return the amax; empty if it can, or if it is a concatenation of
  /// which a part's op can.
  std::string refusal;
};

/// A qt.amax, or a result of a quantizer that derives the scales of its outermost level.
struct AmaxReader {
  mlir::Operation *op;
  unsigned result;
  mlir::Value read;
  AmaxAttr blocks;
  AmaxOrigin origin;
};

/// Which quantizers count as readers: those that read their input once more for its amax (per tensor, whole
/// rows), or also those whose blocks are at hand when their amax is known.
enum class AmaxBlocks { Whole, All };

/// All readers of a function, in program order.
llvm::SmallVector<AmaxReader> findAmaxReaders(mlir::func::FuncOp function, AmaxBlocks which);

/// An amax of one element as a tensor of rank 0; others as they are.
mlir::Value withoutDimensionsOfOne(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value amax);

/// The amax that a reader wants from that of its origin, which has a size for each dimension of
/// `origin.value`, or rank 0 if it has one element. Written at the builder's insertion point.
mlir::Value carryAmax(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value amax,
                      const AmaxReader &reader);

/// Makes a reader use an amax instead of computing it.
void giveAmax(const AmaxReader &reader, mlir::Value amax);

/// Makes the amax of each concatenation that `readers` read of those of its parts, where that can be: the
/// largest, or, where blocks lie within parts, one part's beside the other's. Every part is then read by a
/// qt.amax of its own. Returns whether there was any.
bool splitAmaxOfConcats(mlir::OpBuilder &builder, llvm::ArrayRef<AmaxReader> readers);

/// The attribute of a block with a size for each dimension, of which the amax has a size for each as well.
AmaxAttr amaxOfFullBlock(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> block, numerics::NanAmax nan);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_AMAXREADERS_H
