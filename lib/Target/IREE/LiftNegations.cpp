// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negates sums instead of summing what is negated.

#include "Sums.h"

#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREELIFTNEGATIONSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

/// The one input of a generic that sums it, and does nothing else; null for any other.
static OpOperand *summedInput(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  OpOperand *term = fp8opt::iree::addedTerm(op);
  if (!term || !llvm::hasNItems(body, 2))
    return nullptr;
  auto argument = dyn_cast<BlockArgument>(term->get());
  if (!argument || argument == body.getArgument(op.getNumDpsInputs()) || argument.getOwner() != &body)
    return nullptr;
  return op.getMatchingOpOperand(argument);
}

/// The number that a fill fills with; none of any other tensor.
static std::optional<APFloat> filled(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  FloatAttr value;
  if (!fill || !matchPattern(fill.value(), m_Constant(&value)))
    return std::nullopt;
  return value.getValue();
}

/// What an elementwise generic negates last, as a tensor; null where it does not.
static Value withoutNegation(OpBuilder &builder, Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumResults() != 1 || op.getNumReductionLoops() != 0)
    return {};
  auto negation = op.getRegion().front().getTerminator()->getOperand(0).getDefiningOp<arith::NegFOp>();
  if (!negation || negation->getBlock() != &op.getRegion().front())
    return {};
  auto copy = cast<linalg::GenericOp>(builder.clone(*op));
  Operation *yield = copy.getRegion().front().getTerminator();
  auto copied = yield->getOperand(0).getDefiningOp<arith::NegFOp>();
  yield->setOperand(0, copied.getOperand());
  if (copied->use_empty())
    copied.erase();
  return copy.getResult(0);
}

static Value negate(OpBuilder &builder, Location loc, Value tensor) {
  return fp8opt::emitElementwise(builder, loc, tensor, getElementTypeOrSelf(tensor.getType()),
                                 [](OpBuilder &inner, Location at, ValueRange values) -> Value {
                                   return arith::NegFOp::create(inner, at, values[0]);
                                 });
}

/// Rounding to nearest is the same on both sides of zero: a sum of negated terms that starts at -c is the
/// negated sum of the terms from c on, bit for bit.
static void lift(linalg::GenericOp op) {
  OpOperand *input = summedInput(op);
  if (!input)
    return;
  std::optional<APFloat> start = filled(op.getDpsInits()[0]);
  if (!start)
    return;
  OpBuilder builder(op);
  Value terms = withoutNegation(builder, input->get());
  if (!terms)
    return;
  Location loc = op.getLoc();
  start->changeSign();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Value value = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type.getElementType(), *start));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, op.getDpsInits()[0]), type.getElementType());
  op.getDpsInitsMutable()[0].set(linalg::FillOp::create(builder, loc, value, empty).getResult(0));
  Operation *negation = input->get().getDefiningOp();
  input->set(terms);
  if (negation->use_empty())
    negation->erase();
  builder.setInsertionPointAfter(op);
  Value negated = negate(builder, loc, op.getResult(0));
  op.getResult(0).replaceUsesWithIf(
      negated, [&](OpOperand &use) { return use.getOwner() != negated.getDefiningOp(); });
}

namespace {
struct IREELiftNegations : fp8opt::impl::IREELiftNegationsPassBase<IREELiftNegations> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      lift(op);
  }
};
} // namespace
