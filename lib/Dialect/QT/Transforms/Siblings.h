// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers of one tensor in several orientations, which one pass over it could make.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SIBLINGS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SIBLINGS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fp8opt::qt {

/// Of each quantizer that derives its scales, those of the same view of a tensor, transposed or not, in one
/// block of the control flow and half. Kept while quantizers move: above a transpose one stays what it is,
/// above another view it is one of another view.
class Siblings {
public:
  explicit Siblings(mlir::FunctionOpInterface function);

  /// Whether one of them cannot move above the change of shape that it reads, transposed or not.
  bool hasFixed(QuantizeOp quantizer) const;

  /// `quantizer` is about to be erased for `above`, which quantizes what `view` transposes or else moves.
  void replace(QuantizeOp quantizer, QuantizeOp above, mlir::Operation *view);

private:
  using Key = std::tuple<mlir::Block *, unsigned, mlir::Attribute>;

  llvm::DenseMap<mlir::Operation *, Key> keys;
  llvm::DenseMap<Key, llvm::SetVector<mlir::Operation *>> members;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SIBLINGS_H
