// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the terms of sums so that IREE makes no contraction of a scaled sum.

#include "Sums.h"

#include "fp8-opt/Import/Views.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEKEEPTERMSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// The op that computes a tensor, behind views of it through which IREE fuses.
static Operation *producer(Value tensor) {
  auto isFused = [](Operation *op) { return isFreeViewOrCast(op) && !isa<tensor::ExtractSliceOp>(op); };
  return throughViews(tensor, isFused).getDefiningOp();
}

/// The value that an elementwise op computes for each element of a tensor; null if another op makes it.
static Value elementOf(Value tensor) {
  auto op = dyn_cast_or_null<linalg::LinalgOp>(producer(tensor));
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 || op.getNumReductionLoops() != 0)
    return {};
  return op.getBlock()->getTerminator()->getOperand(0);
}

/// The tensor that an argument of the body is an element of, and how it is read.
static OpOperand *operandOf(BlockArgument argument) {
  auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  return op ? op.getMatchingOpOperand(argument) : nullptr;
}

/// Whether a value of a body is another one for each step of every loop, as far as the operands' maps say:
/// IREE spreads no other over threads. Ops that IREE may fuse with this one are asked too.
static bool runsAlongAllLoops(Value value) {
  SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(reached[i]);
    if (!argument) {
      Operation *op = reached[i].getDefiningOp();
      if (isa<linalg::LinalgOp>(op->getParentOp()))
        reached.insert_range(op->getOperands());
      continue;
    }
    OpOperand *operand = operandOf(argument);
    if (!operand)
      continue;
    auto op = cast<linalg::LinalgOp>(operand->getOwner());
    if (!op.getMatchingIndexingMap(operand).isPermutation())
      continue;
    Value element = elementOf(operand->get());
    if (!element)
      return true;
    reached.insert(element);
  }
  return false;
}

/// The product that a term is, here or where its tensor is computed; null if it is something else.
static arith::MulFOp productOf(Value term) {
  while (auto argument = dyn_cast_or_null<BlockArgument>(term)) {
    OpOperand *operand = operandOf(argument);
    term = operand ? elementOf(operand->get()) : Value();
  }
  return term ? term.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
}

/// One times a term, plus negative zero, is the term in every bit, and no fold of MLIR knows it; LLVM's do.
static void keep(OpOperand &term) {
  OpBuilder builder(term.getOwner());
  Location loc = term.getOwner()->getLoc();
  auto type = cast<FloatType>(term.get().getType());
  auto constant = [&](double number) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, number)).getResult();
  };
  term.set(math::FmaOp::create(builder, loc, term.get(), constant(1.0), constant(-0.0)));
}

namespace {
struct IREEKeepTerms : fp8opt::impl::IREEKeepTermsPassBase<IREEKeepTerms> {
  void runOnOperation() override {
    getOperation().walk([](linalg::LinalgOp op) {
      OpOperand *term = isa<linalg::GenericOp, linalg::ReduceOp>(op) ? fp8opt::iree::addedTerm(op) : nullptr;
      arith::MulFOp product = term ? productOf(term->get()) : arith::MulFOp();
      if (product && !llvm::all_of(product->getOperands(), runsAlongAllLoops))
        keep(*term);
    });
  }
};
} // namespace
