// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the views of numbers that views of codes stand for.

#include "NumbersOfCodes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;

std::optional<qt::HalfAttr> fp8opt::halfOfCodes(Value codes) {
  Operation *op = codes.getDefiningOp();
  if (auto quantize = dyn_cast_or_null<qt::QuantizeOp>(op))
    return quantize.getScales().empty() ? std::optional(quantize.getHalfAttr()) : std::nullopt;
  if (auto several = dyn_cast_or_null<qt::MultiQuantizeOp>(op))
    return several.getHalfAttr();
  if (!op || !op->hasTrait<qt::MovesCodes>())
    return std::nullopt;
  std::optional<qt::HalfAttr> first;
  for (Value operand : op->getOperands()) {
    if (!isa<qt::QTensorType>(operand.getType()))
      continue;
    std::optional<qt::HalfAttr> half = halfOfCodes(operand);
    if (!half)
      return std::nullopt;
    if (!first)
      first = half;
  }
  return first;
}

static SmallVector<int64_t> identityOf(int64_t rank) { return llvm::to_vector(llvm::seq<int64_t>(0, rank)); }

/// What is said of each dimension of the numbers, in the order of their tensor.
template <typename T> static SmallVector<T> ofTensor(ArrayRef<T> each, ArrayRef<int64_t> permutation) {
  return applyPermutation(each, invertPermutationVector(permutation));
}

static RankedTensorType typeOf(Value codes, ArrayRef<int64_t> permutation) {
  auto type = cast<qt::QTensorType>(codes.getType());
  return RankedTensorType::get(ofTensor(type.getShape(), permutation), type.getElementType());
}

Value NumbersWriter::once(Operation *op) {
  for (Operation *known : written)
    if (known->getBlock() == op->getBlock() &&
        OperationEquivalence::isEquivalentTo(known, op, OperationEquivalence::IgnoreLocations)) {
      op->erase();
      return known->getResult(0);
    }
  written.push_back(op);
  return op->getResult(0);
}

Value NumbersWriter::transposed(const Numbers &numbers) {
  if (isIdentityPermutation(numbers.permutation))
    return numbers.tensor;
  Location loc = numbers.tensor.getLoc();
  SmallVector<OpFoldResult> sizes = applyPermutation(
      ArrayRef<OpFoldResult>(tensor::getMixedSizes(builder, loc, numbers.tensor)), numbers.permutation);
  Value empty = once(tensor::EmptyOp::create(builder, loc, sizes,
                                             cast<ShapedType>(numbers.tensor.getType()).getElementType()));
  return once(linalg::TransposeOp::create(builder, loc, numbers.tensor, empty, numbers.permutation));
}

Numbers NumbersWriter::write(Value codes) {
  return TypeSwitch<Operation *, Numbers>(codes.getDefiningOp())
      .Case([&](qt::QuantizeOp op) -> Numbers {
        return {op.getInput(), identityOf(op.getInput().getType().getRank())};
      })
      .Case([&](qt::MultiQuantizeOp op) -> Numbers {
        return {op.getInput(), op.getPermutation(cast<OpResult>(codes).getResultNumber())};
      })
      .Case([&](qt::TransposeOp op) -> Numbers {
        Numbers numbers = write(op.getInput());
        applyPermutationToVector(numbers.permutation, op.getPermutation());
        return numbers;
      })
      .Case<qt::ReshapeOp, qt::SliceOp, qt::ConcatOp, qt::BroadcastOp, qt::PadOp>(
          [&](auto op) { return of(op); });
}

/// The dimensions of the tensor that each group of the numbers' joins; none where they are not side by side.
static std::optional<SmallVector<ReassociationIndices>> groupsOfTensor(ArrayRef<ReassociationIndices> groups,
                                                                       ArrayRef<int64_t> permutation) {
  SmallVector<ReassociationIndices> before;
  for (ArrayRef<int64_t> group : groups) {
    ReassociationIndices &joined = before.emplace_back();
    for (int64_t dimension : group) {
      joined.push_back(permutation[dimension]);
      if (joined.size() > 1 && joined.end()[-1] != joined.end()[-2] + 1)
        return std::nullopt;
    }
  }
  return before;
}

Numbers NumbersWriter::of(qt::ReshapeOp reshape) {
  Numbers numbers = write(reshape.getInput());
  Location loc = reshape.getLoc();
  SmallVector<ReassociationIndices> groups = reshape.getGroups();
  // The larger rank's dimensions for each of the smaller's, in the order of the tensor of the smaller rank.
  SmallVector<ReassociationIndices> ofSmall(groups.size());
  SmallVector<int64_t> permutation(groups.size());
  if (reshape.isCollapse()) {
    auto before = groupsOfTensor(groups, numbers.permutation);
    if (!before) {
      numbers = {transposed(numbers), identityOf(numbers.permutation.size())};
      before = groups;
    }
    SmallVector<int64_t> order = identityOf(groups.size());
    llvm::sort(order, [&](int64_t a, int64_t b) { return (*before)[a].front() < (*before)[b].front(); });
    for (auto [position, group] : llvm::enumerate(order)) {
      permutation[group] = static_cast<int64_t>(position);
      ofSmall[position] = (*before)[group];
    }
    return {once(tensor::CollapseShapeOp::create(builder, loc, numbers.tensor, ofSmall)), permutation};
  }
  SmallVector<int64_t> expanded(reshape.getType().getRank());
  int64_t next = 0;
  for (int64_t group : invertPermutationVector(numbers.permutation))
    for (int64_t dimension : groups[group]) {
      expanded[dimension] = next;
      ofSmall[numbers.permutation[group]].push_back(next++);
    }
  SmallVector<OpFoldResult> sizes = getMixedValues(reshape.getType().getShape(), reshape.getSizes(), builder);
  return {once(tensor::ExpandShapeOp::create(builder, loc, typeOf(reshape, expanded), numbers.tensor, ofSmall,
                                             ofTensor(ArrayRef(sizes), expanded))),
          expanded};
}

/// What a view says of each dimension, in numbers or values, in the order of the tensor.
SmallVector<OpFoldResult> NumbersWriter::inTensor(const Numbers &numbers, ArrayRef<int64_t> known,
                                                  ValueRange values) {
  return ofTensor(ArrayRef(getMixedValues(known, values, builder)), numbers.permutation);
}

Numbers NumbersWriter::of(qt::SliceOp slice) {
  Numbers numbers = write(slice.getInput());
  return {
      once(tensor::ExtractSliceOp::create(builder, slice.getLoc(), numbers.tensor,
                                          inTensor(numbers, slice.getStaticOffsets(), slice.getOffsets()),
                                          inTensor(numbers, slice.getStaticSizes(), slice.getSizes()),
                                          inTensor(numbers, slice.getStaticStrides(), slice.getStrides()))),
      numbers.permutation};
}

Numbers NumbersWriter::of(qt::ConcatOp concat) {
  SmallVector<Numbers> parts;
  for (Value input : concat.getInputs())
    parts.push_back(write(input));
  SmallVector<int64_t> permutation = parts.front().permutation;
  if (!llvm::all_of(parts, [&](const Numbers &part) { return part.permutation == permutation; }))
    permutation = identityOf(permutation.size());
  SmallVector<Value> tensors;
  for (const Numbers &part : parts)
    tensors.push_back(part.permutation == permutation ? part.tensor : transposed(part));
  return {once(tensor::ConcatOp::create(builder, concat.getLoc(),
                                        permutation[static_cast<int64_t>(concat.getDim())], tensors)),
          permutation};
}

Numbers NumbersWriter::of(qt::BroadcastOp broadcast) {
  Numbers numbers = write(broadcast.getInput());
  Location loc = broadcast.getLoc();
  ArrayRef<int64_t> added = broadcast.getDimensions();
  // Where the tensor is transposed, new dimensions are its first ones.
  const bool isInOrder = isIdentityPermutation(numbers.permutation);
  SmallVector<int64_t> permutation, dimensions = identityOf(static_cast<int64_t>(added.size()));
  int64_t numKept = 0, numAdded = 0;
  for (int64_t dimension = 0; dimension < broadcast.getType().getRank(); ++dimension)
    if (isInOrder)
      permutation.push_back(dimension);
    else if (llvm::is_contained(added, dimension))
      permutation.push_back(numAdded++);
    else
      permutation.push_back(static_cast<int64_t>(added.size()) + numbers.permutation[numKept++]);
  if (isInOrder)
    dimensions.assign(added.begin(), added.end());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dimension = 0, kept = 0, dynamic = 0; dimension < broadcast.getType().getRank(); ++dimension) {
    const bool isAdded = llvm::is_contained(added, dimension);
    if (!broadcast.getType().isDynamicDim(dimension))
      sizes.push_back(builder.getIndexAttr(broadcast.getType().getDimSize(dimension)));
    else if (isAdded)
      sizes.push_back(broadcast.getSizes()[dynamic++]);
    else
      sizes.push_back(tensor::getMixedSize(builder, loc, numbers.tensor, numbers.permutation[kept]));
    kept += !isAdded;
  }
  Value empty = once(tensor::EmptyOp::create(builder, loc, ofTensor(ArrayRef(sizes), permutation),
                                             broadcast.getType().getElementType()));
  return {once(linalg::BroadcastOp::create(builder, loc, numbers.tensor, empty, dimensions)), permutation};
}

Numbers NumbersWriter::of(qt::PadOp pad) {
  Numbers numbers = write(pad.getInput());
  Location loc = pad.getLoc();
  Value zero = once(arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(cast<FloatType>(pad.getType().getElementType()), 0)));
  return {once(tensor::PadOp::create(builder, loc, typeOf(pad, numbers.permutation), numbers.tensor,
                                     inTensor(numbers, pad.getStaticLow(), pad.getLow()),
                                     inTensor(numbers, pad.getStaticHigh(), pad.getHigh()), zero)),
          numbers.permutation};
}
