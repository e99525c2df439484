// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes and targets that ship, listed and shown.

#include "Library.h"
#include "Compiler.h"

#include "fp8-opt/Recipes/RecipeLibrary.h"
#include "fp8-opt/Target/NVVM/TargetLibrary.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fp8opt;

static llvm::cl::opt<bool> listRecipes("list-recipes", llvm::cl::cat(compilerCategory()),
                                       llvm::cl::desc("List the recipes of the library"));
static llvm::cl::opt<std::string> showRecipe("show-recipe", llvm::cl::cat(compilerCategory()),
                                             llvm::cl::value_desc("name"),
                                             llvm::cl::desc("Print a recipe of the library"));
static llvm::cl::opt<bool> listTargets("list-targets", llvm::cl::cat(compilerCategory()),
                                       llvm::cl::desc("List what a result can run on"));
static llvm::cl::opt<std::string> showTarget("show-target", llvm::cl::cat(compilerCategory()),
                                             llvm::cl::value_desc("name"),
                                             llvm::cl::desc("Print a target of the library"));

static bool isGiven(const llvm::cl::Option &option) { return option.getNumOccurrences() > 0; }

bool wantsLibrary() {
  return isGiven(listRecipes) || isGiven(showRecipe) || isGiven(listTargets) || isGiven(showTarget);
}

static int printList(ArrayRef<std::pair<std::string, std::string>> lines) {
  size_t width = 0;
  for (const auto &[name, summary] : lines)
    width = std::max(width, name.size() + 1);
  for (const auto &[name, summary] : lines)
    llvm::outs() << llvm::left_justify(name, width) << summary << '\n';
  return 0;
}

static int printRecipes(MLIRContext &context) {
  SmallVector<std::pair<std::string, std::string>> lines;
  for (const NamedText &shipped : shippedRecipes()) {
    FailureOr<OwningOpRef<ModuleOp>> loaded = loadRecipe(UnknownLoc::get(&context), shipped.name);
    if (failed(loaded))
      return 1;
    lines.emplace_back(shipped.name, getRecipe(**loaded)->getSummary().value_or(""));
  }
  return printList(lines);
}

static int printTargets(MLIRContext &context) {
  SmallVector<std::pair<std::string, std::string>> lines = {
      {"cpu", "Processors: the exact reference, or IREE's back end"}};
  for (const NamedText &shipped : nvvm::shippedTargets()) {
    auto target = nvvm::readTarget(UnknownLoc::get(&context), shipped.name);
    if (failed(target))
      return 1;
    lines.emplace_back(shipped.name, (*target)->getSummary().value_or(""));
  }
  return printList(lines);
}

static int printText(StringRef kind, StringRef name, ArrayRef<NamedText> library) {
  const auto *named = llvm::find_if(library, [&](const NamedText &text) { return text.name == name; });
  if (named == library.end()) {
    llvm::errs() << "fp8-opt: expected the name of a " << kind << " of the library (";
    llvm::interleaveComma(library, llvm::errs(), [](const NamedText &text) { llvm::errs() << text.name; });
    llvm::errs() << "), got '" << name << "'"
                 << (kind == "target" && name == "cpu" ? ", which is built in and has no text" : "") << '\n';
    return 1;
  }
  llvm::outs() << named->text.ltrim();
  return 0;
}

int runLibrary(DialectRegistry &registry) {
  MLIRContext context(registry);
  if (listRecipes)
    return printRecipes(context);
  if (listTargets)
    return printTargets(context);
  return isGiven(showRecipe) ? printText("recipe", showRecipe, shippedRecipes())
                             : printText("target", showTarget, nvvm::shippedTargets());
}
