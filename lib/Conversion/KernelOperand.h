// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operand of a quantized product comes from, as kernels see it: a matrix, quantized along its
// columns or along its rows.

#ifndef FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H
#define FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include <variant>

namespace fp8opt {

/// Codes of a matrix, or of a batch of them: of the source with its dimensions in another order, of which the
/// first are the batch, the next rows and the others columns.
struct KernelOperand {
  /// qt.quantize, qt.multi_quantize or qt.requantize.
  mlir::Operation *quantizer;
  /// Of at least two dimensions; quantized if it is quantized again.
  mlir::Value source;
  /// Dimension i of what is collapsed into matrices is dimension order[i] of the source.
  llvm::SmallVector<int64_t> order;
  int64_t batchDimensions, rowDimensions;
  /// As the product sees it, whose contraction is last.
  qt::SchemeAttr scheme;
  /// Whether the contraction runs along the rows of the matrix, not its columns.
  bool isAlongRows;
};

/// The operand, or why kernels cannot have it, as the end of a sentence "it stays because ...".
std::variant<KernelOperand, std::string> findKernelOperand(mlir::Value operand);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_KERNELOPERAND_H
