// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the entry function and inlines what it calls. Upstream's inliner pass is not used: it runs
// canonicalization, which merges constants and drops what is unused, between its steps.

#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace fp8opt;

func::FuncOp fp8opt::findEntry(ModuleOp module, StringRef name) {
  auto entry = module.lookupSymbol<func::FuncOp>(name);
  if (entry && !entry.isDeclaration())
    return entry;
  if (entry) {
    entry.emitError() << "expected function '" << name << "' to have a body, got a declaration";
    return nullptr;
  }
  InFlightDiagnostic error = module.emitError() << "expected a function '" << name << "' to compile, got ";
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.empty())
    error << "a module without functions";
  llvm::interleaveComma(functions, error,
                        [&](func::FuncOp function) { error << "'" << function.getName() << "'"; });
  return nullptr;
}

namespace {

/// Functions are values-in, values-out whatever they hold, so all of them may be inlined, `no_inline` or not.
struct FunctionInliner : InlinerInterface {
  using InlinerInterface::InlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *newDest) const final {
    if (!isa<func::ReturnOp>(op))
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, op->getOperands());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [value, operand] : llvm::zip_equal(valuesToReplace, op->getOperands()))
      value.replaceAllUsesWith(operand);
  }
};

/// Checks that everything a function calls, directly or not, can be inlined into it.
class CallCheck {
public:
  explicit CallCheck(ModuleOp module) : symbols(module) {}

  /// `holder`: the op whose one-block region will hold the body of `function`, null if its region may grow.
  LogicalResult visit(func::FuncOp function, Operation *holder = nullptr);

private:
  LogicalResult visitCall(func::CallOp call, Operation *holder);

  SymbolTable symbols;
  llvm::SetVector<func::FuncOp> open;
  llvm::DenseSet<llvm::PointerIntPair<Operation *, 1>> done;
};

} // namespace

LogicalResult CallCheck::visitCall(func::CallOp call, Operation *holder) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isDeclaration())
    return success();
  if (open.contains(callee)) {
    InFlightDiagnostic error = call.emitError()
                               << "expected calls without recursion, got a call of '" << callee.getName()
                               << "' in '" << func::FuncOp(open.back()).getName() << "'";
    error.attachNote(callee.getLoc()) << "the call is reached from here";
    return failure();
  }
  if (!isa<func::FuncOp>(call->getParentOp()))
    holder = call->getParentOp()->hasTrait<OpTrait::SingleBlock>() ? call->getParentOp() : nullptr;
  size_t numBlocks = callee.getBody().getBlocks().size();
  if (holder && numBlocks != 1) {
    InFlightDiagnostic error = call.emitError()
                               << "expected '" << callee.getName() << "', called inside '"
                               << holder->getName() << "', to have one block, got " << numBlocks;
    error.attachNote(callee.getLoc()) << "the function called";
    return failure();
  }
  return visit(callee, holder);
}

LogicalResult CallCheck::visit(func::FuncOp function, Operation *holder) {
  if (!done.insert({function.getOperation(), holder != nullptr}).second)
    return success();
  open.insert(function);
  WalkResult walked = function.walk([&](func::CallOp call) { return WalkResult(visitCall(call, holder)); });
  open.remove(function);
  return failure(walked.wasInterrupted());
}

/// Erases private functions that nothing reaches from outside the private functions.
static void eraseUnusedFunctions(ModuleOp module) {
  if (llvm::none_of(module.getOps<func::FuncOp>(),
                    [](func::FuncOp function) { return function.isPrivate(); }))
    return; // uses are looked for in all ops
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached;
  for (Operation &op : *module.getBody())
    if (auto function = dyn_cast<func::FuncOp>(op); !function || !function.isPrivate())
      reached.insert(&op);
  for (size_t i = 0; i != reached.size(); ++i) {
    auto uses = SymbolTable::getSymbolUses(reached[i]);
    if (!uses) // An op that may hold symbols unseen: nothing is known to be unused.
      return;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used = symbols.lookup(use.getSymbolRef().getRootReference()))
        reached.insert(used);
  }
  for (func::FuncOp function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!reached.contains(function))
      function.erase();
}

static void remarkLostAttributes(func::CallOp call, func::FuncOp callee) {
  for (unsigned i = 0; i != callee.getNumArguments(); ++i)
    if (!function_interface_impl::getArgAttrs(callee, i).empty())
      call.emitRemark() << "attributes of argument " << i << " of '" << callee.getName()
                        << "' are lost: it is inlined, and only arguments of the entry keep theirs";
}

/// Inlines the calls that stand in `entry` now; those that come along stand in it afterwards.
static LogicalResult inlineOnce(func::FuncOp entry, ImportCounts &counts, bool &changed) {
  SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
  SymbolTable symbols(entry->getParentOfType<ModuleOp>());
  entry.walk([&](func::CallOp call) {
    if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()); callee && !callee.isDeclaration())
      calls.emplace_back(call, callee);
  });
  FunctionInliner inliner(entry.getContext());
  InlinerConfig config;
  for (auto [call, callee] : calls) {
    remarkLostAttributes(call, callee);
    if (failed(inlineRegion(inliner, config.getCloneCallback(), &callee.getBody(), call, call.getOperands(),
                            call.getResults(), call.getLoc())))
      return call.emitError() << "expected the types of '" << callee.getName()
                              << "' and its call to agree, got " << callee.getFunctionType() << " and "
                              << call.getCalleeType();
    call.erase();
    ++counts.inlinedCalls;
  }
  changed = !calls.empty();
  return success();
}

LogicalResult fp8opt::inlineCalls(ModuleOp module, func::FuncOp entry, ImportCounts &counts) {
  if (failed(CallCheck(module).visit(entry)))
    return failure();
  for (bool changed = true; changed;)
    if (failed(inlineOnce(entry, counts, changed)))
      return failure();
  entry.walk([](func::CallOp call) {
    call.emitRemark() << "left alone: '" << call.getCallee() << "' has no body to inline";
  });
  eraseUnusedFunctions(module);
  return success();
}
