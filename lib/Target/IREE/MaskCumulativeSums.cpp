// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a cumulative sum as a sum over all elements of which those behind are left out.

#include "Sums.h"

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEMASKCUMULATIVESUMSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

namespace {
/// A sum over a window that ends at each element and reaches before the first one, where there are zeros.
struct CumulativeSum {
  /// What is summed, without the zeros.
  Value source;
  /// The dimension of the source along which, and the loops that run over results and over the window.
  unsigned dimension;
  unsigned loop, window;
};
} // namespace

/// Whether the body adds its first argument to the output and does nothing else.
static bool sumsFirstInput(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  OpOperand *term = fp8opt::iree::addedTerm(op);
  return term && llvm::hasNItems(body, 2) && term->get() == body.getArgument(0);
}

/// Whether the pad puts zeros in front of one dimension, one fewer than it has elements, and nothing else.
static bool padsFront(tensor::PadOp pad, unsigned dimension) {
  Value value = pad.getConstantPaddingValue();
  FloatAttr zero;
  if (!value || !matchPattern(value, m_Constant(&zero)) || !zero.getValue().isZero())
    return false;
  RankedTensorType type = pad.getSourceType();
  for (auto [d, low, high] : llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad())) {
    bool isSummed = d == dimension;
    if (type.isDynamicDim(d) || getConstantIntValue(high) != 0 ||
        getConstantIntValue(low) != (isSummed ? type.getDimSize(d) - 1 : 0))
      return false;
  }
  return true;
}

static std::optional<CumulativeSum> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 || op.getNumDpsInputs() == 0 ||
      op.getNumReductionLoops() != 1 || !sumsFirstInput(op))
    return std::nullopt;
  auto pad = op.getInputs().front().getDefiningOp<tensor::PadOp>();
  if (!pad)
    return std::nullopt;
  for (auto [dimension, expr] : llvm::enumerate(op.getIndexingMapsArray().front().getResults())) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!sum || sum.getKind() != AffineExprKind::Add)
      continue;
    auto a = dyn_cast<AffineDimExpr>(sum.getLHS()), b = dyn_cast<AffineDimExpr>(sum.getRHS());
    if (!a || !b || !padsFront(pad, dimension))
      return std::nullopt;
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    if (kinds[a.getPosition()] == utils::IteratorType::reduction)
      std::swap(a, b);
    if (kinds[b.getPosition()] != utils::IteratorType::reduction)
      return std::nullopt;
    // As many results as elements.
    SmallVector<int64_t> loops = op.getStaticLoopRanges();
    int64_t size = pad.getSourceType().getDimSize(dimension);
    if (loops[a.getPosition()] != size || loops[b.getPosition()] != size)
      return std::nullopt;
    return CumulativeSum{pad.getSource(), static_cast<unsigned>(dimension), a.getPosition(), b.getPosition()};
  }
  return std::nullopt;
}

/// The window's loop runs over the elements instead. Those before and at the result's place keep their order;
/// the zeros come behind them, not before, which changes no sum.
static void rewrite(linalg::GenericOp op, const CumulativeSum &sum) {
  OpBuilder builder(op);
  AffineMap map = op.getIndexingMapsArray().front();
  SmallVector<AffineExpr> results = llvm::to_vector(map.getResults());
  results[sum.dimension] = builder.getAffineDimExpr(sum.window);
  SmallVector<AffineMap> maps = {AffineMap::get(map.getNumDims(), 0, results, builder.getContext()),
                                 op.getIndexingMapsArray().back()};
  auto masked = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResult(0).getType(), sum.source, op.getDpsInits()[0], maps,
      op.getIteratorTypesArray(), [&](OpBuilder &inner, Location loc, ValueRange values) {
        Value element = linalg::IndexOp::create(inner, loc, sum.window);
        Value place = linalg::IndexOp::create(inner, loc, sum.loop);
        Value isBehind = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::sgt, element, place);
        Value zero = arith::ConstantOp::create(inner, loc, inner.getZeroAttr(values[0].getType()));
        Value term = arith::SelectOp::create(inner, loc, isBehind, zero, values[0]);
        linalg::YieldOp::create(inner, loc, arith::AddFOp::create(inner, loc, values[1], term).getResult());
      });
  op.replaceAllUsesWith(masked);
  op.erase();
}

namespace {
struct IREEMaskCumulativeSums : fp8opt::impl::IREEMaskCumulativeSumsPassBase<IREEMaskCumulativeSums> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (std::optional<CumulativeSum> sum = match(op))
        rewrite(op, *sum);
  }
};
} // namespace
