// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each line of a recipe has decided in a program.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "llvm/ADT/SetVector.h"

namespace fp8opt::qt {

/// Is told of every contraction and of every decision; remarks on what decides nothing, which may be an
/// oversight.
class RecipeUse {
public:
  explicit RecipeUse(RecipeOp recipe) : recipe(recipe) {}

  void addContraction(const ContractionFacts &facts);
  /// The keep holds a contraction back.
  void addKeep(KeepOp keep) { deciding.insert(keep); }
  /// The line promotes a quantized contraction.
  void addPromote(PromoteOp promote) { deciding.insert(promote); }
  /// The rule gives a quantized operand its scheme.
  void addRule(RuleOp rule, const ContractionFacts &facts, Role role, bool isRhs);
  void remark();

private:
  /// Of a line that decides something: texts that match nothing.
  void remarkTexts(mlir::Operation *line, const Conditions &conditions, llvm::StringRef verb);

  RecipeOp recipe;
  llvm::SmallPtrSet<mlir::Operation *, 8> deciding;
  llvm::SmallPtrSet<mlir::Operation *, 8> overruled; // rules of which a later one took an operand
  llvm::SmallPtrSet<mlir::Operation *, 8> holding;   // rules whose conditions hold somewhere
  /// A rule that takes operands of an earlier one and is no part of it, and that one.
  llvm::SetVector<std::pair<mlir::Operation *, mlir::Operation *>> crossing;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::StringAttr>> texts; // that match something
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H
