// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program that fails smaller, as long as it fails.

#include "Check.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fp8opt::random;

static func::FuncOp getMain(ModuleOp module) { return module.lookupSymbol<func::FuncOp>("main"); }

/// Erases what nothing reads.
static void eraseUnread(func::FuncOp main) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static void setResults(func::FuncOp main, ValueRange results) {
  main.front().getTerminator()->setOperands(results);
  main.setFunctionType(FunctionType::get(main.getContext(), main.getArgumentTypes(), results.getTypes()));
  main.setAllResultAttrs(ArrayRef<DictionaryAttr>());
  eraseUnread(main);
}

/// Leaves out result `number`.
static bool dropResult(func::FuncOp main, unsigned number) {
  SmallVector<Value> results(main.front().getTerminator()->getOperands());
  if (results.size() < 2 || number >= results.size())
    return false;
  results.erase(results.begin() + number);
  setResults(main, results);
  return true;
}

/// Makes an argument of the results of the op in place `number`, counted from the end.
static bool cut(func::FuncOp main, unsigned number) {
  Block &body = main.front();
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    bool isStatic = llvm::all_of(op.getResultTypes(), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape() && tensor.getElementType().isFloat();
    });
    if (!isStatic || op.getNumOperands() == 0 || number-- > 0)
      continue;
    for (Value result : op.getResults()) {
      unsigned index = main.getNumArguments();
      if (failed(main.insertArgument(index, result.getType(), {}, op.getLoc())))
        return false;
      result.replaceAllUsesWith(main.getArgument(index));
    }
    eraseUnread(main);
    return true;
  }
  return false;
}

OwningOpRef<ModuleOp> fp8opt::random::reduce(ModuleOp written, const RandomGraph &graph, Mutation mutation) {
  OwningOpRef<ModuleOp> smallest = written.clone();
  // Tries a change at each place; a place whose change was taken is tried again, as others follow into it.
  auto tryAll = [&](llvm::function_ref<bool(func::FuncOp, unsigned)> change) {
    bool isSmaller = false;
    for (unsigned place = 0;;) {
      OwningOpRef<ModuleOp> candidate = smallest->clone();
      if (!change(getMain(*candidate), place))
        return isSmaller;
      Verdict verdict = check(*candidate, graph, mutation);
      if (verdict.failure.empty() || !verdict.refusal.empty()) {
        ++place;
        continue;
      }
      smallest = std::move(candidate);
      isSmaller = true;
    }
  };
  while (bool(unsigned(tryAll(dropResult)) | unsigned(tryAll(cut))))
    ;
  return smallest;
}
