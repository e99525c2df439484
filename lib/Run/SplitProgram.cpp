// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One module becomes several, so that LLVM compiles them on several processors.

#include "Jit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fp8opt::run;

namespace {
/// Functions that must stay in one module, and their size in operations.
struct Group {
  SmallVector<LLVM::LLVMFuncOp> functions;
  size_t size = 0;
};
} // namespace

/// A kernel's name without the suffix of its pieces.
static StringRef groupName(StringRef function) {
  function.consume_back("_task");
  function.consume_back("_range");
  return function;
}

static void declareUses(ModuleOp part, ModuleOp whole, SymbolTable &symbols) {
  llvm::SetVector<StringAttr> names;
  part.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk([&](FlatSymbolRefAttr reference) { names.insert(reference.getAttr()); });
  });
  OpBuilder builder = OpBuilder::atBlockBegin(part.getBody());
  for (StringAttr name : names) {
    if (part.lookupSymbol(name))
      continue;
    Operation *original = symbols.lookup(name);
    if (auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(original))
      LLVM::LLVMFuncOp::create(builder, function.getLoc(), name, function.getFunctionType());
    else if (original)
      builder.clone(*original);
  }
}

std::vector<OwningOpRef<ModuleOp>> fp8opt::run::splitProgram(ModuleOp module, const LoweringState &state,
                                                             unsigned parts) {
  SymbolTable symbols(module);
  Group entries;
  llvm::MapVector<StringRef, Group> groups;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    StringRef name = groupName(function.getName());
    Group &group = state.kernels.contains(name) ? groups[name] : entries;
    group.functions.push_back(function);
    function.walk([&](Operation *) { ++group.size; });
  }
  auto all = llvm::to_vector(llvm::make_second_range(groups));
  // The largest first; among equals the first, so that a program is always split alike.
  auto sorted = llvm::to_vector(llvm::seq<size_t>(0, all.size()));
  auto order = [&](size_t i) { return std::pair(std::numeric_limits<size_t>::max() - all[i].size, i); };
  llvm::sort(sorted, [&](size_t a, size_t b) { return order(a) < order(b); });
  std::vector<Group> bins(parts + 1);
  bins[0] = entries;
  for (size_t i : sorted) {
    const Group &group = all[i];
    Group &smallest = *std::min_element(bins.begin() + 1, bins.end(),
                                        [](const Group &a, const Group &b) { return a.size < b.size; });
    llvm::append_range(smallest.functions, group.functions);
    smallest.size += group.size;
  }

  std::vector<OwningOpRef<ModuleOp>> result;
  for (auto [index, bin] : llvm::enumerate(bins)) {
    auto part = ModuleOp::create(module.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(part.getBody());
    if (index == 0)
      for (auto global : module.getOps<LLVM::GlobalOp>())
        builder.clone(*global);
    for (LLVM::LLVMFuncOp function : bin.functions)
      builder.clone(*function);
    declareUses(part, module, symbols);
    result.emplace_back(part);
  }
  return result;
}
