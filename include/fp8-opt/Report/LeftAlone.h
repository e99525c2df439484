// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a program whose numbers nothing here knows: for people, and as JSON.

#ifndef FP8_OPT_REPORT_LEFTALONE_H
#define FP8_OPT_REPORT_LEFTALONE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace fp8opt {

/// One kind of op that reads or makes tensors of floats and is known to no step: unregistered, on vectors, or
/// the call of a function without a body.
struct LeftAlone {
  std::string name; ///< of the op; of a call with what it calls
  unsigned count = 0;
  mlir::LocationAttr first;
  /// The first that reads two tensors of floats of at least two dimensions: it may be a product.
  std::optional<mlir::Location> firstOfMatrices;
};

/// All kinds in an entry, in the order of their first op.
llvm::SmallVector<LeftAlone> findLeftAlone(mlir::func::FuncOp entry);

/// One line for each kind.
void printLeftAlone(llvm::raw_ostream &os, llvm::ArrayRef<LeftAlone> kinds);

/// An object for each kind; docs/HowTo/read-the-report.md describes each field.
llvm::json::Array leftAloneToJson(llvm::ArrayRef<LeftAlone> kinds);

/// The first op of each kind that may be a product, as an error at its location. Succeeds if there are none.
mlir::LogicalResult checkStrict(llvm::ArrayRef<LeftAlone> kinds);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_LEFTALONE_H
