// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Widens elements where they are read instead of whole tensors before.

#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEWIDENLATEPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

/// The op that widens each element of a tensor and does nothing else; null for any other tensor.
static linalg::GenericOp widening(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumResults() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Block &body = op.getRegion().front();
  auto extend = body.getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return extend && llvm::hasNItems(body, 2) && extend.getIn() == body.getArgument(0) ? op
                                                                                     : linalg::GenericOp();
}

/// A producer of which a sum may have a copy: nothing else reads it, or it only widens.
static OpOperand *fusableInput(linalg::GenericOp sum) {
  for (OpOperand *operand : sum.getDpsInputOperands())
    if (linalg::areElementwiseOpsFusable(operand) && (operand->get().hasOneUse() || widening(operand->get())))
      return operand;
  return nullptr;
}

/// Fuses what a sum of all elements reads into it, back to what is narrow.
static void widenInSum(RewriterBase &rewriter, linalg::GenericOp sum) {
  while (OpOperand *operand = fusableInput(sum)) {
    rewriter.setInsertionPoint(sum);
    Operation *copy = rewriter.clone(*operand->get().getDefiningOp());
    rewriter.modifyOpInPlace(sum, [&] { operand->set(copy->getResult(0)); });
    FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused))
      return;
    rewriter.replaceOp(sum, fused->fusedOp->getResults());
    rewriter.eraseOp(copy);
    sum = cast<linalg::GenericOp>(fused->fusedOp);
  }
}

/// Whether a sum has one result of no dimension over loops of which one is of unknown size.
static bool sumsAllOfUnknownSize(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumResults() == 1 &&
         op.getNumReductionLoops() == op.getNumLoops() &&
         ShapedType::isDynamicShape(op.getStaticLoopRanges());
}

/// A slice of what is widened is the widened slice.
static void widenAfterSlice(RewriterBase &rewriter, tensor::ExtractSliceOp slice) {
  linalg::GenericOp op = widening(slice.getSource());
  if (!op)
    return;
  rewriter.setInsertionPoint(slice);
  Location loc = slice.getLoc();
  auto type = cast<RankedTensorType>(slice.getType());
  auto source = cast<RankedTensorType>(op.getInputs()[0].getType());
  Value narrow =
      tensor::ExtractSliceOp::create(rewriter, loc, type.clone(source.getElementType()), op.getInputs()[0],
                                     slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides());
  Type element = type.getElementType();
  Value wide = fp8opt::emitElementwise(rewriter, loc, narrow, element,
                                       [&](OpBuilder &inner, Location at, ValueRange values) -> Value {
                                         return arith::ExtFOp::create(inner, at, element, values[0]);
                                       });
  rewriter.replaceOp(slice, wide);
}

/// A contraction widens its operands itself.
static void widenInContraction(RewriterBase &rewriter, linalg::ContractOp op) {
  if (!ShapedType::isDynamicShape(op.getStaticLoopRanges()))
    return;
  linalg::GenericOp a = widening(op.getInputs()[0]), b = widening(op.getInputs()[1]);
  if (!a || !b ||
      getElementTypeOrSelf(a.getInputs()[0].getType()) != getElementTypeOrSelf(b.getInputs()[0].getType()))
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<linalg::ContractOp>(op, op->getResultTypes(),
                                                  ValueRange{a.getInputs()[0], b.getInputs()[0]},
                                                  ValueRange(op.getOutputs()), op.getIndexingMaps());
}

namespace {
struct IREEWidenLate : fp8opt::impl::IREEWidenLatePassBase<IREEWidenLate> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        widenAfterSlice(rewriter, slice);
      else if (auto contraction = dyn_cast<linalg::ContractOp>(op))
        widenInContraction(rewriter, contraction);
      else if (auto sum = dyn_cast<linalg::GenericOp>(op); sum && sumsAllOfUnknownSize(sum))
        widenInSum(rewriter, sum);
    }
  }
};
} // namespace
