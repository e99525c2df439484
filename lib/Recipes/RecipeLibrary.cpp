// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes that ship, and how a recipe gets into a module.

#include "fp8-opt/Recipes/RecipeLibrary.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fp8opt;

static constexpr NamedText kShipped[] = {
#include "Recipes.inc"
};

ArrayRef<NamedText> fp8opt::shippedRecipes() { return kShipped; }

FailureOr<qt::RecipeOp> fp8opt::getRecipe(ModuleOp module) {
  auto recipes = llvm::to_vector(module.getOps<qt::RecipeOp>());
  if (recipes.size() == 1)
    return recipes.front();
  return module.emitError() << "expected exactly one qt.recipe in the module, got " << recipes.size();
}

FailureOr<OwningOpRef<ModuleOp>> fp8opt::loadRecipe(Location user, StringRef nameOrPath) {
  auto text = openNameOrFile("recipe", nameOrPath, kShipped);
  if (!text)
    return emitError(user) << llvm::toString(text.takeError());
  MLIRContext *context = user.getContext();
  context->loadDialect<qt::QTDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*text), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  if (!module || failed(getRecipe(*module)))
    return failure();
  return module;
}

FailureOr<qt::RecipeOp> fp8opt::setRecipe(ModuleOp module, StringRef nameOrPath) {
  FailureOr<OwningOpRef<ModuleOp>> loaded = loadRecipe(module.getLoc(), nameOrPath);
  if (failed(loaded))
    return failure();
  for (qt::RecipeOp old : llvm::make_early_inc_range(module.getOps<qt::RecipeOp>()))
    old.erase();
  qt::RecipeOp recipe = *getRecipe(**loaded);
  if (Operation *taken = module.lookupSymbol(recipe.getSymName())) {
    InFlightDiagnostic diagnostic = recipe.emitError() << "expected a recipe with a name of its own, got '"
                                                       << recipe.getSymName() << "'";
    diagnostic.attachNote(taken->getLoc()) << "the program has this name here";
    return diagnostic;
  }
  recipe->remove();
  module.getBody()->push_front(recipe);
  return recipe;
}
