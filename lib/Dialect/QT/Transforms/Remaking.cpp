// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a value a second time, elsewhere in its block.

#include "Remaking.h"

#include "Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Views, sizes and constants on the way: more than this many ops is no short way, to each part of a
/// concatenation.
static constexpr size_t kMostOps = 24;

bool fp8opt::qt::copiesElements(Operation *op) {
  if (isFreeView(op) || op->getNumResults() != 1)
    return false;
  auto transparent = dyn_cast<ScaleTransparentOp>(op);
  return isa<tensor::InsertSliceOp, tensor::CastOp>(op) ||
         (transparent && !transparent.getMovedOperands().empty());
}

bool fp8opt::qt::isElementwise(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || copiesElements(op) || !generic.hasPureTensorSemantics() ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      !llvm::all_of(generic.getRegionOutputArgs(), [](BlockArgument out) { return out.use_empty(); }))
    return false;
  return llvm::all_of(*generic.getBody(), [](Operation &inner) {
    return inner.getNumRegions() == 0 && isMemoryEffectFree(&inner) &&
           llvm::none_of(inner.getOperandTypes(), llvm::IsaPred<ShapedType>);
  });
}

static bool isFree(Operation *op) {
  return isFreeView(op) || copiesElements(op) || isa<tensor::EmptyOp, tensor::DimOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// What an op and its body read from outside.
static SmallVector<Value> readFromOutside(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (!region.isAncestor(value.getParentRegion()))
          values.push_back(value);
    });
  return values;
}

Traffic fp8opt::qt::computingTraffic(Operation *op, const Sizes &sizes) {
  Traffic traffic;
  for (OpOperand *input : cast<linalg::GenericOp>(op).getDpsInputOperands())
    traffic.read = addBytes(traffic.read, sizes.bytesOf(input->get()));
  for (Value result : op->getResults())
    traffic.written = addBytes(traffic.written, sizes.bytesOf(result));
  return traffic;
}

Traffic Remaking::traffic(const Sizes &sizes) const {
  Traffic traffic;
  for (Operation *op : ops)
    if (isElementwise(op))
      traffic += computingTraffic(op, sizes);
  return traffic;
}

std::optional<Remaking> fp8opt::qt::remake(Value value, function_ref<bool(Value)> isAvailable,
                                           unsigned computing) {
  Remaking remaking;
  const unsigned computingEach = computing;
  size_t mostOps = kMostOps;
  llvm::SmallPtrSet<Operation *, 16> entered, done;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Operation *op = pending.back().getDefiningOp();
    if (isAvailable(pending.back()) || (op && done.contains(op))) {
      pending.pop_back();
      continue;
    }
    if (!op || (!isFree(op) && !isElementwise(op)))
      return std::nullopt;
    if (entered.insert(op).second) {
      if (entered.size() > mostOps)
        return std::nullopt;
      if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
        mostOps += kMostOps * (concat.getInputs().size() - 1);
        computing += computingEach * (concat.getInputs().size() - 1);
      }
      llvm::append_range(pending, readFromOutside(op));
      continue;
    }
    // Everything that it reads has been made.
    pending.pop_back();
    done.insert(op);
    remaking.ops.push_back(op);
    if (isElementwise(op) && computing-- == 0)
      return std::nullopt;
  }
  return remaking;
}

Value Remaking::build(OpBuilder &builder, Value value) const {
  auto &qt = *builder.getContext()->getLoadedDialect<QTDialect>();
  IRMapping mapping;
  for (Operation *op : ops) {
    Operation *copy = builder.clone(*op, mapping);
    if (isElementwise(copy) || copiesElements(copy))
      qt.getHalfAttrHelper().setAttr(copy, HalfAttr::get(builder.getContext(), Half::Backward));
  }
  return mapping.lookupOrDefault(value);
}
