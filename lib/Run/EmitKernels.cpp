// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a structured op as a nest of loops in the order of its plan.

#include "Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt::run;

namespace {
/// The nest under construction.
class NestWriter {
public:
  NestWriter(linalg::LinalgOp op, func::FuncOp kernel, bool hasRange)
      : op(op), builder(op), loc(op.getLoc()), plan(planLoops(op)), indices(op.getNumLoops()) {
    if (hasRange) {
      begin = kernel.getArgument(0);
      end = kernel.getArgument(1);
    }
  }

  void write() {
    SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
    for (Range &range : ranges)
      extents.push_back(getValueOrCreateConstantIndexOp(builder, loc, range.size));
    writeLoop(0, {});
    op.erase();
  }

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// Writes loop `depth` and what is in it; returns the values it carries.
  SmallVector<Value> writeLoop(unsigned depth, SmallVector<Value> carried) {
    bool starts = plan.innerReductions != 0 && depth + plan.innerReductions == plan.order.size();
    if (starts)
      carried = loadCarried();
    if (depth == plan.order.size()) {
      carried = writeBody(carried);
      return carried;
    }
    unsigned dim = plan.order[depth];
    bool isCut = depth == 0 && begin;
    auto loop = scf::ForOp::create(builder, loc, isCut ? begin : constant(0), isCut ? end : extents[dim],
                                   constant(1), carried);
    {
      OpBuilder::InsertionGuard guard(builder);
      if (carried.empty())
        builder.setInsertionPoint(loop.getBody()->getTerminator());
      else
        builder.setInsertionPointToEnd(loop.getBody());
      indices[dim] = loop.getInductionVar();
      SmallVector<Value> next = writeLoop(depth + 1, llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
      if (!carried.empty())
        scf::YieldOp::create(builder, loc, next);
    }
    SmallVector<Value> results = llvm::to_vector_of<Value>(loop.getResults());
    if (starts) {
      storeCarried(results);
      results.clear();
    }
    return results;
  }

  SmallVector<Value> subscripts(OpOperand &operand) {
    SmallVector<Value> result;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (AffineExpr expr : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        result.push_back(indices[dim.getPosition()]);
      else if (auto number = dyn_cast<AffineConstantExpr>(expr))
        result.push_back(constant(number.getValue()));
      else
        result.push_back(
            affine::AffineApplyOp::create(builder, loc, AffineMap::get(map.getNumDims(), 0, expr), indices));
    }
    return result;
  }

  Value load(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    return memref::LoadOp::create(builder, loc, operand.get(), subscripts(operand));
  }

  void store(Value value, OpOperand &init) {
    memref::StoreOp::create(builder, loc, value, init.get(), subscripts(init));
  }

  /// The results that stay in registers during the inner reductions.
  SmallVector<Value> loadCarried() {
    SmallVector<Value> values;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (plan.isCarried(op, init))
        values.push_back(load(init));
    return values;
  }

  void storeCarried(ArrayRef<Value> values) {
    for (OpOperand &init : op.getDpsInitsMutable())
      if (plan.isCarried(op, init)) {
        store(values.front(), init);
        values = values.drop_front();
      }
  }

  SmallVector<Value> writeBody(ArrayRef<Value> carried) {
    IRMapping mapping;
    Block *body = op.getBlock();
    for (auto [argument, operand] : llvm::zip_equal(body->getArguments(), op->getOpOperands())) {
      bool isCarried = op.isDpsInit(&operand) && plan.isCarried(op, operand);
      if (!argument.use_empty())
        mapping.map(argument, isCarried ? carried.front() : load(operand));
      carried = carried.drop_front(isCarried);
    }
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), indices[index.getDim()]);
      else
        builder.clone(inner, mapping);
    }
    SmallVector<Value> next;
    for (auto [init, value] :
         llvm::zip_equal(op.getDpsInitsMutable(), body->getTerminator()->getOperands())) {
      Value yielded = mapping.lookupOrDefault(value);
      if (plan.isCarried(op, init))
        next.push_back(yielded);
      else
        store(yielded, init);
    }
    return next;
  }

  linalg::LinalgOp op;
  OpBuilder builder;
  Location loc;
  LoopPlan plan;
  SmallVector<Value> indices, extents;
  Value begin, end;
};
} // namespace

LogicalResult fp8opt::run::emitKernels(ModuleOp module, const LoweringState &state) {
  for (auto &[name, kernel] : state.kernels) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    auto ops = llvm::to_vector(function.getOps<linalg::LinalgOp>());
    for (linalg::LinalgOp op : ops) {
      if (isF32Contraction(op))
        emitContraction(op);
      else
        NestWriter(op, function, kernel.hasRange).write();
    }
  }
  return success();
}
