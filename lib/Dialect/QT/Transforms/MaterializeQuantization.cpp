// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces contractions that have schemes by quantizers and products of quantized operands.

#include "NormalProduct.h"
#include "ProductAttributes.h"
#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Casts.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_MATERIALIZEQUANTIZATIONPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Roundings that the recipe lets quantizers look through.
class Unrounded {
public:
  /// Roundings of f32 that nothing but contractions that will be quantized reads, through views or not.
  static Unrounded find(func::FuncOp function, QTDialect &qt);
  /// An op that was erased since may have left its address to another one, which is no rounding.
  bool contains(Operation *op) const { return roundings.contains(op) && onlyCast<arith::TruncFOp>(op); }

private:
  llvm::SmallPtrSet<Operation *, 8> roundings;
};
} // namespace

Unrounded Unrounded::find(func::FuncOp function, QTDialect &qt) {
  Unrounded found;
  auto willBeQuantized = [&](OpOperand &use) {
    auto product = dyn_cast<QuantizableOp>(use.getOwner());
    return product && qt.getSchemesAttrHelper().isAttrPresent(product) &&
           (&use == &product.getLhsOperand() || &use == &product.getRhsOperand());
  };
  function.walk([&](Operation *op) {
    auto cast = onlyCast<arith::TruncFOp>(op);
    if (!cast || cast.getRoundingmode() || !getElementTypeOrSelf(cast.getIn().getType()).isF32() ||
        op->getNumResults() != 1 || op->use_empty())
      return;
    SmallVector<Value> pending = {op->getResult(0)};
    while (!pending.empty())
      for (OpOperand &use : pending.pop_back_val().getUses()) {
        if (isFreeView(use.getOwner()) && use.getOperandNumber() == 0)
          pending.push_back(use.getOwner()->getResult(0));
        else if (!willBeQuantized(use) && !isa<tensor::DimOp>(use.getOwner()))
          return;
      }
    found.roundings.insert(op);
  });
  return found;
}

/// A view without widening casts, and roundings that need not be, below it: the same elements in the type
/// that they had there, or null if there is nothing to remove. Widening is exact, so the quantizer of the
/// narrower value has the same codes and scales.
static Value sourceBelowCasts(OpBuilder &builder, Value value, const Unrounded &unrounded) {
  Operation *op = value.getDefiningOp();
  if (onlyCast<arith::ExtFOp>(op) || unrounded.contains(op)) {
    Value source = op->getOperand(0);
    if (!isExpressed(getElementTypeOrSelf(source.getType())))
      return {};
    Value below = sourceBelowCasts(builder, source, unrounded);
    return below ? below : source;
  }
  if (!isFreeView(op))
    return {};
  Value source = sourceBelowCasts(builder, op->getOperand(0), unrounded);
  if (!source)
    return {};
  Type element = getElementTypeOrSelf(source.getType());
  auto type = cast<RankedTensorType>(value.getType()).clone(element);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    // Not the sizes of `value`: they would keep the cast tensor alive.
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op->getLoc(), source);
    applyPermutationToVector(sizes, transpose.getPermutation());
    Value empty = tensor::EmptyOp::create(builder, op->getLoc(), sizes, element);
    return linalg::TransposeOp::create(builder, op->getLoc(), source, empty, transpose.getPermutation())
        ->getResult(0);
  }
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

/// Quantizes a value by a scheme.
static Value quantizeValue(OpBuilder &builder, Location loc, Value operand, SchemeAttr scheme,
                           HalfAttr half) {
  auto type = cast<RankedTensorType>(operand.getType());
  auto quantized = QTensorType::get(builder.getContext(), type.getShape(), type.getElementType(), scheme);
  return QuantizeOp::create(builder, loc, quantized, operand, ValueRange(), half);
}

/// A value with its last two dimensions transposed, as `order` has them.
static Value turn(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> order) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    if (transpose.getPermutation() == order)
      return transpose.getInput();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  applyPermutationToVector(sizes, order);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(value.getType()));
  return linalg::TransposeOp::create(builder, loc, value, empty, order)->getResult(0);
}

/// Requantizes the activation of a wgrad, below its casts, from what its fprop reads: quantized by `first` in
/// the other layout, in the forward half, where it is shared with the fprop's. That codes stay alive between
/// the halves is what the recipe asks for.
static Value requantizeOperand(OpBuilder &builder, Location loc, Value operand, SchemeAttr first,
                               SchemeAttr scheme, HalfAttr half) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(order[order.size() - 2], order.back());
  Value turned = turn(builder, loc, operand, order);
  auto forward = HalfAttr::get(builder.getContext(), Half::Forward);
  Value codes = TransposeOp::create(builder, loc, quantizeValue(builder, loc, turned, first, forward), order);
  auto requantized = QTensorType::get(builder.getContext(), type.getShape(), type.getElementType(), scheme);
  return RequantizeOp::create(builder, loc, requantized, codes, half);
}

namespace {
/// How a contraction is quantized.
struct Decision {
  SchemesAttr schemes; // null: not at all
  HalfAttr half;
  SchemeAttr dual; // null, or by what the activation was quantized in the fprop
  bool promoted;   // how its sums are added
  RolesAttr roles;
  GivenAttr given;
};
} // namespace

/// Reads what passes wrote on a contraction, and takes it off.
static Decision takeDecision(Operation *op, QTDialect &qt) {
  Decision decision = {qt.getSchemesAttrHelper().getAttr(op), qt.getHalfAttrHelper().getAttr(op),
                       qt.getDualAttrHelper().getAttr(op),    qt.getPromotedAttrHelper().isAttrPresent(op),
                       qt.getRolesAttrHelper().getAttr(op),   qt.getGivenAttrHelper().getAttr(op)};
  for (StringAttr name : productAttributes(qt))
    op->removeAttr(name);
  return decision;
}

/// Replaces one contraction.
static void materialize(RewriterBase &rewriter, QuantizableOp op, const Decision &decision,
                        const Unrounded &unrounded) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> read(op->getOperands());
  auto quantize = [&](bool isRhs) -> Value {
    Value operand = (isRhs ? op.getRhsOperand() : op.getLhsOperand()).get();
    if (decision.given &&
        decision.given.holds(isRhs)) // codes and scales that came with the graph are taken as they are
      return operand.getDefiningOp<DequantizeOp>().getInput();
    if (Value below = sourceBelowCasts(rewriter, operand, unrounded))
      operand = below;
    SchemeAttr scheme = isRhs ? decision.schemes.getRhs() : decision.schemes.getLhs();
    if (decision.dual && (isRhs ? decision.roles.getRhs() : decision.roles.getLhs()) == Role::Activation)
      return requantizeOperand(rewriter, loc, operand, decision.dual, scheme, decision.half);
    return quantizeValue(rewriter, loc, operand, scheme, decision.half);
  };
  Value lhs = quantize(/*isRhs=*/false), rhs = quantize(/*isRhs=*/true);
  Value product = op.buildQuantized(rewriter, lhs, rhs, decision.promoted);
  Operation *rounding = onlyRounding(op->getResult(0));
  if (rounding && !unrounded.contains(rounding)) {
    product.setType(rounding->getResult(0).getType());
    llvm::append_range(read, rounding->getOperands().drop_front());
    rewriter.replaceOp(rounding, product);
    rewriter.eraseOp(op);
  } else {
    rewriter.replaceOp(op, product);
  }
  eraseUnread(read);
}

namespace {
struct MaterializeQuantization : qt::impl::MaterializeQuantizationPassBase<MaterializeQuantization> {
  using MaterializeQuantizationPassBase::MaterializeQuantizationPassBase;

  /// Checks that an earlier pass has decided on an op, and that the op can be rewritten.
  static LogicalResult verifyDecided(Operation *op, QTDialect &qt) {
    bool schemes = qt.getSchemesAttrHelper().isAttrPresent(op);
    if (isa<QuantizableOp>(op) && !schemes && !qt.getKeptAttrHelper().isAttrPresent(op))
      return op->emitOpError("expected qt.schemes or qt.kept on a contraction; run qt-assign-schemes first");
    if (qt.getDualAttrHelper().isAttrPresent(op) && !qt.getRolesAttrHelper().isAttrPresent(op))
      return op->emitOpError("expected qt.roles beside qt.dual, to know which operand is the activation");
    if (!isa<QuantizableOp>(op) && schemes)
      return op->emitOpError(
          "expected qt.schemes on contractions in normal form only; run fp8-import-linalg first");
    return verifyNormalProduct(op);
  }

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    auto &qt = *getContext().getLoadedDialect<QTDialect>();
    SmallVector<Operation *> contractions;
    WalkResult walked = entry.walk([&](Operation *op) -> WalkResult {
      // A product without role has a half all the same.
      if (qt.getRolesAttrHelper().isAttrPresent(op) || qt.getSchemesAttrHelper().isAttrPresent(op) ||
          qt.getHalfAttrHelper().isAttrPresent(op) || qt.getGivenAttrHelper().isAttrPresent(op))
        contractions.push_back(op);
      return verifyDecided(op, qt);
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    Unrounded unrounded;
    for (RecipeOp recipe : getOperation().getOps<RecipeOp>())
      if (recipe.getCastSource() == CastSource::Fp32Unrounded)
        unrounded = Unrounded::find(entry, qt);
    IRRewriter rewriter(&getContext());
    for (Operation *op : contractions) {
      Decision decision = takeDecision(op, qt);
      if (!decision.schemes)
        continue;
      materialize(rewriter, cast<QuantizableOp>(op), decision, unrounded);
      ++numProducts;
    }
  }
};
} // namespace
