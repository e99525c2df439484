// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a view of what, and the keys that make all views and casts of a value one.

#include "RoleGraph.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

/// Codes come as integers, and import reads those that come as floats so.
static bool isBitsOfCode(Operation &op) {
  auto isCode = [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8; };
  return isa<arith::BitcastOp>(op) &&
         (isCode(op.getOperand(0).getType()) || isCode(op.getResult(0).getType()));
}

/// Do all elements stay what they are, up to rounding and place? A broadcast of a scalar is no view: all
/// constants would be alike.
static bool isViewBody(linalg::LinalgOp op, ArrayRef<Value> read) {
  if (read.size() != 1 || op.getNumReductionLoops() || op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(read[0].getType());
  return type && type.getRank() > 0 &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &inner) {
           return isa<arith::ExtFOp, arith::TruncFOp, arith::UIToFPOp, arith::SIToFPOp, arith::ExtUIOp>(
                      inner) ||
                  isBitsOfCode(inner);
         });
}

void RoleGraph::setView(Operation *op, ValueId result, ArrayRef<Value> read) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp, AssembleOp,
          DequantizeOp, DisassembleOp, QuantizeOp>(op)) {
    views[result] = {getId(op->getOperand(0)), 0};
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<uint64_t> box(slice.getStaticOffsets());
    llvm::append_range(box, slice.getStaticSizes());
    llvm::append_range(box, slice.getStaticStrides());
    unsigned number = slices.get(box);
    dynamicSlices.resize(slices.size());
    if (llvm::is_contained(box, uint64_t(ShapedType::kDynamic)))
      dynamicSlices.set(number);
    views[result] = {getId(slice.getSource()), number + 1};
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (isViewBody(linalgOp, read))
      views[result] = {getId(read[0]), 0};
  }
}

ValueId RoleGraph::getRoot(ValueId id) const {
  while (views[id].source != noValue && !views[id].slice)
    id = views[id].source;
  return id;
}

void RoleGraph::findCarriedViews(const Arrivals &arrivals) {
  auto setCarried = [&](ValueId input, ArrayRef<ValueId> sources) {
    // The view is of the source itself, not of its root: what a loop has stacked must stay on the way.
    std::optional<ValueId> first;
    for (ValueId source : sources) {
      if (getRoot(source) == input)
        continue;
      if (first && getRoot(*first) != getRoot(source))
        return;
      first = first.value_or(source);
    }
    if (first)
      views[input] = {*first, 0};
  };
  // What has one source first: the others are compared through it.
  for (auto &[input, sources] : arrivals)
    if (sources.size() == 1)
      setCarried(input, sources);
  for (auto &[input, sources] : arrivals)
    if (sources.size() > 1)
      setCarried(input, sources);
}

void RoleGraph::findStacked(Operation *op, const Arrivals &arrivals) {
  auto arriving = [&](ValueId id) -> ArrayRef<ValueId> {
    auto found = llvm::partition_point(arrivals, [&](auto &arrival) { return arrival.first < id; });
    return found != arrivals.end() && found->first == id ? ArrayRef(found->second) : ArrayRef<ValueId>();
  };
  for (Value result : op->getResults()) {
    ValueId id = getId(result);
    ValueId carried = arriving(id).size() == 1 ? getRoot(id) : id;
    for (ValueId out : arriving(carried)) {
      auto insert = getValue(out).getDefiningOp<tensor::InsertSliceOp>();
      if (insert && llvm::is_contained(arriving(getRoot(getId(insert.getDest()))), out))
        stacked[id] = insert;
    }
  }
}

std::optional<Operation *> RoleGraph::step(ViewWalk &walk) const {
  auto insert = stacked.find(walk.value);
  if (insert != stacked.end() && !walk.slices.empty() && dynamicSlices.test(walk.slices.back() - 1)) {
    walk.slices.pop_back();
    walk.value = getId(insert->second->getOperand(0));
    return insert->second;
  }
  View view = views[walk.value];
  if (view.source == noValue)
    return std::nullopt;
  if (view.slice)
    walk.slices.push_back(view.slice);
  Operation *crossed = getValue(walk.value).getDefiningOp();
  walk.value = view.source;
  return crossed && !isa<RegionBranchOpInterface>(crossed) ? crossed : nullptr;
}

KeyId RoleGraph::getKey(ValueId id) {
  ViewWalk walk{id};
  while (step(walk))
    ;
  SmallVector<uint64_t> tuple = {getNumber(walk.value)};
  llvm::append_range(tuple, walk.slices);
  KeyId key = keys.get(tuple);
  if (key == keyNumbers.size())
    keyNumbers.push_back(getNumber(walk.value));
  return key;
}

bool RoleGraph::isConstantKey(KeyId key) const {
  auto found = stored.find(keyNumbers[key]);
  return found != stored.end() && values[found->second].getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

SmallVector<KeyId> RoleGraph::getParts(KeyId key) {
  SmallVector<KeyId> parts, left = {key};
  llvm::DenseSet<KeyId> seen = {key};
  while (!left.empty()) {
    KeyId next = left.pop_back_val();
    auto found = stored.find(keyNumbers[next]);
    auto concat =
        found == stored.end() ? tensor::ConcatOp() : values[found->second].getDefiningOp<tensor::ConcatOp>();
    if (!concat) {
      parts.push_back(next);
      continue;
    }
    for (Value operand : llvm::reverse(concat.getInputs()))
      if (KeyId part = getKey(getId(operand)); seen.insert(part).second)
        left.push_back(part);
  }
  return parts;
}

bool RoleGraph::isOneHot(ValueId id) const {
  while (!marks[id].isOneHot && views[id].source != noValue)
    id = views[id].source;
  return marks[id].isOneHot;
}
