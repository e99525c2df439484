// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves scales along with the elements they are for.

#include "BlockScale.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;

Value fp8opt::transpose(OpBuilder &builder, Location loc, Value source, ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, source);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(source));
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)->getResult(0);
}

BlockScale fp8opt::transpose(OpBuilder &builder, Location loc, const BlockScale &scale,
                             ArrayRef<int64_t> permutation) {
  return {transpose(builder, loc, scale.value, permutation),
          applyPermutation(ArrayRef(scale.block), permutation)};
}

Value fp8opt::moveElements(OpBuilder &builder, Operation *view, Value source) {
  Type element = getElementTypeOrSelf(source);
  if (auto op = dyn_cast<linalg::TransposeOp>(view))
    return transpose(builder, op.getLoc(), source, op.getPermutation());
  if (auto op = dyn_cast<linalg::BroadcastOp>(view)) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op.getLoc(), op.getInit());
    Value empty = tensor::EmptyOp::create(builder, op.getLoc(), sizes, element);
    return linalg::BroadcastOp::create(builder, op.getLoc(), source, empty, op.getDimensions())->getResult(0);
  }
  IRMapping mapping;
  mapping.map(view->getOperand(0), source);
  Operation *copy = builder.clone(*view, mapping);
  copy->getResult(0).setType(cast<RankedTensorType>(view->getResult(0).getType()).clone(element));
  return copy->getResult(0);
}

static RankedTensorType typeOfSizes(ArrayRef<OpFoldResult> sizes, Value like) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, getElementTypeOrSelf(like));
}

static std::optional<BlockScale> moveThroughExpand(OpBuilder &builder, tensor::ExpandShapeOp op,
                                                   const BlockScale &scale) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<int64_t> block(shape.size(), 1);
  for (auto [whole, group] : llvm::zip_equal(scale.block, op.getReassociationIndices())) {
    auto split = qt::splitBlock(whole, shape.slice(group.front(), group.size()));
    if (!split)
      return std::nullopt;
    llvm::copy(*split, block.begin() + group.front());
  }
  for (auto [i, size] : llvm::enumerate(shape))
    if (block[i] == kWhole)
      sizes[i] = builder.getIndexAttr(1);
    else if (!ShapedType::isDynamic(size))
      sizes[i] = builder.getIndexAttr(llvm::divideCeil(size, block[i]));
  Value moved = tensor::ExpandShapeOp::create(builder, op.getLoc(), typeOfSizes(sizes, scale.value),
                                              scale.value, op.getReassociationIndices(), sizes);
  return BlockScale{moved, block};
}

static std::optional<BlockScale> moveThroughCollapse(OpBuilder &builder, tensor::CollapseShapeOp op,
                                                     const BlockScale &scale) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  SmallVector<int64_t> block;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    size_t first = group.front(), count = group.size();
    std::optional<int64_t> joined =
        qt::joinBlocks(ArrayRef(scale.block).slice(first, count), shape.slice(first, count));
    if (!joined)
      return std::nullopt;
    block.push_back(*joined);
  }
  Value moved =
      builder.createOrFold<tensor::CollapseShapeOp>(op.getLoc(), scale.value, op.getReassociationIndices());
  return BlockScale{moved, block};
}

static std::optional<BlockScale> moveThroughSlice(OpBuilder &builder, tensor::ExtractSliceOp op,
                                                  const BlockScale &scale) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  for (auto [i, block] : llvm::enumerate(scale.block)) {
    if (block == 1)
      continue;
    if (block == kWhole) {
      offsets[i] = builder.getIndexAttr(0);
      sizes[i] = strides[i] = builder.getIndexAttr(1);
      continue;
    }
    std::optional<int64_t> offset = getConstantIntValue(offsets[i]), size = getConstantIntValue(sizes[i]);
    if (!offset || !size || !isOneInteger(strides[i]) || *offset % block != 0 ||
        (*size % block != 0 && *offset + *size != op.getSourceType().getDimSize(i)))
      return std::nullopt;
    offsets[i] = builder.getIndexAttr(*offset / block);
    sizes[i] = builder.getIndexAttr(llvm::divideCeil(*size, block));
  }
  SmallVector<OpFoldResult> keptSizes;
  SmallVector<int64_t> block;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!dropped[i])
      keptSizes.push_back(size), block.push_back(scale.block[i]);
  Value moved = tensor::ExtractSliceOp::create(builder, op.getLoc(), typeOfSizes(keptSizes, scale.value),
                                               scale.value, offsets, sizes, strides);
  return BlockScale{moved, block};
}

BlockScale fp8opt::addDims(OpBuilder &builder, Location loc, const BlockScale &scale,
                           const llvm::SmallBitVector &added) {
  if (added.none())
    return scale;
  SmallVector<OpFoldResult> sizes, from = tensor::getMixedSizes(builder, loc, scale.value);
  SmallVector<ReassociationIndices> groups(from.size());
  SmallVector<int64_t> block;
  size_t source = 0;
  for (unsigned dim = 0; dim != added.size(); ++dim) {
    sizes.push_back(added[dim] ? OpFoldResult(builder.getIndexAttr(1)) : from[source]);
    block.push_back(added[dim] ? kWhole : scale.block[source]);
    source += !added[dim];
    // An added dimension in front of all others belongs to the first.
    if (!groups.empty())
      groups[source ? source - 1 : 0].push_back(dim);
  }
  Value more = tensor::ExpandShapeOp::create(builder, loc, typeOfSizes(sizes, scale.value), scale.value,
                                             groups, sizes);
  return {more, block};
}

static BlockScale moveThroughBroadcast(OpBuilder &builder, linalg::BroadcastOp op, const BlockScale &scale) {
  llvm::SmallBitVector added(cast<ShapedType>(op->getResult(0).getType()).getRank());
  for (int64_t dim : op.getDimensions())
    added.set(dim);
  return addDims(builder, op.getLoc(), scale, added);
}

static std::optional<BlockScale> move(OpBuilder &builder, Operation *view, const BlockScale &scale) {
  return llvm::TypeSwitch<Operation *, std::optional<BlockScale>>(view)
      .Case([&](tensor::CastOp) { return scale; })
      .Case(
          [&](linalg::TransposeOp op) { return transpose(builder, op.getLoc(), scale, op.getPermutation()); })
      .Case([&](linalg::BroadcastOp op) { return moveThroughBroadcast(builder, op, scale); })
      .Case([&](tensor::ExpandShapeOp op) { return moveThroughExpand(builder, op, scale); })
      .Case([&](tensor::CollapseShapeOp op) { return moveThroughCollapse(builder, op, scale); })
      .Case([&](tensor::ExtractSliceOp op) { return moveThroughSlice(builder, op, scale); })
      .Default(std::nullopt);
}

std::optional<BlockScale> fp8opt::moveScale(OpBuilder &builder, Operation *view, const BlockScale &scale) {
  std::optional<BlockScale> moved = move(builder, view, scale);
  if (!moved)
    return std::nullopt;
  // One element is the whole dimension: blocks have one spelling.
  ArrayRef<int64_t> shape = cast<RankedTensorType>(view->getResult(0).getType()).getShape();
  for (auto [size, block] : llvm::zip_equal(shape, moved->block))
    if (size == 1)
      block = kWhole;
  return moved;
}
