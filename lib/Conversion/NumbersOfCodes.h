// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From codes that views have moved to the numbers that they are of, moved alike.

#ifndef FP8_OPT_LIB_CONVERSION_NUMBERSOFCODES_H
#define FP8_OPT_LIB_CONVERSION_NUMBERSOFCODES_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include <optional>

namespace fp8opt {

/// The numbers of a quantized tensor: dimension i is dimension permutation[i] of a tensor. Transposes are put
/// off to the end, so that two orientations of one matrix are of one tensor.
struct Numbers {
  mlir::Value tensor;
  llvm::SmallVector<int64_t> permutation;
};

/// The half of what quantizes a quantized tensor, or of the first of several; none where the numbers are out
/// of sight: behind scales that are given, other ops than views, or the beginning of a block.
std::optional<qt::HalfAttr> halfOfCodes(mlir::Value codes);

/// Writes views of numbers in place of those of codes. What is written twice in a block is written once.
class NumbersWriter {
public:
  explicit NumbersWriter(mlir::OpBuilder &builder) : builder(builder) {}

  /// At the builder's position, of codes with numbers in sight.
  Numbers write(mlir::Value codes);
  mlir::Value transposed(const Numbers &numbers);

private:
  Numbers of(qt::ReshapeOp reshape);
  Numbers of(qt::SliceOp slice);
  Numbers of(qt::ConcatOp concat);
  Numbers of(qt::BroadcastOp broadcast);
  Numbers of(qt::PadOp pad);
  llvm::SmallVector<mlir::OpFoldResult> inTensor(const Numbers &numbers, llvm::ArrayRef<int64_t> known,
                                                 mlir::ValueRange values);
  /// The op, or an equal one of the block that has been written before, which it is then erased for.
  mlir::Value once(mlir::Operation *op);

  mlir::OpBuilder &builder;
  llvm::SmallVector<mlir::Operation *> written;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_NUMBERSOFCODES_H
