// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a product to the quantizer, through what only renames dimensions.

#include "KernelOperand.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

using namespace mlir;
using namespace fp8opt;

/// For each dimension of an operand the dimensions of the value it was made of, the outer ones first.
using Dimensions = SmallVector<SmallVector<int64_t>>;

static Dimensions throughTranspose(const Dimensions &dimensions, ArrayRef<int64_t> permutation) {
  Dimensions before = dimensions;
  for (SmallVector<int64_t> &group : before)
    for (int64_t &dimension : group)
      dimension = permutation[dimension];
  return before;
}

static Dimensions throughCollapse(const Dimensions &dimensions, ArrayRef<ReassociationIndices> groups) {
  Dimensions before(dimensions.size());
  for (auto [from, to] : llvm::zip(dimensions, before))
    for (int64_t dimension : from)
      llvm::append_range(to, groups[dimension]);
  return before;
}

/// A result of a quantizer, its source, and the source's dimensions for each dimension of an operand.
struct Quantized {
  OpResult result;
  Value source;
  Dimensions dimensions;
};

/// From a value, whose dimensions are given for each dimension of an operand, to what quantizes it.
static std::variant<Quantized, std::string> findQuantizer(Value value, Dimensions dimensions) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto reshape = dyn_cast<qt::ReshapeOp>(op)) {
      if (!reshape.isCollapse())
        return "a quantized tensor is expanded into more dimensions";
      dimensions = throughCollapse(dimensions, reshape.getGroups());
      value = reshape.getInput();
    } else if (auto transpose = dyn_cast<qt::TransposeOp>(op)) {
      dimensions = throughTranspose(dimensions, transpose.getPermutation());
      value = transpose.getInput();
    } else if (auto quantize = dyn_cast<qt::QuantizeOp>(op)) {
      if (!quantize.getScales().empty())
        return "its scales are given";
      return Quantized{cast<OpResult>(value), quantize.getInput(), dimensions};
    } else if (auto again = dyn_cast<qt::RequantizeOp>(op)) {
      return Quantized{cast<OpResult>(value), again.getInput(), dimensions};
    } else if (auto several = dyn_cast<qt::MultiQuantizeOp>(op)) {
      auto result = cast<OpResult>(value);
      dimensions = throughTranspose(dimensions, several.getPermutation(result.getResultNumber()));
      return Quantized{result, several.getInput(), dimensions};
    } else {
      return "it comes from '" + op->getName().getStringRef().str() + "'";
    }
  }
  return std::string("it comes from outside of a block");
}

static qt::SchemeAttr schemeOf(Value value) { return cast<qt::QTensorType>(value.getType()).getScheme(); }

/// The columns are the dimensions beside the last one of the source, so that a source which lies as it is
/// needed is not moved, and both products that read a tensor read one matrix.
static KernelOperand describe(Value value, const Quantized &quantized, qt::SchemeAttr scheme) {
  const Dimensions &dimensions = quantized.dimensions;
  int64_t last = cast<ShapedType>(quantized.source.getType()).getRank() - 1;
  KernelOperand operand = {value, quantized.result, quantized.source, {}, 0, scheme, false};
  operand.isAlongRows = llvm::is_contained(dimensions[0], last);
  const auto &rows = dimensions[operand.isAlongRows ? 1 : 0],
             &columns = dimensions[operand.isAlongRows ? 0 : 1];
  operand.order = rows;
  llvm::append_range(operand.order, columns);
  operand.rowDimensions = rows.size();
  return operand;
}

std::variant<KernelOperand, std::string> fp8opt::findKernelOperand(Value operand) {
  if (cast<qt::QTensorType>(operand.getType()).getRank() != 2)
    return "it has batches";
  auto found = findQuantizer(operand, {{0}, {1}});
  if (auto *reason = std::get_if<std::string>(&found))
    return *reason;
  return describe(operand, std::get<Quantized>(found), schemeOf(operand));
}

std::optional<KernelOperand> fp8opt::findRequantized(Value operand) {
  auto found = findQuantizer(operand, {{0}, {1}});
  auto *last = std::get_if<Quantized>(&found);
  if (!last || !isa<qt::RequantizeOp>(last->result.getOwner()))
    return std::nullopt;
  auto first = findQuantizer(last->source, last->dimensions);
  if (!std::holds_alternative<Quantized>(first))
    return std::nullopt;
  return describe(operand, std::get<Quantized>(first), schemeOf(operand));
}

/// Blocks along the contraction, which is last, or of both dimensions alike.
static bool hasScalesOfOperand(qt::SchemeAttr scheme) {
  return qtile::QuantizeOp::getScalingOf(scheme) != qtile::Scaling::None;
}

std::optional<KernelOperand> fp8opt::findStorable(Value matrix) {
  auto type = cast<qt::QTensorType>(matrix.getType());
  if (type.getRank() != 2)
    return std::nullopt;
  auto asOperand = [&](qt::SchemeAttr scheme, const Dimensions &dimensions) -> std::optional<KernelOperand> {
    auto found = findQuantizer(matrix, dimensions);
    auto *quantized = std::get_if<Quantized>(&found);
    if (!quantized || isa<qt::RequantizeOp>(quantized->result.getOwner()) || !hasScalesOfOperand(scheme))
      return std::nullopt;
    return describe(matrix, *quantized, scheme);
  };
  if (auto operand = asOperand(type.getScheme(), {{0}, {1}}))
    return operand;
  auto transposed = qt::TransposeOp::getTransposedType(type, {1, 0}, std::nullopt);
  if (failed(transposed))
    return std::nullopt;
  return asOperand(transposed->getScheme(), {{1}, {0}});
}
