// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a product to the quantizer, through what only renames dimensions.

#include "KernelOperand.h"

#include "OperandDimensions.h"

using namespace mlir;
using namespace fp8opt;

/// The columns are the dimensions beside the last one of the source, so that a source which lies as it is
/// needed is not moved, and both products that read a tensor read one matrix.
static KernelOperand describe(KernelOperand operand, const Dimensions &dimensions) {
  int64_t last = cast<ShapedType>(operand.source.getType()).getRank() - 1;
  operand.isAlongRows = llvm::is_contained(dimensions[0], last);
  const auto &rows = dimensions[operand.isAlongRows ? 1 : 0],
             &columns = dimensions[operand.isAlongRows ? 0 : 1];
  operand.order = rows;
  llvm::append_range(operand.order, columns);
  operand.rowDimensions = rows.size();
  return operand;
}

std::variant<KernelOperand, std::string> fp8opt::findKernelOperand(Value operand) {
  auto type = cast<qt::QTensorType>(operand.getType());
  if (type.getRank() != 2)
    return "it has batches";
  KernelOperand found = {nullptr, {}, {}, 0, type.getScheme(), false};
  Dimensions dimensions = {{0}, {1}};
  while (Operation *op = operand.getDefiningOp()) {
    if (auto reshape = dyn_cast<qt::ReshapeOp>(op)) {
      if (!reshape.isCollapse())
        return "a quantized tensor is expanded into more dimensions";
      dimensions = throughCollapse(dimensions, reshape.getGroups());
      operand = reshape.getInput();
    } else if (auto transpose = dyn_cast<qt::TransposeOp>(op)) {
      dimensions = throughTranspose(dimensions, transpose.getPermutation());
      operand = transpose.getInput();
    } else if (auto quantize = dyn_cast<qt::QuantizeOp>(op)) {
      if (!quantize.getScales().empty())
        return "its scales are given";
      found.quantizer = op;
      found.source = quantize.getInput();
      return describe(found, dimensions);
    } else if (auto again = dyn_cast<qt::RequantizeOp>(op)) {
      found.quantizer = op;
      found.source = again.getInput();
      return describe(found, dimensions);
    } else if (auto several = dyn_cast<qt::MultiQuantizeOp>(op)) {
      unsigned result = cast<OpResult>(operand).getResultNumber();
      found.quantizer = op;
      found.source = several.getInput();
      return describe(found, throughTranspose(dimensions, several.getPermutation(result)));
    } else {
      return "it comes from '" + op->getName().getStringRef().str() + "'";
    }
  }
  return std::string("it comes from outside of a block");
}
