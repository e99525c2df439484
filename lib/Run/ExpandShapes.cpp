// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that split a dimension into several of sizes known in the run alone.

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fp8opt::run;

/// A dimension of stride s that becomes sizes a x b x c has strides b*c*s, c*s, s.
static void rewrite(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> knownStrides;
  int64_t knownOffset;
  if (failed(op.getResultType().getStridesAndOffset(knownStrides, knownOffset)))
    return;
  auto source = memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(), strides(sizes.size());
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = source.getStrides()[axis];
    for (int64_t dim : llvm::reverse(group)) {
      bool isKnown = !ShapedType::isDynamic(knownStrides[size_t(dim)]);
      strides[size_t(dim)] =
          isKnown ? OpFoldResult(builder.getIndexAttr(knownStrides[size_t(dim)])) : OpFoldResult(stride);
      Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[size_t(dim)]);
      stride = arith::MulIOp::create(builder, loc, stride, size);
    }
  }
  OpFoldResult offset = ShapedType::isDynamic(knownOffset) ? OpFoldResult(source.getOffset())
                                                           : OpFoldResult(builder.getIndexAttr(knownOffset));
  op.replaceAllUsesWith(memref::ReinterpretCastOp::create(builder, loc, op.getResultType(),
                                                          source.getBaseBuffer(), offset, sizes, strides)
                            .getResult());
  op.erase();
}

void fp8opt::run::rewriteDynamicExpansions(ModuleOp module) {
  SmallVector<memref::ExpandShapeOp> ops;
  module.walk([&](memref::ExpandShapeOp op) {
    bool hasSeveral = llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group,
                            [&](int64_t dim) { return op.getResultType().isDynamicDim(unsigned(dim)); }) > 1;
    });
    if (hasSeveral)
      ops.push_back(op);
  });
  llvm::for_each(ops, rewrite);
}
