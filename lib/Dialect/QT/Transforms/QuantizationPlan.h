// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each tensor is quantized, and what is kept of it: all uses seen at once.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATIONPLAN_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATIONPLAN_H

#include "HalfBorder.h"
#include "Quantization.h"
#include "Remaking.h"

namespace fp8opt::qt {

/// What becomes of a planned quantization.
struct Placement {
  enum Kind {
    Stays,   // where it is
    Moves,   // to the forward half, behind the `anchor` of the tensor
    Derives, // from the codes of `from`, which stays or moves
  };
  Kind kind = Stays;
  Quantization from = {};
  Remaking views = {}; // of what it quantizes, where it moves to
};

/// One way to bring about all planned quantizations of a tensor, and what it costs.
struct Form {
  PlanForm form;
  int64_t kept = 0;
  Traffic traffic = {};
  llvm::SmallVector<Placement> placements = {}; // one for each planned quantization
  Remaking remaking = {};                       // of the tensor, for those that stay; empty: they read it
};

/// A tensor in memory, and its quantizations in one block.
struct PlannedTensor {
  mlir::Value value;
  mlir::Block *block;
  llvm::SmallVector<Quantization> forward; // before the border, which stay
  llvm::SmallVector<Quantization>
      planned;                   // behind it; all of them where they are on one side, or there is none
  llvm::SmallVector<Form> forms; // at least one
  unsigned chosen = 0;

  const Quantization &first() const { return forward.empty() ? planned.front() : forward.front(); }
  const Form &choice() const { return forms[chosen]; }
  /// The op of the block behind which a quantization that moves is put.
  mlir::Operation *anchor() const {
    return forward.empty() ? value.getDefiningOp() : QuantizeOp(forward.front().op).getOperation();
  }
};

/// The borders of a function with their blocks.
using Borders = llvm::MapVector<mlir::Block *, HalfBorder>;

/// Finds the tensors that the function quantizes, lists the forms and chooses: fewest bytes kept, then fewest
/// bytes moved, then the order of the list. Changes nothing. Equal quantizations have been shared before.
/// Quantizers with given scales, and those of the forward half behind the border, are readers as any other.
std::vector<PlannedTensor> planQuantizations(mlir::Operation *function, Borders &borders, Views &views,
                                             const Sizes &sizes);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_QUANTIZATIONPLAN_H
