// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on whole tensors, and linalg's names for it, in the one form that later passes look into.
// Upstream's pass folds on the way, which would decode constants: codes become numbers of two or four times
// their size, and their scales are gone.

#include "fp8-opt/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fp8opt {
#define GEN_PASS_DEF_IMPORTELEMENTWISEPASS
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

static bool isPowerOfTwo(const APFloat &value) {
  return value.isFiniteNonZero() && !value.isNegative() && value.getExactLog2() != INT_MIN;
}

/// The scale of arith.scaling_extf and scaling_truncf is of E8M0. What one of another type is rounded to,
/// upstream's lowerings do not agree on; powers of two need no rounding.
static LogicalResult verifyScale(Operation *op, Value scale) {
  if (isa<Float8E8M0FNUType>(getElementTypeOrSelf(scale)))
    return success();
  DenseFPElementsAttr elements;
  FloatAttr scalar;
  bool isDense = matchPattern(scale, m_Constant(&elements)),
       isScalar = !isDense && matchPattern(scale, m_Constant(&scalar));
  if ((isDense && llvm::all_of(elements.getValues<APFloat>(), isPowerOfTwo)) ||
      (isScalar && isPowerOfTwo(scalar.getValue())))
    return success();
  return op->emitOpError() << "expected scales of type f8E8M0FNU, or constants that are powers of two, got "
                           << (isDense || isScalar ? "a constant that is none, of type " : "scales of type ")
                           << scale.getType();
}

static Value castFloats(OpBuilder &builder, Location loc, Value value, Type element) {
  Type from = getElementTypeOrSelf(value);
  if (from == element)
    return value;
  auto shaped = dyn_cast<ShapedType>(value.getType());
  Type to = shaped ? Type(shaped.clone(element)) : element;
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::TruncFOp::create(builder, loc, to, value);
}

/// Writes scaling casts as what they mean: a cast, and a product or quotient by the scale.
static LogicalResult expandScaling(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value in = op->getOperand(0), scale = op->getOperand(1), result;
  if (failed(verifyScale(op, scale)))
    return failure();
  if (auto widening = dyn_cast<arith::ScalingExtFOp>(op)) {
    Type element = getElementTypeOrSelf(widening.getOut());
    result = arith::MulFOp::create(builder, loc, castFloats(builder, loc, in, element),
                                   castFloats(builder, loc, scale, element));
  } else {
    auto narrowing = cast<arith::ScalingTruncFOp>(op);
    Value wide = castFloats(builder, loc, scale, getElementTypeOrSelf(in));
    Value quotient = arith::DivFOp::create(builder, loc, in, wide);
    result = arith::TruncFOp::create(builder, loc, narrowing.getOut().getType(), quotient,
                                     narrowing.getRoundingmodeAttr(), narrowing.getFastmathAttr());
  }
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
  return success();
}

/// An op that computes with elements and has a name, on tensors: linalg.add, linalg.map, linalg.reduce.
static bool isNamedArithmetic(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() ||
      isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp, linalg::BroadcastOp, linalg::TransposeOp>(op))
    return false;
  return isa<linalg::MapOp, linalg::ReduceOp>(op) || linalg::isElementwise(op);
}

/// Its maximum, differences, exponentials, sum and quotients.
static LogicalResult decomposeSoftmaxes(ModuleOp module) {
  SmallVector<linalg::SoftmaxOp> ops;
  module.walk([&](linalg::SoftmaxOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  for (linalg::SoftmaxOp op : ops) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (failed(results))
      return op.emitOpError("expected a softmax that can be written as linalg.generic");
    op->replaceAllUsesWith(*results);
    op.erase();
  }
  return success();
}

/// As linalg.generic with its indices as values.
static LogicalResult generalizeGenerated(ModuleOp module) {
  SmallVector<tensor::GenerateOp> ops;
  module.walk([&](tensor::GenerateOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (tensor::GenerateOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::rewriteInDestinationPassingStyle(rewriter, op)))
      return op.emitOpError("expected elements that can be computed in a linalg.generic");
  }
  return success();
}

static LogicalResult generalizeNamed(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (isNamedArithmetic(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    SmallVector<NamedAttribute> attributes =
        llvm::filter_to_vector(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
          return attribute.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName;
        });
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return op.emitOpError("expected an elementwise op that can be written as linalg.generic");
    (*generic)->setDiscardableAttrs(attributes);
    (*generic)->walk([&](Operation *inner) { inner->setLoc((*generic).getLoc()); });
  }
  return success();
}

namespace {

struct ImportElementwise : fp8opt::impl::ImportElementwisePassBase<ImportElementwise> {
  using ImportElementwisePassBase::ImportElementwisePassBase;

  void runOnOperation() final {
    bool hasScaling = false;
    WalkResult walked = getOperation().walk([&](Operation *op) {
      bool isScaling = isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op);
      hasScaling |= isScaling;
      return isScaling && failed(expandScaling(op)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted() || failed(decomposeSoftmaxes(getOperation())) ||
        failed(generalizeGenerated(getOperation())) || failed(generalizeNamed(getOperation())))
      return signalPassFailure();
    auto isOutside = [](Operation *op) {
      return OpTrait::hasElementwiseMappableTraits(op) &&
             llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
    };
    bool isAnyOutside = getOperation()
                            .walk([&](Operation *op) {
                              return isOutside(op) ? WalkResult::interrupt() : WalkResult::advance();
                            })
                            .wasInterrupted();
    if (!isAnyOutside && !hasScaling) // nothing to verify again
      return markAllAnalysesPreserved();
    ConversionTarget target(getContext());
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) { return !isOutside(op); });
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
