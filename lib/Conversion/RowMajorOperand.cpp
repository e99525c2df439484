// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a product to a matrix that lies in memory, in either order.

#include "RowMajorOperand.h"

#include "OperandDimensions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;

/// What rows of a matrix start at multiples of.
constexpr int64_t rowBytes = 16;

std::string RowMajorOperand::whyNot() const {
  RankedTensorType type = source.getType();
  ArrayRef<int64_t> columns = type.getShape().drop_front(rowDimensions);
  // A multiple whatever a size is that is not known.
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t size : columns)
    if (!ShapedType::isDynamic(size))
      bytes *= size;
  if (bytes % rowBytes == 0)
    return {};
  std::string text = "its rows are of ";
  bool isKnown = llvm::none_of(columns, ShapedType::isDynamic);
  text += isKnown ? std::to_string(bytes) + " bytes, no multiple of "
                  : "a size that is not known to be a multiple of ";
  return text + std::to_string(rowBytes) + (isKnown ? "" : " bytes");
}

/// The source, if its dimensions lie in the order of the operand's or of the transposed one's.
static std::optional<RowMajorOperand> asItLies(Value source, const Dimensions &dimensions) {
  auto value = cast<TypedValue<RankedTensorType>>(source);
  ArrayRef<int64_t> shape = value.getType().getShape();
  auto isMany = [&](int64_t dimension) { return shape[dimension] != 1; };
  for (bool isTransposed : {false, true}) {
    ArrayRef<int64_t> rows = dimensions[isTransposed], columns = dimensions[!isTransposed];
    SmallVector<int64_t> order;
    // One of a single element lies anywhere.
    llvm::copy_if(rows, std::back_inserter(order), isMany);
    int64_t split = order.empty() ? 1 : order.back() + 1;
    llvm::copy_if(columns, std::back_inserter(order), isMany);
    bool isApart =
        split < value.getType().getRank() &&
        llvm::none_of(columns, [&](int64_t dimension) { return isMany(dimension) && dimension < split; });
    if (isApart && llvm::is_sorted(order))
      return RowMajorOperand{value, split, isTransposed};
  }
  return std::nullopt;
}

RowMajorOperand fp8opt::findRowMajorOperand(Value operand) {
  Dimensions dimensions = {{0}, {1}};
  RowMajorOperand found = *asItLies(operand, dimensions);
  while (Operation *op = operand.getDefiningOp()) {
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      dimensions = throughCollapse(dimensions, collapse.getReassociationIndices());
      operand = collapse.getSrc();
    } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      dimensions = throughTranspose(dimensions, transpose.getPermutation());
      operand = transpose.getInput();
    } else {
      break;
    }
    std::optional<RowMajorOperand> candidate = asItLies(operand, dimensions);
    if (candidate && candidate->whyNot().empty())
      found = *candidate;
  }
  return found;
}
