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
static KernelOperand describe(KernelOperand operand, ArrayRef<SmallVector<int64_t>> dimensions) {
  int64_t last = cast<ShapedType>(operand.source.getType()).getRank() - 1;
  ArrayRef<SmallVector<int64_t>> matrix = dimensions.take_back(2);
  operand.isAlongRows = llvm::is_contained(matrix[0], last);
  const auto &rows = matrix[operand.isAlongRows ? 1 : 0], &columns = matrix[operand.isAlongRows ? 0 : 1];
  for (const auto &batch : dimensions.drop_back(2))
    llvm::append_range(operand.order, batch);
  operand.batchDimensions = operand.order.size();
  llvm::append_range(operand.order, rows);
  operand.rowDimensions = rows.size();
  llvm::append_range(operand.order, columns);
  return operand;
}

std::variant<KernelOperand, std::string> fp8opt::findKernelOperand(Value operand) {
  auto type = cast<qt::QTensorType>(operand.getType());
  KernelOperand found = {nullptr, {}, {}, 0, 0, type.getScheme(), false};
  Dimensions dimensions;
  for (int64_t dimension : llvm::seq(type.getRank()))
    dimensions.push_back({dimension});
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
