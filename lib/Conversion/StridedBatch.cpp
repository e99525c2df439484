// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strides of matrices, computed from the sizes of the tensors that they lie in.

#include "StridedBatch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace fp8opt;

static OpFoldResult multiply(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes) {
  AffineExpr product = builder.getAffineConstantExpr(1);
  for (unsigned symbol = 0; symbol < sizes.size(); ++symbol)
    product = product * builder.getAffineSymbolExpr(symbol);
  return affine::makeComposedFoldedAffineApply(builder, loc, AffineMap::get(0, sizes.size(), product), sizes);
}

namespace {
/// Products of sizes of a source.
class Sizes {
public:
  Sizes(OpBuilder &builder, Location loc, const RowMajorOperand &operand)
      : builder(builder), loc(loc), operand(operand) {}

  OpFoldResult product(ArrayRef<int64_t> dimensions) const {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dimension : dimensions)
      sizes.push_back(tensor::getMixedSize(builder, loc, operand.source, dimension));
    return multiply(builder, loc, sizes);
  }
  /// From one to the next of what the run counts; of one alone anything will do.
  OpFoldResult stride(ArrayRef<int64_t> run) const {
    if (run.empty())
      return builder.getIndexAttr(anyStride);
    return product(llvm::to_vector(llvm::seq(run.back() + 1, operand.source.getType().getRank())));
  }

private:
  /// In elements of 16 bits, 16 bytes.
  static constexpr int64_t anyStride = 8;

  OpBuilder &builder;
  Location loc;
  const RowMajorOperand &operand;
};
} // namespace

/// Matrices of the inner run, if there is an outer one and it is known; of two, it has to be.
static std::optional<int64_t> countInner(const RowMajorOperand &operand) {
  if (operand.outer.empty())
    return std::nullopt;
  int64_t count = 1;
  for (int64_t dimension : operand.inner)
    if (int64_t size = operand.source.getType().getDimSize(dimension); ShapedType::isDynamic(size))
      return std::nullopt;
    else
      count *= size;
  return count;
}

static bool isBeyondStrides(const RowMajorOperand &operand) {
  RankedTensorType type = operand.source.getType();
  return type.hasStaticShape() && type.getNumElements() > std::numeric_limits<uint32_t>::max();
}

StridedBatch StridedBatch::find(Value lhs, Value rhs) {
  auto findKnown = [](Value operand) {
    RowMajorOperand found = findRowMajorOperand(operand, /*mayCut=*/true);
    bool isKnown = found.outer.empty() || countInner(found);
    return isKnown ? found : findRowMajorOperand(operand, /*mayCut=*/false);
  };
  StridedBatch batch = {findKnown(lhs), findKnown(rhs)};
  std::optional<int64_t> left = countInner(batch.lhs), right = countInner(batch.rhs);
  if (left && right && left != right)
    batch.rhs = findRowMajorOperand(rhs, /*mayCut=*/false);
  // From one outer matrix to the next may be further than 32 bits count; matrices that follow each other have
  // one.
  bool isFar = isBeyondStrides(batch.lhs) || isBeyondStrides(batch.rhs);
  if (batch.isCut() && isFar)
    return {findRowMajorOperand(lhs, /*mayCut=*/false), findRowMajorOperand(rhs, /*mayCut=*/false)};
  return batch;
}

/// Rows of the product's operand and elements of its contraction.
static std::pair<ArrayRef<int64_t>, ArrayRef<int64_t>> asOperand(const RowMajorOperand &operand) {
  if (operand.isTransposed)
    return {operand.columns, operand.rows};
  return {operand.rows, operand.columns};
}

SmallVector<OpFoldResult> StridedBatch::sizesOfResult(OpBuilder &builder, Location loc) const {
  SmallVector<OpFoldResult> sizes;
  Sizes left(builder, loc, lhs), right(builder, loc, rhs);
  for (ArrayRef<int64_t> dimension : lhs.batch)
    sizes.push_back(left.product(dimension));
  sizes.push_back(left.product(asOperand(lhs).first));
  sizes.push_back(right.product(asOperand(rhs).first));
  return sizes;
}

OpFoldResult StridedBatch::contracted(OpBuilder &builder, Location loc) const {
  return Sizes(builder, loc, lhs).product(asOperand(lhs).second);
}

SmallVector<OpFoldResult> StridedBatch::integers(OpBuilder &builder, Location loc) const {
  SmallVector<int64_t> all(lhs.outer);
  llvm::append_range(all, lhs.inner);
  OpFoldResult groups = Sizes(builder, loc, lhs).product(all), inner = groups;
  for (const RowMajorOperand *operand : {&lhs, &rhs})
    if (std::optional<int64_t> count = countInner(*operand))
      inner = builder.getIndexAttr(*count);
  SmallVector<OpFoldResult> integers = {groups, inner};
  for (const RowMajorOperand *operand : {&lhs, &rhs}) {
    Sizes sizes(builder, loc, *operand);
    OpFoldResult ofInner = sizes.stride(operand->inner);
    integers.push_back(sizes.product(operand->sizesOfRow()));
    integers.push_back(ofInner);
    // In one run, outer matrices follow the inner ones, if there are some.
    bool follows = operand->outer.empty() && isCut();
    integers.push_back(follows ? multiply(builder, loc, {ofInner, inner}) : sizes.stride(operand->outer));
  }
  return integers;
}
