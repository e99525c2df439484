// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizations of views, compared with one another, and what they move together.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATION_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATION_H

#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"

#include "llvm/ADT/MapVector.h"

namespace fp8opt::qt {

/// A quantization of a (view of a) tensor.
struct Quantization {
  QuantizeOp op;
  Views::Oriented view;
  int64_t bytes;       // of codes and scales
  int64_t sourceBytes; // of what is read

  static Quantization of(QuantizeOp op, Views &views, const Sizes &sizes);

  QTensorType type() const { return llvm::cast<QTensorType>(op->getResult(0).getType()); }
  mlir::Value source() const { return op->getOperand(0); }
  HalfAttr half() const { return QuantizeOp(op).getHalfAttr(); }
};

/// The permutation that takes the layout of `from` to the layout of `to`, of one view.
llvm::SmallVector<int64_t> permutationBetween(const Views::Oriented &from, const Views::Oriented &to);
/// Whether the codes of `from`, transposed where the layouts differ, are those of `to`.
bool givesCodesOf(const Quantization &from, const Quantization &to);

/// What quantizations of one block move: those of one view in one half read it in one pass.
class Passes {
public:
  void add(const Quantization &quantization);
  Traffic traffic() const;
  /// Whether a pass serves several quantizations.
  bool isShared() const;

private:
  struct Pass {
    int64_t bytes = 0, written = 0;
    unsigned times = 0;
    bool isShared = false;
  };
  llvm::MapVector<std::pair<unsigned, mlir::Attribute>, Pass> passes;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATION_H
