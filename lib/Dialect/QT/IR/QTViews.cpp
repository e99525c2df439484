// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When moving the elements of a tensor moves whole blocks.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

using Sizes = ArrayRef<int64_t>;

static bool isKnown(int64_t size) { return !ShapedType::isDynamic(size); }

/// Whether one block covers a dimension: it is `*`, or as large as a dimension that has elements.
static bool isWhole(int64_t size, int64_t block) {
  return !isKnown(block) || size == 1 || (isKnown(size) && size > 0 && block >= size);
}

static bool areAllOne(Sizes sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size == 1; });
}

static std::string text(int64_t size, StringRef unknown) {
  return isKnown(size) ? std::to_string(size) : unknown.str();
}
static std::string text(Sizes sizes, StringRef unknown) {
  std::string all;
  for (int64_t size : sizes)
    all += (all.empty() ? "[" : ", ") + text(size, unknown);
  return all.empty() ? "[]" : all + "]";
}
static std::string place(int64_t dim, unsigned level) {
  return "dimension " + std::to_string(dim) + " at scale level " + std::to_string(level);
}

static bool isPerTensor(QTensorType type, unsigned level) {
  return type.getScheme().getScales()[level].getLevel().block.empty();
}
static unsigned numLevels(QTensorType type) { return type.getScheme().getScales().size(); }

/// Whether two types stand for numbers of one type in one way, whatever their shapes and blocks.
static bool agreeButForBlocks(QTensorType a, QTensorType b) {
  if (a.getElementType() != b.getElementType() || numLevels(a) != numLevels(b))
    return false;
  numerics::Scheme scheme = a.getScheme().getNumerics(), other = b.getScheme().getNumerics();
  for (auto [level, same] : llvm::zip_equal(scheme.levels, other.levels))
    level.block = same.block;
  return SchemeAttr::get(a.getContext(), scheme) == b.getScheme();
}

/// `like` with another shape and blocks, a size for each dimension and level. A level per tensor stays so
/// where that is what its block is; under a rule of two levels it must.
static QTensorType withBlocks(QTensorType like, Sizes shape, ArrayRef<SmallVector<int64_t>> blocks,
                              WhyNot &why) {
  numerics::Scheme scheme = like.getScheme().getNumerics();
  size_t batch = shape.size() - std::min<size_t>(2, shape.size());
  for (auto [level, scale] : llvm::enumerate(scheme.levels)) {
    Sizes block = blocks[level];
    bool staysPerTensor = scale.block.empty() && areAllOne(block.take_front(batch)) &&
                          llvm::none_of(block.drop_front(batch), isKnown);
    if (staysPerTensor)
      continue;
    if (scheme.levels.size() > 1 && scale.block.empty()) {
      why = "expected scale level " + std::to_string(level) +
            " to be one scale for each batch slice, got blocks of " + text(block, "*");
      return {};
    }
    if (scheme.levels.size() > 1 && !areAllOne(block.take_front(batch))) {
      why = "expected blocks of scale level 0 within one batch slice, got " + text(block, "*");
      return {};
    }
    scale.block.clear();
    for (int64_t size : block)
      scale.block.push_back(isKnown(size) ? size : -1);
  }
  return QTensorType::get(like.getContext(), shape, like.getElementType(),
                          SchemeAttr::get(like.getContext(), scheme));
}

namespace {
/// How many elements in row-major order a block covers.
struct Run {
  int64_t length = 1;
  bool isWhole = false; // all elements; the length may then be unknown
};
} // namespace

/// The run of elements that each block of these dimensions is, if it is one and blocks do not begin anew
/// within a run: 1 in front, then a divisor, then whole.
static std::optional<Run> runOf(Sizes sizes, Sizes block) {
  Run run;
  size_t dim = sizes.size();
  while (dim > 0 && isWhole(sizes[dim - 1], block[dim - 1])) {
    --dim;
    run.length = isKnown(sizes[dim]) && isKnown(run.length) ? run.length * sizes[dim] : ShapedType::kDynamic;
  }
  if (dim == 0)
    return Run{run.length, /*isWhole=*/true};
  --dim;
  if (run.length == 0 || !isKnown(run.length))
    return std::nullopt;
  run.length *= block[dim];
  Sizes outer = sizes.take_front(dim);
  if (areAllOne(outer))
    return run;
  bool divides = block[dim] == 1 || (isKnown(sizes[dim]) && sizes[dim] % block[dim] == 0);
  bool outerAreOne = llvm::all_of(llvm::zip_equal(outer, block.take_front(dim)), [](auto sizeAndBlock) {
    return std::get<0>(sizeAndBlock) == 1 || std::get<1>(sizeAndBlock) == 1;
  });
  return divides && outerAreOne ? std::optional(run) : std::nullopt;
}

/// Whether a block of `size` elements in a row is that run.
static bool isRun(int64_t size, int64_t block, Run run) {
  if (run.isWhole)
    return isWhole(size, block);
  return block == run.length;
}

/// The block of a group of dimensions that is a run of `block` of their `size` elements, if there is one;
/// runOf says whether.
static SmallVector<int64_t> expandBlock(Sizes sizes, int64_t size, int64_t block) {
  if (!isKnown(block))
    return SmallVector<int64_t>(sizes.size(), ShapedType::kDynamic);
  if (block > 1 && isWhole(size, block))
    return SmallVector<int64_t>(sizes);
  SmallVector<int64_t> expanded(sizes.size(), 1);
  for (size_t dim = sizes.size(); dim > 0 && block > 1; --dim) {
    bool whole = isKnown(sizes[dim - 1]) && sizes[dim - 1] > 0 && block % sizes[dim - 1] == 0;
    expanded[dim - 1] = whole ? sizes[dim - 1] : block;
    block = whole ? block / sizes[dim - 1] : 1;
  }
  return expanded;
}

/// The sizes or blocks of a group's dimensions.
static SmallVector<int64_t> pick(Sizes of, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return of[dim]; });
}

WhyNot fp8opt::qt::whyNotReshape(QTensorType from, QTensorType to, ArrayRef<ReassociationIndices> groups) {
  if (!agreeButForBlocks(from, to))
    return "expected schemes that are equal but for their blocks, and one expressed type, got others";
  auto [large, small] = from.getRank() > to.getRank() ? std::pair(from, to) : std::pair(to, from);
  for (unsigned level = 0; level < numLevels(from); ++level) {
    SmallVector<int64_t> largeBlock = large.getBlock(level), smallBlock = small.getBlock(level);
    for (auto [dim, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> sizes = pick(large.getShape(), group), block = pick(largeBlock, group);
      int64_t size = small.getShape()[dim];
      std::optional<Run> run = runOf(sizes, block);
      if (run && isRun(size, smallBlock[dim], *run))
        continue;
      return "expected blocks of " + text(smallBlock[dim], "*") + " of a dimension of " + text(size, "?") +
             " to be blocks of dimensions of " + text(sizes, "?") + " at scale level " +
             std::to_string(level) + ", got " + (run ? "" : "parts of ") + text(block, "*");
    }
  }
  return {};
}

QTensorType fp8opt::qt::reshapedFrom(Sizes from, QTensorType to, ArrayRef<ReassociationIndices> groups,
                                     WhyNot &why) {
  SmallVector<SmallVector<int64_t>> blocks;
  for (unsigned level = 0; level < numLevels(to); ++level) {
    SmallVector<int64_t> toBlock = to.getBlock(level), block;
    for (auto [dim, group] : llvm::enumerate(groups)) {
      if (int64_t(from.size()) > to.getRank()) {
        llvm::append_range(block, expandBlock(pick(from, group), to.getShape()[dim], toBlock[dim]));
        continue;
      }
      SmallVector<int64_t> sizes = pick(to.getShape(), group), expanded = pick(toBlock, group);
      std::optional<Run> run = runOf(sizes, expanded);
      if (!run) {
        why = "expected blocks of " + text(expanded, "*") + " of dimensions of " + text(sizes, "?") +
              " to be elements in a row at scale level " + std::to_string(level) +
              ", got parts of several rows";
        return {};
      }
      bool isStar = llvm::any_of(expanded, [](int64_t size) { return !isKnown(size); });
      block.push_back(run->isWhole && (isStar || !isKnown(run->length)) ? ShapedType::kDynamic
                                                                        : std::max<int64_t>(run->length, 1));
    }
    blocks.push_back(block);
  }
  QTensorType type = withBlocks(to, from, blocks, why);
  if (type)
    why = whyNotReshape(type, to, groups);
  return why.empty() ? type : QTensorType();
}

QTensorType fp8opt::qt::transposedFrom(QTensorType to, ArrayRef<int64_t> permutation, WhyNot &why) {
  SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  SmallVector<int64_t> shape = applyPermutation(to.getShape(), inverse);
  SmallVector<SmallVector<int64_t>> blocks;
  for (unsigned level = 0; level < numLevels(to); ++level) {
    blocks.push_back(applyPermutation(to.getBlock(level), inverse));
    for (int64_t dim = 0; isPerTensor(to, level) && dim + 2 < to.getRank(); ++dim) {
      if (permutation[dim] == dim)
        continue;
      why = "expected batch dimension " + std::to_string(dim) +
            " to stay in place under a scale level per tensor, got dimension " +
            std::to_string(permutation[dim]);
      return {};
    }
  }
  return withBlocks(to, shape, blocks, why);
}

WhyNot fp8opt::qt::whyNotSlice(QTensorType from, Sizes offsets, Sizes sizes, Sizes strides) {
  for (unsigned level = 0; level < numLevels(from); ++level) {
    SmallVector<int64_t> blocks = from.getBlock(level);
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      int64_t size = from.getShape()[dim], block = blocks[dim];
      bool isAll =
          isKnown(size) && offsets[dim] == 0 && sizes[dim] == size && (strides[dim] == 1 || size == 1);
      if (isAll || block == 1)
        continue;
      std::string expected =
          "expected whole blocks of " + text(block, "*") + " along " + place(dim, level) + ", got ";
      if (!isKnown(block))
        return expected + "a part of the dimension";
      if (strides[dim] != 1)
        return expected + "every element at a stride of " + text(strides[dim], "unknown size");
      if (!isKnown(offsets[dim]) || offsets[dim] % block != 0)
        return expected + "a slice from " + text(offsets[dim], "an unknown offset");
      bool endsOnBlock = isKnown(sizes[dim]) && sizes[dim] % block == 0;
      bool endsWithAll = isKnown(sizes[dim]) && isKnown(size) && offsets[dim] + sizes[dim] == size;
      if (!endsOnBlock && !endsWithAll)
        return expected + "a slice of " + text(sizes[dim], "an unknown size");
    }
  }
  return {};
}

WhyNot fp8opt::qt::whyNotConcat(ArrayRef<QTensorType> operands, int64_t dim) {
  for (unsigned level = 0; level < numLevels(operands.front()); ++level) {
    int64_t block = operands.front().getBlock(level)[dim];
    if (block == 1)
      continue;
    for (auto [number, operand] : llvm::enumerate(operands.drop_back())) {
      int64_t size = operand.getShape()[dim];
      if (isKnown(block) && isKnown(size) && size % block == 0)
        continue;
      return "expected whole blocks of " + text(block, "*") + " along " + place(dim, level) +
             " in every operand but the last, got " + text(size, "an unknown size") + " in operand " +
             std::to_string(number);
    }
  }
  return {};
}

/// The dimensions that a broadcast keeps, in order.
static SmallVector<int64_t> keptDims(int64_t rank, ArrayRef<int64_t> dimensions) {
  return llvm::filter_to_vector(llvm::seq<int64_t>(0, rank),
                                [&](int64_t dim) { return !llvm::is_contained(dimensions, dim); });
}

WhyNot fp8opt::qt::whyNotBroadcast(QTensorType from, QTensorType to, ArrayRef<int64_t> dimensions) {
  if (!agreeButForBlocks(from, to))
    return "expected schemes that are equal but for their blocks, and one expressed type, got others";
  SmallVector<int64_t> kept = keptDims(to.getRank(), dimensions);
  for (unsigned level = 0; level < numLevels(to); ++level) {
    SmallVector<int64_t> toBlock = to.getBlock(level), fromBlock = from.getBlock(level);
    for (auto [fromDim, dim] : llvm::enumerate(kept)) {
      int64_t size = from.getShape()[fromDim];
      bool bothWhole = isWhole(size, fromBlock[fromDim]) && isWhole(size, toBlock[dim]);
      if (!bothWhole && fromBlock[fromDim] != toBlock[dim])
        return "expected blocks of " + text(fromBlock[fromDim], "*") + " along " + place(dim, level) +
               ", the operand's, got " + text(toBlock[dim], "*");
    }
    for (int64_t dim : dimensions)
      if (!isKnown(toBlock[dim]) && (!isKnown(to.getShape()[dim]) || to.getShape()[dim] == 0))
        return "expected a known size that is not 0 of new " + place(dim, level) +
               ", where a block is all of it, got " + text(to.getShape()[dim], "?");
  }
  return {};
}

QTensorType fp8opt::qt::broadcastFrom(Sizes from, QTensorType to, ArrayRef<int64_t> dimensions, WhyNot &why) {
  SmallVector<SmallVector<int64_t>> blocks;
  for (unsigned level = 0; level < numLevels(to); ++level)
    blocks.push_back(pick(to.getBlock(level), keptDims(to.getRank(), dimensions)));
  QTensorType type = withBlocks(to, from, blocks, why);
  if (type)
    why = whyNotBroadcast(type, to, dimensions);
  return why.empty() ? type : QTensorType();
}

WhyNot fp8opt::qt::whyNotPad(QTensorType from, Sizes low, Sizes high) {
  for (unsigned level = 0; level < numLevels(from); ++level) {
    SmallVector<int64_t> blocks = from.getBlock(level);
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      int64_t size = from.getShape()[dim], block = blocks[dim];
      if ((low[dim] == 0 && high[dim] == 0) || block == 1)
        continue;
      std::string expected = "expected added zeros to share no block of " + text(block, "*") + " along " +
                             place(dim, level) + " with other elements, got ";
      if (!isKnown(block) || !isKnown(low[dim]) || low[dim] % block != 0)
        return expected + text(low[dim], "an unknown number") + " in front and " +
               text(high[dim], "an unknown number") + " behind";
      if (high[dim] != 0 && (!isKnown(size) || size % block != 0))
        return expected + text(high[dim], "an unknown number") + " behind " + text(size, "an unknown number");
    }
  }
  return {};
}
