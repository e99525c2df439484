// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of a program's functions and composite ops before they are lowered.

#include "Lowering.h"

#include "fp8-opt/Run/Program.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
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

LogicalResult fp8opt::run::verifyOps(ModuleOp module) {
  WalkResult walked = module.walk([](Operation *op) -> WalkResult {
    if (isa<bufferization::BufferizableOpInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>)))
      return success();
    return op->emitError("expected ops that the reference computes, got '") << op->getName() << "'";
  });
  return failure(walked.wasInterrupted());
}

LogicalResult fp8opt::run::verifyConstants(ModuleOp module) {
  WalkResult walked = module.walk([](arith::ConstantOp op) -> WalkResult {
    if (!isa<RankedTensorType>(op.getType()))
      return success();
    auto value = valueType(op.getType());
    if (!value)
      return llvm::consumeError(value.takeError()), success();
    if (llvm::Error error = checkMemory("a constant", value->element, value->shape))
      return op.emitError() << llvm::toString(std::move(error));
    return success();
  });
  return failure(walked.wasInterrupted());
}

/// Replaces one op that lays a tensor out in tiles, or back, by a pad, a transpose and views.
static LogicalResult decomposeTiles(Operation *op) {
  IRRewriter rewriter(op);
  auto pack = dyn_cast<linalg::PackOp>(op);
  bool isLowered = pack ? succeeded(linalg::lowerPack(rewriter, pack))
                        : succeeded(linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op)));
  if (isLowered)
    return success();
  return op->emitOpError("expected tiles of static sizes, which the reference can lay out, got others");
}

LogicalResult fp8opt::run::decomposeAggregates(ModuleOp module) {
  SmallVector<Operation *> tiles;
  module.walk([&](Operation *op) {
    if (isa<linalg::PackOp, linalg::UnPackOp>(op))
      tiles.push_back(op);
  });
  for (Operation *op : tiles)
    if (failed(decomposeTiles(op)))
      return failure();
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
