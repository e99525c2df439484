// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from codes to a value that a graph decodes from them.

#ifndef FP8_OPT_LIB_IMPORT_DECODECHAIN_H
#define FP8_OPT_LIB_IMPORT_DECODECHAIN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace fp8opt {

/// Whether the elements are floats of at most 8 bits that have a sign: codes, and no scales of E8M0.
bool isCodes(mlir::Type type);

/// What a body does to an element: extf, truncf, or mulf and divf by a factor.
struct ScalarStep {
  mlir::Operation *op;
  mlir::Value factor;
};

/// One op on the way: a view; or an all-parallel op on tensors with one result, of which dimension i is
/// dimension permutation[i] of what it decodes further, and the steps of its body, in order.
struct DecodeStep {
  mlir::Operation *op;
  llvm::SmallVector<int64_t> permutation;
  llvm::SmallVector<ScalarStep, 4> path;
};

struct DecodeChain {
  mlir::Value codes;
  llvm::SmallVector<DecodeStep> steps;
};

/// The chains of a function: codes, then views, widening, rounding, and scales, in any order.
class DecodeChains {
public:
  /// Visits each op of the function once.
  explicit DecodeChains(mlir::func::FuncOp function);

  /// How `value` is decoded; nothing if it is not. Codes are their own chain, of no steps.
  std::optional<DecodeChain> find(mlir::Value value) const;

private:
  void visit(mlir::Operation *op);
  bool isDecoded(mlir::Value value) const { return isCodes(value.getType()) || links.contains(value); }

  /// The operand that the op of a value decodes further.
  struct Link {
    unsigned operand;
    unsigned length;
    /// A broadcast stands in the chain: it may be a scale with narrow elements.
    bool repeats;
  };
  llvm::DenseMap<mlir::Value, Link> links;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_IMPORT_DECODECHAIN_H
