// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are the same numbers, seen through views.

#include "Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt::qt;

bool fp8opt::qt::isView(Operation *op) {
  return isa<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp>(op);
}

Value fp8opt::qt::throughViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

Views::Oriented Views::orient(Value value) {
  auto rank = cast<RankedTensorType>(value.getType()).getRank();
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    Oriented inner = orient(transpose.getInput());
    SmallVector<int64_t> composed;
    for (int64_t dim : transpose.getPermutation())
      composed.push_back(inner.permutation[dim]);
    return {inner.number, composed};
  }
  return {number(value), llvm::to_vector(llvm::seq<int64_t>(0, rank))};
}

unsigned Views::number(Value value) {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return fresh(value);
  // A transpose reads its output operand for the shape only.
  std::vector<unsigned> operands = {number(op->getOperand(0))};
  if (!isa<linalg::TransposeOp>(op))
    for (Value size : op->getOperands().drop_front())
      operands.push_back(number(size));
  Key key = {op->getName().getAsOpaquePointer(), operands, op->getAttrDictionary().getAsOpaquePointer(),
             value.getType().getAsOpaquePointer()};
  auto [found, inserted] = views.try_emplace(key, next);
  next += inserted;
  return numbers[value] = found->second;
}
