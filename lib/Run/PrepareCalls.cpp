// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of a program's functions and composite ops before they are lowered.

#include "Lowering.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace fp8opt::run;

/// Everything but the entries becomes private, and the caller keeps what it passes in.
LogicalResult fp8opt::run::protectArguments(ModuleOp module, const LoweringState &state) {
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isEntry =
        llvm::any_of(state.entries, [&](const Entry &entry) { return entry.name == function.getName(); });
    function.setVisibility(isEntry ? SymbolTable::Visibility::Public : SymbolTable::Visibility::Private);
    for (unsigned i = 0; isEntry && i < function.getNumArguments(); ++i)
      if (isa<TensorType>(function.getArgument(i).getType()))
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                            BoolAttr::get(module.getContext(), false));
  }
  return success();
}

LogicalResult fp8opt::run::verifyCalls(ModuleOp module) {
  SymbolTable symbols(module);
  WalkResult walked = module.walk([&](func::CallOp call) -> WalkResult {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || !callee.isDeclaration() || call.getCallee() == symbol::kRecordQuantizer)
      return success();
    return call.emitOpError() << "expected a call of a function with a body, got one of '" << call.getCallee()
                              << "', a declaration";
  });
  if (walked.wasInterrupted())
    return failure();
  CallGraph graph(module);
  for (auto component = llvm::scc_begin(static_cast<const CallGraph *>(&graph)); !component.isAtEnd();
       ++component) {
    if (!component.hasCycle())
      continue;
    for (CallGraphNode *node : *component)
      if (!node->isExternal())
        return node->getCallableRegion()->getParentOp()->emitOpError(
            "expected a function that does not call itself, got one that does, directly or through others");
  }
  return success();
}

LogicalResult fp8opt::run::decomposeAggregates(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  module.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  for (linalg::AggregatedOpInterface op : ops) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (failed(results))
      return op->emitOpError("expected an op that is a sequence of simpler ones, got one that is not");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
  return success();
}
