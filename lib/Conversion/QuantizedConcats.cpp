// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From concatenated codes back to the numbers of their parts.

#include "QuantizedConcats.h"

#include "LaunchEmitter.h"
#include "RepeatView.h"

#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;

namespace {
/// What a quantizer reads, and the ops on the way from it to a part of a concatenation, the first one first.
struct Part {
  Value source;
  qt::HalfAttr half;
  SmallVector<Operation *> views;
  /// Of the quantizer's result.
  SmallVector<int64_t> permutation;
};

/// Concatenations of the same numbers.
struct Group {
  int64_t dimension;
  SmallVector<Part> parts;
  SmallVector<qt::ConcatOp> concats;
};
} // namespace

/// Sizes that only a view knows are not compared.
static bool hasOwnSizes(Operation *view) { return view->getNumOperands() > 1; }

static std::optional<Part> findPart(Value value) {
  Part part;
  while (Operation *op = value.getDefiningOp()) {
    if (isRepeatable(op) && !hasOwnSizes(op)) {
      part.views.insert(part.views.begin(), op);
      value = op->getOperand(0);
      continue;
    }
    if (auto quantize = dyn_cast<qt::QuantizeOp>(op); quantize && quantize.getScales().empty()) {
      part.source = quantize.getInput();
      part.half = quantize.getHalfAttr();
      part.permutation =
          llvm::to_vector(llvm::seq<int64_t>(0, cast<ShapedType>(part.source.getType()).getRank()));
      return part;
    }
    if (auto several = dyn_cast<qt::MultiQuantizeOp>(op)) {
      part.source = several.getInput();
      part.half = several.getHalfAttr();
      part.permutation = several.getPermutation(cast<OpResult>(value).getResultNumber());
      return part;
    }
    break;
  }
  return std::nullopt;
}

/// Whether both show the same numbers.
static bool areSame(const Part &a, const Part &b) {
  return a.source == b.source && a.half == b.half && a.permutation == b.permutation &&
         llvm::equal(a.views, b.views, [](Operation *view, Operation *other) {
           return view->getName() == other->getName() &&
                  view->getPropertiesAsAttribute() == other->getPropertiesAsAttribute() &&
                  cast<ShapedType>(view->getResult(0).getType()).getShape() ==
                      cast<ShapedType>(other->getResult(0).getType()).getShape();
         });
}

static std::optional<SmallVector<Part>> findParts(qt::ConcatOp concat) {
  SmallVector<Part> parts;
  for (Value input : concat.getInputs()) {
    std::optional<Part> part = findPart(input);
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  return parts;
}

static void quantize(Group &group) {
  Operation *first = group.concats.front();
  OpBuilder builder(first);
  Location loc = first->getLoc();
  SmallVector<Value> numbers;
  for (const Part &part : group.parts) {
    Value value = LaunchEmitter(builder, loc).transpose(part.source, part.permutation);
    for (Operation *view : part.views)
      value = repeatView(builder, loc, view, value);
    numbers.push_back(value);
  }
  Value source = tensor::ConcatOp::create(builder, loc, group.dimension, numbers);
  SmallVector<Type> types;
  for (qt::ConcatOp concat : group.concats)
    types.push_back(concat.getType());
  auto identity = llvm::to_vector(llvm::seq<int64_t>(0, cast<ShapedType>(types.front()).getRank()));
  SmallVector<SmallVector<int64_t>> permutations(types.size(), identity);
  auto quantized =
      qt::MultiQuantizeOp::create(builder, loc, types, source, permutations, group.parts.front().half);
  for (auto [concat, result] : llvm::zip_equal(group.concats, quantized.getResults()))
    concat->replaceAllUsesWith(ValueRange(result));
  for (qt::ConcatOp concat : group.concats)
    eraseUnread(concat->getResults());
}

void fp8opt::quantizeConcats(FunctionOpInterface function) {
  SmallVector<Group> groups;
  function->walk([&](qt::ConcatOp concat) {
    std::optional<SmallVector<Part>> parts = findParts(concat);
    if (!parts)
      return;
    auto *known = llvm::find_if(groups, [&](const Group &group) {
      return group.dimension == static_cast<int64_t>(concat.getDim()) &&
             group.concats.front()->getBlock() == concat->getBlock() &&
             llvm::equal(group.parts, *parts, areSame);
    });
    if (known != groups.end())
      known->concats.push_back(concat);
    else
      groups.push_back({static_cast<int64_t>(concat.getDim()), *parts, {concat}});
  });
  for (Group &group : groups)
    quantize(group);
}
