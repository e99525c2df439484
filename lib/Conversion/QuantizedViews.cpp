// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers go back below views whose codes no kernel reads.

#include "QuantizedViews.h"

#include "KernelOperand.h"
#include "NumbersOfCodes.h"

#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;

namespace {
/// Views to quantize in one pass: of one tensor.
struct Group {
  Block *block;
  qt::HalfAttr half;
  Value tensor;
  SmallVector<std::pair<OpResult, SmallVector<int64_t>>> views; // and how they transpose it
};
} // namespace

static void quantize(OpBuilder &builder, const Group &group) {
  SmallVector<Type> types;
  SmallVector<SmallVector<int64_t>> permutations;
  SmallVector<unsigned> results;
  for (const auto &[view, permutation] : group.views) {
    unsigned result = 0;
    while (result < types.size() && (types[result] != view.getType() || permutations[result] != permutation))
      ++result;
    results.push_back(result);
    if (result < types.size())
      continue;
    types.push_back(view.getType());
    permutations.push_back(permutation);
  }
  builder.setInsertionPoint(group.views.front().first.getOwner());
  Location loc = group.views.front().first.getLoc();
  Operation *quantizer = nullptr;
  if (types.size() == 1 && isIdentityPermutation(permutations.front()))
    quantizer = qt::QuantizeOp::create(builder, loc, types.front(), group.tensor, ValueRange(), group.half);
  else
    quantizer = qt::MultiQuantizeOp::create(builder, loc, types, group.tensor, permutations, group.half);
  for (auto [view, result] : llvm::zip_equal(group.views, results))
    OpResult(view.first).replaceAllUsesWith(quantizer->getResult(result));
}

SmallVector<qtile::MovedAttr> fp8opt::quantizeViews(FunctionOpInterface function) {
  llvm::SetVector<Operation *> unread;
  function->walk([&](qt::MatmulOp matmul) {
    for (Value operand : {matmul.getLhs(), matmul.getRhs()})
      if (Operation *view = findUnreadView(operand); view && halfOfCodes(view->getResult(0)))
        unread.insert(view);
  });
  SmallVector<Operation *> views;
  function->walk([&](Operation *op) {
    if (unread.contains(op))
      views.push_back(op);
  });
  OpBuilder builder(function.getContext());
  NumbersWriter writer(builder);
  SmallVector<Group> groups;
  SmallVector<qtile::MovedAttr> moved;
  for (Operation *view : views) {
    Value codes = view->getResult(0);
    builder.setInsertionPoint(view);
    Numbers numbers = writer.write(codes);
    qt::WhyNot why;
    if (!qt::transposedFrom(cast<qt::QTensorType>(codes.getType()), numbers.permutation, why))
      numbers = {writer.transposed(numbers),
                 llvm::to_vector(llvm::seq<int64_t>(0, numbers.permutation.size()))};
    Group wanted = {view->getBlock(), *halfOfCodes(codes), numbers.tensor, {}};
    auto *known = llvm::find_if(groups, [&](const Group &group) {
      return group.block == wanted.block && group.half == wanted.half && group.tensor == wanted.tensor;
    });
    Group &group = known == groups.end() ? groups.emplace_back(wanted) : *known;
    group.views.push_back({cast<OpResult>(codes), numbers.permutation});
    moved.push_back(
        qtile::MovedAttr::get(function.getContext(), view->getLoc(),
                              StringAttr::get(function.getContext(), view->getName().getStringRef())));
  }
  for (const Group &group : groups)
    quantize(builder, group);
  eraseUnread(llvm::map_to_vector(views, [](Operation *view) -> Value { return view->getResult(0); }));
  return moved;
}
