// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a product to matrices that lie in memory, in either order.

#include "RowMajorOperand.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace fp8opt;

/// What rows and matrices start at multiples of.
constexpr int64_t startBytes = 16;

static SmallVector<int64_t> behind(const RowMajorOperand &operand, int64_t dimension) {
  return llvm::to_vector(llvm::seq(dimension + 1, operand.source.getType().getRank()));
}

/// Empty if the elements of all these dimensions are a multiple, whatever a size is that is not known.
static std::string whyNoStart(const RowMajorOperand &operand, StringRef what, ArrayRef<int64_t> dimensions) {
  RankedTensorType type = operand.source.getType();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  bool isKnown = true;
  for (int64_t dimension : dimensions)
    if (int64_t size = type.getDimSize(dimension); ShapedType::isDynamic(size))
      isKnown = false;
    else
      bytes *= size;
  if (bytes % startBytes == 0)
    return {};
  std::string text = ("its " + what + " are of ").str();
  text += isKnown ? std::to_string(bytes) + " bytes, no multiple of "
                  : "a size that is not known to be a multiple of ";
  return text + std::to_string(startBytes) + (isKnown ? "" : " bytes");
}

SmallVector<int64_t> RowMajorOperand::sizesOfRow() const {
  return rows.empty() ? columns : behind(*this, rows.back());
}

std::string RowMajorOperand::whyNotCounted() const {
  ArrayRef<int64_t> shape = source.getType().getShape();
  SmallVector<int64_t> all(outer);
  llvm::append_range(all, inner);
  std::string reason;
  for (ArrayRef<int64_t> together : {ArrayRef(all), ArrayRef(rows), ArrayRef(columns)})
    if (reason.empty())
      reason = fp8opt::whyNotCounted(shape, together);
  // Strides have no sign. A matrix without a batch has none.
  for (ArrayRef<int64_t> run : {ArrayRef(inner), ArrayRef(outer)}) {
    if (!reason.empty() || run.empty())
      continue;
    if (int64_t stride = countKnown(shape, behind(*this, run.back()));
        stride > std::numeric_limits<uint32_t>::max())
      reason = "its matrices are " + std::to_string(stride) + " elements apart, and kernels count in 32 bits";
  }
  return reason;
}

std::string RowMajorOperand::whyNot() const {
  std::string reason = whyNoStart(*this, "rows", sizesOfRow());
  for (ArrayRef<int64_t> run : {ArrayRef(inner), ArrayRef(outer)})
    if (reason.empty() && !run.empty())
      reason = whyNoStart(*this, "matrices", behind(*this, run.back()));
  return reason;
}

namespace {
/// Which dimensions of a source follow each other in memory: those of one element lie anywhere.
class Places {
public:
  explicit Places(ArrayRef<int64_t> shape) : places(shape.size(), -1) {
    for (auto [dimension, size] : llvm::enumerate(shape))
      if (size != 1)
        places[dimension] = count++;
  }
  SmallVector<int64_t> withoutUnits(ArrayRef<int64_t> dimensions) const {
    SmallVector<int64_t> many;
    llvm::copy_if(dimensions, std::back_inserter(many),
                  [&](int64_t dimension) { return places[dimension] >= 0; });
    return many;
  }
  /// How many of them, from the first on, are a run.
  size_t runOf(ArrayRef<int64_t> dimensions) const {
    size_t length = std::min<size_t>(1, dimensions.size());
    while (length < dimensions.size() && places[dimensions[length]] == places[dimensions[length - 1]] + 1)
      ++length;
    return length;
  }
  bool isRun(ArrayRef<int64_t> dimensions) const { return runOf(dimensions) == dimensions.size(); }
  bool isLast(ArrayRef<int64_t> dimensions) const {
    return dimensions.empty() || places[dimensions.back()] == count - 1;
  }

private:
  int64_t count = 0;
  SmallVector<int64_t> places;
};
} // namespace

/// The source, if its dimensions lie in the order of the operand's or of the transposed one's.
static std::optional<RowMajorOperand> asItLies(Value value, const Dimensions &dimensions) {
  auto source = cast<TypedValue<RankedTensorType>>(value);
  Places places(source.getType().getShape());
  ArrayRef<SmallVector<int64_t>> matrix = ArrayRef(dimensions).take_back(2);
  Dimensions batch(ArrayRef(dimensions).drop_back(2));
  SmallVector<int64_t> all;
  for (ArrayRef<int64_t> dimension : batch)
    llvm::append_range(all, places.withoutUnits(dimension));
  size_t first = places.runOf(all);
  ArrayRef<int64_t> outer = ArrayRef(all).take_front(first), inner = ArrayRef(all).drop_front(first);
  if (inner.empty())
    std::swap(outer, inner);
  if (!places.isRun(inner))
    return std::nullopt;
  for (bool isTransposed : {false, true}) {
    RowMajorOperand found = {source,
                             batch,
                             SmallVector<int64_t>(outer),
                             SmallVector<int64_t>(inner),
                             places.withoutUnits(matrix[isTransposed]),
                             places.withoutUnits(matrix[!isTransposed]),
                             isTransposed};
    // All of a source without a batch is a matrix, of two dimensions.
    if (batch.empty() && found.rowDimensions() >= source.getType().getRank())
      continue;
    bool isBehind = found.columns.empty() || found.rows.empty() || found.rows.back() < found.columns.front();
    if (places.isRun(found.rows) && places.isRun(found.columns) && places.isLast(found.columns) && isBehind)
      return found;
  }
  return std::nullopt;
}

RowMajorOperand fp8opt::findRowMajorOperand(Value operand, bool mayCut) {
  Dimensions dimensions = dimensionsOf(operand);
  RowMajorOperand found = *asItLies(operand, dimensions);
  while (Operation *op = operand.getDefiningOp()) {
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      dimensions = throughCollapse(dimensions, collapse.getReassociationIndices());
      operand = collapse.getSrc();
    } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      dimensions = throughTranspose(dimensions, transpose.getPermutation());
      operand = transpose.getInput();
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      auto before =
          throughExpand(dimensions, expand.getReassociationIndices(), expand.getResultType().getShape());
      if (!before)
        break;
      dimensions = *before;
      operand = expand.getSrc();
    } else {
      break;
    }
    std::optional<RowMajorOperand> candidate = asItLies(operand, dimensions);
    if (candidate && candidate->whyNot().empty() && (mayCut || candidate->outer.empty()))
      found = *candidate;
  }
  return found;
}
