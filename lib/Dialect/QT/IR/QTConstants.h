// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes and scales computed at compile time.

#ifndef FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H
#define FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt {

/// What qt.quantize computes of a constant, by Numerics, or null where `input` cannot be read: another shape
/// than `type`, a resource that is not there. `scales` holds the given scales of each level, or nothing if
/// they are derived.
DenseAttr quantizeConstant(mlir::ElementsAttr input, llvm::ArrayRef<mlir::ElementsAttr> scales,
                           QTensorType type);

/// Where the elements of a moved tensor lie in the tensor that is moved: element [i, j, ...] at
/// start + i * strides[0] + j * strides[1] + ...
struct Placement {
  int64_t start = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The placement under a view: of a tensor with these strides, an element of which stands for a block of this
/// size in each dimension. It is called for the codes (blocks of 1) and for the scales of each level.
using PlaceFn = llvm::function_ref<Placement(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> block)>;

/// A constant of type `to` whose codes and scales are those of a constant of type `from` at other places, or
/// null where they cannot be read. With `mayCopy` false only if this makes nothing large.
DenseAttr moveConstant(DenseAttr constant, QTensorType from, QTensorType to, bool mayCopy, PlaceFn place);

/// The same codes and scales under the shapes of `to`, without a copy; null where they cannot be read.
DenseAttr reshapeConstant(DenseAttr constant, QTensorType to);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_IR_QTCONSTANTS_H
