// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operand of a quantized product comes from, as kernels see it: a matrix, quantized along its
// columns or along its rows.

#ifndef FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H
#define FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include <string>
#include <variant>

namespace fp8opt {

/// Codes of a matrix, or of a batch of them: of the source with its dimensions in another order, of which the
/// first are the batch, the next rows and the others columns.
struct KernelOperand {
  mlir::Value value;
  /// What quantizes it: a result of qt.quantize, qt.multi_quantize or qt.requantize.
  mlir::OpResult quantized;
  /// Of at least two dimensions; quantized if it is quantized again.
  mlir::Value source;
  /// Dimension i of what is collapsed into matrices is dimension order[i] of the source.
  llvm::SmallVector<int64_t> order;
  int64_t batchDimensions, rowDimensions;
  /// As the product sees it, whose contraction is last.
  qt::SchemeAttr scheme;
  /// Whether the contraction runs along the rows of the matrix, not its columns.
  bool isAlongRows;

  mlir::Operation *getQuantizer() const { return quantized.getOwner(); }
  /// Whether it is of the same matrix, in any orientation, if it is of the same source.
  bool isOfMatrix(const KernelOperand &other) const {
    return order == other.order && batchDimensions == other.batchDimensions &&
           rowDimensions == other.rowDimensions;
  }
  bool isBatched() const { return batchDimensions > 0; }
  /// Why kernels cannot count its matrices, their rows or columns; empty if they can.
  std::string whyNotCounted() const;
};

/// The operand, or why kernels cannot have it, as the end of a sentence "it stays because ...".
std::variant<KernelOperand, std::string> findKernelOperand(mlir::Value operand);

/// The view of codes on the way from an operand to what quantizes it, and from there to what quantized it
/// before, through which kernels do not read; null where there is none.
mlir::Operation *findUnreadView(mlir::Value operand);

/// A quantized value as the product sees it that reads `operand`, which is requantized, but quantized by what
/// quantized it first: the scheme is the operand's, everything else that of the first quantizer. None where
/// the operand is not requantized, or the first quantizer is out of sight.
std::optional<KernelOperand> findRequantized(mlir::Value operand);

/// A quantized matrix or a batch of such, or its transpose, whichever has scales that a product could read,
/// as its operand. None where neither has, or the quantizer, one of numbers, is out of sight.
std::optional<KernelOperand> findStorable(mlir::Value matrix);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H
