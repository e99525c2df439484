// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every structured op a function of its own, so that LLVM compiles many small functions, equal ones
// once.

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fp8opt::run;

/// Copies become structured ops, so that they are vectorised and shared like every other loop.
static void rewriteCopies(ModuleOp module) {
  module.walk([](memref::CopyOp copy) {
    if (!isa<MemRefType>(copy.getSource().getType()) || !isa<MemRefType>(copy.getTarget().getType()))
      return;
    OpBuilder builder(copy);
    linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  });
}

namespace {
class Outliner {
public:
  Outliner(ModuleOp module, LoweringState &state) : module(module), state(state) {}

  void outline(linalg::LinalgOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    SmallVector<Range> ranges = op.createLoopRanges(builder, loc);

    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    SmallVector<Value> arguments;
    SmallVector<Operation *> constants;
    for (Value value : operands) {
      Operation *definition = value.getDefiningOp();
      if (definition && matchPattern(definition, m_Constant()))
        constants.push_back(definition);
      else
        arguments.push_back(value);
    }

    LoopPlan plan = planLoops(op);
    // A failed assertion leaves the program from the thread that started it.
    bool asserts = op->walk([](cf::AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
    bool hasRange = plan.parallelOutermost && !asserts && !isF32Contraction(op);
    func::FuncOp kernel = findOrCreate(op, arguments, constants, hasRange, asserts);
    Kernel &entry = state.kernels[kernel.getName()];
    entry = {hasRange, plan.parallelInnermost && !isF32Contraction(op), plan.work};

    if (hasRange) {
      Value end = getValueOrCreateConstantIndexOp(builder, loc, ranges[plan.order.front()].size);
      arguments.insert(arguments.begin(), {arith::ConstantIndexOp::create(builder, loc, 0), end});
    }
    func::CallOp::create(builder, loc, kernel, arguments);
    op.erase();
  }

private:
  func::FuncOp findOrCreate(linalg::LinalgOp op, ValueRange arguments, ArrayRef<Operation *> constants,
                            bool hasRange, bool asserts) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(hasRange ? 2 : 0, builder.getIndexType());
    llvm::append_range(types, arguments.getTypes());
    // Equal text means equal kernels: every kernel has this name while it is compared.
    auto kernel = func::FuncOp::create(builder, op.getLoc(), "kernel", builder.getFunctionType(types, {}));
    kernel.setPrivate();
    Block *body = kernel.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(arguments, body->getArguments().take_back(arguments.size()));
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    Operation *clone = builder.clone(*op, mapping);
    clone->setDiscardableAttrs(builder.getDictionaryAttr({}));
    func::ReturnOp::create(builder, op.getLoc());

    std::string key;
    llvm::raw_string_ostream stream(key);
    // Assertions tell where they stand.
    OpPrintingFlags flags;
    flags.useLocalScope().enableDebugInfo(asserts);
    kernel.print(stream, flags);
    auto [known, isNew] = kernels.try_emplace(key, kernel);
    if (!isNew) {
      kernel.erase();
      return known->second;
    }
    kernel.setName("fp8_kernel_" + std::to_string(kernels.size() - 1));
    return kernel;
  }

  ModuleOp module;
  LoweringState &state;
  llvm::StringMap<func::FuncOp> kernels;
};
} // namespace

LogicalResult fp8opt::run::outlineKernels(ModuleOp module, LoweringState &state) {
  rewriteCopies(module);
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  Outliner outliner(module, state);
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics())
      return op.emitOpError("expected buffers, got tensors");
    outliner.outline(op);
  }
  return success();
}
