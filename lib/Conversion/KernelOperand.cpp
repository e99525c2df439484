// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a product to the quantizer, through what only renames dimensions.

#include "KernelOperand.h"

#include "OperandDimensions.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

using namespace mlir;
using namespace fp8opt;

/// A result of a quantizer, its source, and the source's dimensions for each dimension of an operand.
struct Quantized {
  OpResult result;
  Value source;
  Dimensions dimensions;
};

/// Why there is none in sight, and the op behind which it would be; null at the beginning of a block.
struct NotInSight {
  std::string reason;
  Operation *op;
};

/// From a value, whose dimensions are given for each dimension of an operand, to what quantizes it.
static std::variant<Quantized, NotInSight> findQuantizer(Value value, Dimensions dimensions) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto reshape = dyn_cast<qt::ReshapeOp>(op)) {
      if (reshape.isCollapse()) {
        dimensions = throughCollapse(dimensions, reshape.getGroups());
      } else {
        auto before = throughExpand(dimensions, reshape.getGroups(), reshape.getType().getShape());
        if (!before)
          return NotInSight{"a quantized tensor is expanded into dimensions that the product has apart", op};
        dimensions = *before;
      }
      value = reshape.getInput();
    } else if (auto transpose = dyn_cast<qt::TransposeOp>(op)) {
      dimensions = throughTranspose(dimensions, transpose.getPermutation());
      value = transpose.getInput();
    } else if (auto quantize = dyn_cast<qt::QuantizeOp>(op)) {
      if (!quantize.getScales().empty())
        return NotInSight{"its scales are given", op};
      return Quantized{cast<OpResult>(value), quantize.getInput(), dimensions};
    } else if (auto again = dyn_cast<qt::RequantizeOp>(op)) {
      return Quantized{cast<OpResult>(value), again.getInput(), dimensions};
    } else if (auto several = dyn_cast<qt::MultiQuantizeOp>(op)) {
      auto result = cast<OpResult>(value);
      dimensions = throughTranspose(dimensions, several.getPermutation(result.getResultNumber()));
      return Quantized{result, several.getInput(), dimensions};
    } else {
      return NotInSight{"it comes from '" + op->getName().getStringRef().str() + "'", op};
    }
  }
  return NotInSight{"it comes from outside of a block", nullptr};
}

static qt::SchemeAttr schemeOf(Value value) { return cast<qt::QTensorType>(value.getType()).getScheme(); }

/// The columns are the dimensions beside the last one of the source, so that a source which lies as it is
/// needed is not moved, and both products that read a tensor read one matrix.
static KernelOperand describe(Value value, const Quantized &quantized, qt::SchemeAttr scheme) {
  int64_t last = cast<ShapedType>(quantized.source.getType()).getRank() - 1;
  KernelOperand operand = {value, quantized.result, quantized.source, {}, 0, 0, scheme, false};
  ArrayRef<SmallVector<int64_t>> dimensions = quantized.dimensions, matrix = dimensions.take_back(2);
  operand.isAlongRows = llvm::is_contained(matrix[0], last);
  const auto &rows = matrix[operand.isAlongRows ? 1 : 0], &columns = matrix[operand.isAlongRows ? 0 : 1];
  for (const auto &batch : dimensions.drop_back(2))
    llvm::append_range(operand.order, batch);
  operand.batchDimensions = operand.order.size();
  llvm::append_range(operand.order, rows);
  operand.rowDimensions = rows.size();
  // A batch of one is none: rows begin with it.
  ArrayRef<int64_t> shape = cast<ShapedType>(quantized.source.getType()).getShape();
  if (llvm::all_of(ArrayRef(operand.order).take_front(operand.batchDimensions),
                   [&](int64_t dimension) { return shape[dimension] == 1; }))
    operand.rowDimensions += std::exchange(operand.batchDimensions, 0);
  llvm::append_range(operand.order, columns);
  return operand;
}

std::string KernelOperand::whyNotCounted() const {
  ArrayRef<int64_t> shape = cast<ShapedType>(source.getType()).getShape(), dimensions(order);
  for (ArrayRef<int64_t> together :
       {dimensions.take_front(batchDimensions), dimensions.slice(batchDimensions, rowDimensions),
        dimensions.drop_front(batchDimensions + rowDimensions)})
    if (std::string reason = fp8opt::whyNotCounted(shape, together); !reason.empty())
      return reason;
  return {};
}

std::variant<KernelOperand, std::string> fp8opt::findKernelOperand(Value operand) {
  auto found = findQuantizer(operand, dimensionsOf(operand));
  if (auto *none = std::get_if<NotInSight>(&found))
    return none->reason;
  return describe(operand, std::get<Quantized>(found), schemeOf(operand));
}

std::optional<KernelOperand> fp8opt::findRequantized(Value operand) {
  auto found = findQuantizer(operand, dimensionsOf(operand));
  auto *last = std::get_if<Quantized>(&found);
  if (!last || !isa<qt::RequantizeOp>(last->result.getOwner()))
    return std::nullopt;
  auto first = findQuantizer(last->source, last->dimensions);
  if (!std::holds_alternative<Quantized>(first))
    return std::nullopt;
  return describe(operand, std::get<Quantized>(first), schemeOf(operand));
}

Operation *fp8opt::findUnreadView(Value operand) {
  auto found = findQuantizer(operand, dimensionsOf(operand));
  for (auto *known = std::get_if<Quantized>(&found); known; known = std::get_if<Quantized>(&found)) {
    if (!isa<qt::RequantizeOp>(known->result.getOwner()))
      return nullptr;
    found = findQuantizer(known->source, Dimensions(known->dimensions));
  }
  Operation *op = std::get<NotInSight>(found).op;
  return op && op->hasTrait<qt::MovesCodes>() ? op : nullptr;
}

/// Blocks along the contraction, which is last, or of both dimensions alike.
static bool hasScalesOfOperand(qt::SchemeAttr scheme) {
  return qtile::QuantizeOp::getScalingOf(scheme) != qtile::Scaling::None;
}

std::optional<KernelOperand> fp8opt::findStorable(Value matrix) {
  auto type = cast<qt::QTensorType>(matrix.getType());
  if (type.getRank() < 2)
    return std::nullopt;
  auto asOperand = [&](qt::SchemeAttr scheme, const Dimensions &dimensions) -> std::optional<KernelOperand> {
    auto found = findQuantizer(matrix, dimensions);
    auto *quantized = std::get_if<Quantized>(&found);
    if (!quantized || isa<qt::RequantizeOp>(quantized->result.getOwner()) || !hasScalesOfOperand(scheme))
      return std::nullopt;
    return describe(matrix, *quantized, scheme);
  };
  Dimensions dimensions = dimensionsOf(matrix);
  if (auto operand = asOperand(type.getScheme(), dimensions))
    return operand;
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(order.end()[-2], order.end()[-1]);
  auto transposed = qt::TransposeOp::getTransposedType(type, order, std::nullopt);
  if (failed(transposed))
    return std::nullopt;
  std::swap(dimensions.end()[-2], dimensions.end()[-1]);
  return asOperand(transposed->getScheme(), dimensions);
}
