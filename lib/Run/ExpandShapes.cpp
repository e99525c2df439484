// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a dimension into several of which more than one is known only at run time. Upstream's
// expand-strided-metadata takes at most one of them for dynamic and crashes on others.

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

static bool hasGroupOfDynamicSizes(memref::ExpandShapeOp op) {
  return llvm::any_of(op.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return op.getResultType().isDynamicDim(dim); }) > 1;
  });
}

/// The innermost dimension of a group has the stride of what is split, each other one that of the next times
/// its size.
static void expandShape(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto [staticStrides, staticOffset] = op.getResultType().getStridesAndOffset();
  auto source = memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [index, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = source.getStrides()[index];
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = ShapedType::isDynamic(staticStrides[dim])
                         ? OpFoldResult(stride)
                         : OpFoldResult(builder.getIndexAttr(staticStrides[dim]));
      stride = arith::MulIOp::create(builder, loc, stride,
                                     getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]));
    }
  }
  OpFoldResult offset = ShapedType::isDynamic(staticOffset)
                            ? OpFoldResult(source.getOffset())
                            : OpFoldResult(builder.getIndexAttr(staticOffset));
  Value expanded = memref::ReinterpretCastOp::create(builder, loc, op.getResultType(), source.getBaseBuffer(),
                                                     offset, sizes, strides);
  op.getResult().replaceAllUsesWith(expanded);
  op.erase();
}

void fp8opt::run::expandShapes(ModuleOp module) {
  module.walk([](memref::ExpandShapeOp op) {
    if (hasGroupOfDynamicSizes(op))
      expandShape(op);
  });
}
