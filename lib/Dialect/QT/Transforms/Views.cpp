// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are the same numbers, seen through views.

#include "Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

unsigned Views::known(Key key) {
  auto [found, inserted] = views.try_emplace(std::move(key), next);
  next += inserted;
  return found->second;
}

unsigned Views::number(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return oriented.try_emplace(value, Oriented{next, {}}).second ? next++ : oriented[value].number;
  Oriented view = orient(value);
  if (isIdentityPermutation(view.permutation))
    return view.number;
  std::vector<int64_t> numbers = {int64_t(view.number)};
  llvm::append_range(numbers, view.permutation);
  return known({nullptr, numbers, nullptr, value.getType().getAsOpaquePointer()});
}

Views::Oriented Views::orient(Value value) {
  if (auto known = oriented.find(value); known != oriented.end())
    return known->second;
  Oriented view = find(value);
  oriented[value] = view;
  return view;
}

Views::Oriented Views::find(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto identity = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Operation *op = value.getDefiningOp();
  if (!isFreeView(op))
    return {next++, identity};
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    Oriented inner = orient(transpose.getInput());
    return {inner.number, applyPermutation(inner.permutation, transpose.getPermutation())};
  }
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (collapse && type.getRank() > 0) {
    // Each dimension of the result as those that it joins below the transpose. Dimension i of the result is
    // the one that comes as `order[i]`-th there.
    Oriented inner = orient(collapse.getSrc());
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    for (ReassociationIndices &group : groups)
      for (int64_t &dim : group)
        dim = inner.permutation[dim];
    SmallVector<int64_t> bySource = identity, order(identity.size()), shape;
    llvm::sort(bySource, [&](int64_t a, int64_t b) { return groups[a].front() < groups[b].front(); });
    std::vector<int64_t> key = {int64_t(inner.number)};
    for (auto [position, dim] : llvm::enumerate(bySource)) {
      order[dim] = position;
      shape.push_back(type.getDimSize(dim));
      key.push_back(groups[dim].size());
      llvm::append_range(key, groups[dim]);
    }
    return {known({op->getName().getAsOpaquePointer(), std::move(key), nullptr,
                   type.clone(shape).getAsOpaquePointer()}),
            order};
  }
  std::vector<int64_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(number(operand));
  return {known({op->getName().getAsOpaquePointer(), operands, op->getAttrDictionary().getAsOpaquePointer(),
                 type.getAsOpaquePointer()}),
          identity};
}
