// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as an attribute: what was chosen for which tensor, and what it costs in all.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PLANRECORD_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PLANRECORD_H

#include "QuantizationPlan.h"

namespace fp8opt::qt {

/// Bytes that a function keeps from the forward to the backward half of its blocks, and moves by quantizing.
struct MemoryUse {
  int64_t kept = 0;
  Traffic traffic = {};
};

/// As the function stands, every quantizer reading its source for itself.
MemoryUse useUnplanned(mlir::Operation *function, Borders &borders, const Sizes &sizes);
/// As the function stands, the quantizers of one view in one block and half reading it in one pass.
MemoryUse usePlanned(mlir::Operation *function, Borders &borders, const Sizes &sizes);

PlanAttr recordPlan(mlir::MLIRContext *context, llvm::ArrayRef<PlannedAttr> tensors, MemoryUse planned,
                    MemoryUse unplanned);

/// What tensors are, by the products that read them.
class ProductNames {
public:
  /// Products have the locations of the contractions in the report, which may be null.
  explicit ProductNames(ReportAttr report);

  /// The record of what was chosen for a tensor of `function`, before it is done.
  PlannedAttr record(const PlannedTensor &tensor, mlir::Operation *function) const;

private:
  /// Null where two entries of one location differ.
  llvm::DenseMap<mlir::Attribute, EntryAttr> entries;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PLANRECORD_H
