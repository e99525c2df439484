// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalization that knows tensors without elements. A slice that begins at 0 of a dimension of size 0 is
// out of bounds for upstream's verifiers, of tensors and of buffers, so such ops must go in the same sweep
// that finds out the size.

#include "Lowering.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static bool isEmpty(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); });
}

static bool isEmpty(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return llvm::is_contained(type.getShape(), 0);
}

/// An uninitialised tensor of the type of the op's result, which has these sizes.
static Value emptyOf(PatternRewriter &rewriter, Operation *op, ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(rewriter, op->getLoc(), size));
  return tensor::EmptyOp::create(rewriter, op->getLoc(), type, dynamic);
}

static LogicalResult dropSlice(tensor::ExtractSliceOp op, PatternRewriter &rewriter) {
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  if (!isEmpty(sizes))
    return rewriter.notifyMatchFailure(op, "has elements");
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> kept;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped.test(dim))
      kept.push_back(size);
  rewriter.replaceOp(op, emptyOf(rewriter, op, kept));
  return success();
}

static LogicalResult dropInsertion(tensor::InsertSliceOp op, PatternRewriter &rewriter) {
  if (!isEmpty(op.getMixedSizes()) && !isEmpty(op.getSource()))
    return rewriter.notifyMatchFailure(op, "has elements");
  rewriter.replaceOp(op, op.getDest());
  return success();
}

/// What is left is what is added.
static LogicalResult dropPad(tensor::PadOp op, PatternRewriter &rewriter) {
  Value with = op.getConstantPaddingValue();
  if (!isEmpty(op.getSource()) || !with)
    return rewriter.notifyMatchFailure(op, "has elements, or adds different ones");
  ReifiedRankedShapedTypeDims sizes;
  if (failed(reifyResultShapes(rewriter, op, sizes)))
    return failure();
  Value empty = emptyOf(rewriter, op, sizes.front());
  rewriter.replaceOpWithNewOp<linalg::FillOp>(op, with, empty);
  return success();
}

void fp8opt::run::canonicalizeTensors(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(patterns, context);
  patterns.add(dropSlice, /*benefit=*/2);
  patterns.add(dropInsertion, /*benefit=*/2);
  patterns.add(dropPad, /*benefit=*/2);
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  // As for upstream's pass, what is not simplified to the end is right all the same.
  if (failed(applyPatternsGreedily(module, std::move(patterns), config)))
    module.emitRemark("canonicalization has not come to an end");
}
