// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor cut into the blocks of a scale level, in IR.

#include "Blocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt;

/// A size rounded up to a number of blocks; folded where it is static.
static OpFoldResult numBlocks(OpBuilder &builder, Location loc, OpFoldResult size, int64_t block) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return builder.getIndexAttr(llvm::divideCeil(*known, block));
  Value blockValue = arith::ConstantIndexOp::create(builder, loc, block);
  return arith::CeilDivUIOp::create(builder, loc, cast<Value>(size), blockValue).getResult();
}

Blocks::Blocks(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> block)
    : builder(builder), loc(loc) {
  for (auto [size, blockSize] : llvm::zip_equal(sizes, block)) {
    Dim dim;
    dim.size = size;
    std::optional<int64_t> known = getConstantIntValue(size);
    if (blockSize == 1) {
      dim.outer = size;
    } else if (ShapedType::isDynamic(blockSize) || (known && *known > 0 && *known <= blockSize)) {
      dim.inner = size;
    } else {
      dim.outer = numBlocks(builder, loc, size, blockSize);
      dim.inner = builder.getIndexAttr(blockSize);
      dim.padded = !known || *known % blockSize != 0;
    }
    dims.push_back(dim);
  }
}

SmallVector<OpFoldResult> Blocks::splitSizes() const {
  SmallVector<OpFoldResult> sizes;
  for (const Dim &dim : dims) {
    if (dim.outer)
      sizes.push_back(dim.outer);
    if (dim.inner)
      sizes.push_back(dim.inner);
  }
  return sizes;
}

SmallVector<OpFoldResult> Blocks::blockSizes() const {
  SmallVector<OpFoldResult> sizes;
  for (const Dim &dim : dims)
    if (dim.outer)
      sizes.push_back(dim.outer);
  return sizes;
}

unsigned Blocks::numBlockDims() const {
  return llvm::count_if(dims, [](const Dim &dim) { return bool(dim.outer); });
}

AffineMap Blocks::elementMap() const {
  return AffineMap::getMultiDimIdentityMap(splitSizes().size(), builder.getContext());
}

AffineMap Blocks::blockMap() const {
  SmallVector<AffineExpr> results;
  unsigned loop = 0;
  for (const Dim &dim : dims) {
    if (dim.outer)
      results.push_back(builder.getAffineDimExpr(loop++));
    if (dim.inner)
      ++loop;
  }
  return AffineMap::get(loop, 0, results, builder.getContext());
}

SmallVector<utils::IteratorType> Blocks::iterators(utils::IteratorType inner) const {
  SmallVector<utils::IteratorType> types;
  for (const Dim &dim : dims) {
    if (dim.outer)
      types.push_back(utils::IteratorType::parallel);
    if (dim.inner)
      types.push_back(inner);
  }
  return types;
}

SmallVector<ReassociationIndices> Blocks::reassociation() const {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (const Dim &dim : dims) {
    groups.emplace_back().push_back(next++);
    if (dim.outer && dim.inner)
      groups.back().push_back(next++);
  }
  return groups;
}

Value Blocks::split(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> none(dims.size(), builder.getIndexAttr(0)), high = none;
  SmallVector<int64_t> paddedShape(type.getShape());
  bool padded = false;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (!dim.padded)
      continue;
    padded = true;
    int64_t inner = *getConstantIntValue(dim.inner);
    if (std::optional<int64_t> outer = getConstantIntValue(dim.outer)) {
      paddedShape[index] = *outer * inner;
      high[index] = builder.getIndexAttr(*outer * inner - type.getDimSize(index));
      continue;
    }
    Value whole = arith::MulIOp::create(builder, loc, cast<Value>(dim.outer),
                                        arith::ConstantIndexOp::create(builder, loc, inner));
    high[index] = arith::SubIOp::create(builder, loc, whole, cast<Value>(dim.size)).getResult();
  }
  // Padding of no elements does not bufferize: the slice that it is a copy into begins out of bounds.
  if (padded && llvm::any_of(dims, [](const Dim &dim) { return isConstantIntValue(dim.size, 0); }))
    return emitEmpty(builder, loc, splitSizes(), type.getElementType());
  if (padded) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
    tensor = tensor::PadOp::create(builder, loc, type.clone(paddedShape), tensor, none, high, zero);
  }
  SmallVector<OpFoldResult> sizes = splitSizes();
  if (sizes.size() == dims.size())
    return tensor;
  SmallVector<int64_t> shape;
  std::tie(shape, std::ignore) = decomposeMixedValues(sizes);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor, reassociation(), sizes);
}

Value Blocks::join(Value split) {
  Value joined = split;
  if (splitSizes().size() != dims.size())
    joined = tensor::CollapseShapeOp::create(builder, loc, split, reassociation());
  if (llvm::none_of(dims, [](const Dim &dim) { return dim.padded; }))
    return joined;
  SmallVector<OpFoldResult> sizes;
  for (const Dim &dim : dims)
    sizes.push_back(dim.size);
  // A slice of no elements does not verify: its offset is out of bounds.
  if (llvm::any_of(sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
    return emitEmpty(builder, loc, sizes, cast<RankedTensorType>(split.getType()).getElementType());
  SmallVector<OpFoldResult> zeros(dims.size(), builder.getIndexAttr(0)),
      ones(dims.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, joined, zeros, sizes, ones);
}

/// The groups that join a size of 1 to the dimension before it, or, at the start, to the first that follows.
static SmallVector<ReassociationIndices> groupsWithOnes(ArrayRef<bool> isOne) {
  SmallVector<ReassociationIndices> groups;
  bool groupHasOuter = false;
  for (auto [dim, one] : llvm::enumerate(isOne)) {
    if (groups.empty() || (!one && groupHasOuter)) {
      groups.emplace_back();
      groupHasOuter = false;
    }
    groupHasOuter |= !one;
    groups.back().push_back(dim);
  }
  if (!groupHasOuter)
    groups.clear(); // nothing but ones: a tensor of rank 0
  return groups;
}

static SmallVector<bool> wholeDims(ArrayRef<bool> hasOuter) {
  SmallVector<bool> ones;
  for (bool outer : hasOuter)
    ones.push_back(!outer);
  return ones;
}

Value Blocks::squeeze(Value scales) {
  int64_t rank = cast<RankedTensorType>(scales.getType()).getRank();
  if (rank == numBlockDims())
    return scales;
  SmallVector<bool> outer = llvm::map_to_vector(dims, [](const Dim &dim) { return bool(dim.outer); });
  return tensor::CollapseShapeOp::create(builder, loc, scales, groupsWithOnes(wholeDims(outer)));
}

Value Blocks::unsqueeze(Value perBlock, RankedTensorType type) {
  if (type.getRank() == int64_t(numBlockDims()))
    return perBlock;
  SmallVector<bool> outer = llvm::map_to_vector(dims, [](const Dim &dim) { return bool(dim.outer); });
  SmallVector<OpFoldResult> sizes;
  for (const Dim &dim : dims)
    sizes.push_back(dim.outer ? dim.outer : builder.getIndexAttr(1));
  return tensor::ExpandShapeOp::create(builder, loc, type, perBlock, groupsWithOnes(wholeDims(outer)), sizes);
}

SmallVector<Value> fp8opt::emitGeneric(OpBuilder &builder, Location loc, ValueRange inputs, ValueRange inits,
                                       ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
                                       function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  auto generic = linalg::GenericOp::create(builder, loc, inits.getTypes(), inputs, inits, maps, iterators,
                                           [&](OpBuilder &inside, Location loc, ValueRange elements) {
                                             linalg::YieldOp::create(inside, loc, body(inside, elements));
                                           });
  return llvm::to_vector_of<Value>(generic.getResults());
}

SmallVector<OpFoldResult> fp8opt::emitSizes(OpBuilder &builder, Location loc, Value tensor) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape()))
    sizes.push_back(ShapedType::isDynamic(size)
                        ? OpFoldResult(tensor::DimOp::create(builder, loc, tensor, dim).getResult())
                        : OpFoldResult(builder.getIndexAttr(size)));
  return sizes;
}

Value fp8opt::emitEmpty(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(builder, loc, sizes, element);
}

Value fp8opt::emitZeros(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes, Type element) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  return linalg::FillOp::create(builder, loc, zero, emitEmpty(builder, loc, sizes, element)).getResult(0);
}
