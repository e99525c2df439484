// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of dimensions that a reshape joins or splits.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt;

static constexpr int64_t kWhole = ShapedType::kDynamic;

static bool areAllOne(ArrayRef<int64_t> sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size == 1; });
}

std::optional<SmallVector<int64_t>> qt::splitBlock(int64_t block, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> blocks(sizes.size(), block == kWhole ? kWhole : 1);
  for (size_t dim = sizes.size(); dim-- > 0 && block != kWhole && block != 1;) {
    int64_t size = sizes[dim];
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    if (block % size == 0) {
      blocks[dim] = kWhole;
      block /= size;
      continue;
    }
    // A partial block ends inside a row unless this is the outermost dimension.
    if (size % block != 0 && !areAllOne(sizes.take_front(dim)))
      return std::nullopt;
    blocks[dim] = block > size ? kWhole : block;
    block = 1;
  }
  return blocks;
}

std::optional<int64_t> qt::joinBlocks(ArrayRef<int64_t> blocks, ArrayRef<int64_t> sizes) {
  if (llvm::all_of(blocks, [](int64_t block) { return block == 1; }))
    return 1;
  int64_t joined = 1; // unknown where a size is
  bool isCut = false, areAllWhole = true;
  for (size_t dim = blocks.size(); dim-- > 0;) {
    int64_t size = sizes[dim], block = blocks[dim];
    if (size == 1)
      continue;
    if (isCut) { // dimensions further out are in blocks of one
      if (block != 1)
        return std::nullopt;
      continue;
    }
    if (block == kWhole || (size > 0 && block >= size)) {
      areAllWhole &= block == kWhole;
      joined = ShapedType::isDynamic(size) || ShapedType::isDynamic(joined) ? kWhole : joined * size;
      continue;
    }
    bool isPartial = block != 1 && (ShapedType::isDynamic(size) || size % block != 0);
    if (ShapedType::isDynamic(joined) || joined == 0 || (isPartial && !areAllOne(sizes.take_front(dim))))
      return std::nullopt;
    joined *= block;
    isCut = true;
  }
  if (!isCut && areAllWhole)
    return kWhole;
  return ShapedType::isDynamic(joined) || joined == 0 ? std::nullopt : std::optional(joined);
}
