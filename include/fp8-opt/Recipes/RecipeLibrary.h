// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes that ship, and how a recipe gets into a module.

#ifndef FP8_OPT_RECIPES_RECIPELIBRARY_H
#define FP8_OPT_RECIPES_RECIPELIBRARY_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Process/NameOrFile.h"
#include "mlir/IR/BuiltinOps.h"

namespace fp8opt {

/// All recipes that ship, in the order of the documentation: each text is one `qt.recipe` with its aliases.
llvm::ArrayRef<NamedText> shippedRecipes();

/// The recipe called `nameOrPath`, or that of the file at this path (NameOrFile.h). Errors are
/// emitted with a location in the recipe's text, or, for an unknown name or unreadable file, at `user`.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> loadRecipe(mlir::Location user,
                                                              llvm::StringRef nameOrPath);

/// The one recipe of a module; several or none are an error at the module.
mlir::FailureOr<qt::RecipeOp> getRecipe(mlir::ModuleOp module);

/// Puts the recipe called `nameOrPath` into `module` in place of those it has.
mlir::FailureOr<qt::RecipeOp> setRecipe(mlir::ModuleOp module, llvm::StringRef nameOrPath);

} // namespace fp8opt

#endif // FP8_OPT_RECIPES_RECIPELIBRARY_H
