// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions on the way back through what only renames them.

#include "OperandDimensions.h"

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace fp8opt;

Dimensions fp8opt::dimensionsOf(Value value) {
  Dimensions dimensions;
  for (int64_t dimension : llvm::seq(cast<ShapedType>(value.getType()).getRank()))
    dimensions.push_back({dimension});
  return dimensions;
}

Dimensions fp8opt::throughTranspose(const Dimensions &dimensions, ArrayRef<int64_t> permutation) {
  Dimensions before = dimensions;
  for (SmallVector<int64_t> &group : before)
    for (int64_t &dimension : group)
      dimension = permutation[dimension];
  return before;
}

Dimensions fp8opt::throughCollapse(const Dimensions &dimensions, ArrayRef<ReassociationIndices> groups) {
  Dimensions before(dimensions.size());
  for (auto [from, to] : llvm::zip(dimensions, before))
    for (int64_t dimension : from)
      llvm::append_range(to, groups[dimension]);
  return before;
}

std::optional<Dimensions> fp8opt::throughExpand(const Dimensions &dimensions,
                                                ArrayRef<ReassociationIndices> groups,
                                                ArrayRef<int64_t> shape) {
  // Which dimension begins a group and which follows another; one of a single element does neither, unless it
  // is all of its group.
  SmallVector<int64_t> groupOf(shape.size()), next(shape.size(), -1);
  SmallVector<bool> isFirst(shape.size());
  for (auto [number, group] : llvm::enumerate(groups)) {
    int64_t before = -1;
    for (int64_t dimension : group) {
      groupOf[dimension] = static_cast<int64_t>(number);
      if (shape[dimension] == 1 && (before >= 0 || dimension != group.back()))
        continue;
      isFirst[dimension] = before < 0;
      if (before >= 0)
        next[before] = dimension;
      before = dimension;
    }
  }
  Dimensions before(dimensions.size());
  for (auto [from, to] : llvm::zip(dimensions, before)) {
    int64_t expected = -1;
    for (int64_t dimension : from) {
      if (isFirst[dimension] && expected < 0)
        to.push_back(groupOf[dimension]);
      else if (!isFirst[dimension] && dimension != expected && shape[dimension] == 1)
        continue;
      else if (isFirst[dimension] || dimension != expected)
        return std::nullopt;
      expected = next[dimension];
    }
    if (expected >= 0)
      return std::nullopt;
  }
  return before;
}

int64_t fp8opt::countKnown(ArrayRef<int64_t> shape, ArrayRef<int64_t> dimensions) {
  int64_t count = 1;
  for (int64_t dimension : dimensions)
    if (!ShapedType::isDynamic(shape[dimension]))
      count = qt::multiplySizes(count, shape[dimension]);
  return count;
}

std::string fp8opt::whyNotCounted(ArrayRef<int64_t> shape, ArrayRef<int64_t> dimensions) {
  const int64_t count = countKnown(shape, dimensions);
  if (count <= std::numeric_limits<int32_t>::max())
    return {};
  return "it has a dimension of " + std::to_string(count) + " elements, and kernels count in 32 bits";
}

std::string fp8opt::whyNotCountedRows(RankedTensorType result) {
  return whyNotCounted(result.getShape(), llvm::to_vector(llvm::seq<int64_t>(0, result.getRank() - 1)));
}
