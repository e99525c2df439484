// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each line of a recipe has decided in a program.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fp8opt::qt {

/// The lines of a recipe that are for a contraction, in order: the last rule for an operand counts.
struct RecipeLines {
  llvm::SmallVector<RuleOp, 4> lhs, rhs;
  llvm::SmallVector<KeepOp, 2> keeps;
  llvm::SmallVector<PromoteOp, 2> promotes;
};

/// Is told of every contraction, and of those that are quantized; remarks on lines that decide nothing, which
/// may be an oversight.
class RecipeUse {
public:
  /// `hasNames`: whether the program's arguments have names, which labels are matched with.
  RecipeUse(RecipeOp recipe, bool hasNames) : recipe(recipe), hasNames(hasNames) {}

  /// What the recipe says of a contraction.
  RecipeLines addContraction(mlir::Operation *contraction, const ContractionFacts &facts, RolesAttr roles);
  /// These lines have given a contraction its schemes.
  void addQuantized(const RecipeLines &lines);
  /// Remarks, and a warning of each line that selects by position where there is one: in a loop, or in a
  /// program without blocks that repeat.
  void remark();

private:
  /// Of rules for one operand, the last of which gives it its scheme.
  void addRules(llvm::ArrayRef<RuleOp> rules);
  /// Of a line that decides something: texts that match nothing.
  void remarkTexts(mlir::Operation *line, const Conditions &conditions, llvm::StringRef verb);
  /// Of a line that decides nothing: `why`, or that its labels have no name to match.
  void remarkNothing(mlir::Operation *line, const Conditions &conditions, llvm::StringRef verb,
                     llvm::StringRef why);
  /// Of a line whose conditions hold for a contraction of a program that has so many layers.
  void findPosition(mlir::Operation *line, const Conditions &conditions, mlir::Operation *contraction,
                    int64_t numLayers);

  RecipeOp recipe;
  bool hasNames;
  llvm::SmallPtrSet<mlir::Operation *, 8> deciding;  // rules and promotes, of something quantized
  llvm::SmallPtrSet<mlir::Operation *, 8> overruled; // rules of which a later one took an operand
  llvm::SmallPtrSet<mlir::Operation *, 8> holding;   // rules and keeps whose conditions hold somewhere
  /// A rule that takes operands of an earlier one and is no part of it, and that one.
  llvm::SetVector<std::pair<mlir::Operation *, mlir::Operation *>> crossing;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::StringAttr>> texts; // that match something
  /// The first loop in which a line selects by position.
  llvm::MapVector<mlir::Operation *, mlir::Operation *> loops;
  /// Lines that select by position, outside loops, in a program of one block.
  llvm::SetVector<mlir::Operation *> inOnlyBlock;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_RECIPEUSE_H
