// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the forward half of a block ends, and what is kept beyond it.

#include "HalfBorder.h"

#include "ReadElements.h"
#include "Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Whether an op only shows its first operand, plain or quantized.
static bool shows(Operation *op) { return isFreeView(op) || isa<TransposeOp, ReshapeOp>(op); }

HalfBorder::HalfBorder(Operation *last) : last(last) {
  Operation &end = last->getBlock()->back();
  if (end.hasTrait<OpTrait::IsTerminator>())
    for (Value value : end.getOperands())
      returned.insert(stored(value));
}

bool HalfBorder::isBefore(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == last->getBlock() && isBefore(op);
}

Value HalfBorder::stored(Value value) {
  SmallVector<Value> above;
  while (Operation *op = value.getDefiningOp()) {
    if (auto known = underViews.find(value); known != underViews.end()) {
      value = known->second;
      break;
    }
    if (!shows(op) || (isa<tensor::ExtractSliceOp>(op) && isBefore(value)))
      break;
    above.push_back(value);
    value = op->getOperand(0);
  }
  for (Value view : above)
    underViews[view] = value;
  return value;
}

HalfBorder::Values HalfBorder::readBehind(function_ref<bool(Operation *)> ignored) {
  Values read;
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    op->walk([&](Operation *reader) {
      if (shows(reader) || ignored(reader))
        return;
      for (OpOperand &operand : reader->getOpOperands())
        if (readsElements(operand))
          if (Value value = stored(operand.get()); isBefore(value))
            read.insert(value);
    });
  return read;
}

bool HalfBorder::isThereAnyway(Value value) const {
  if (!isBefore(value) || returned.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp, linalg::FillOp>(op);
}

bool HalfBorder::isThere(Value value, const Values &read) {
  while (!read.contains(value) && !isThereAnyway(value)) {
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice)
      return false;
    value = stored(slice.getSource());
  }
  return true;
}

int64_t HalfBorder::keptBytes(const Values &read, const Sizes &sizes) {
  int64_t total = 0;
  for (Value value : read) {
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    if (!isThereAnyway(value) && !(slice && isThere(stored(slice.getSource()), read)))
      total = addBytes(total, sizes.bytesOf(value));
  }
  return total;
}

/// Calls back for an op, and the ops that hold it, each in its block.
static void eachHolder(Operation *function, Operation *op, function_ref<void(Operation *)> callback) {
  for (; op != function; op = op->getParentOp())
    callback(op);
}

/// The products in the quantizer's block that read it, itself or moved.
static void eachProduct(Operation *quantizer, function_ref<void(Operation *)> callback) {
  SmallVector<Operation *> users(quantizer->getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (user->hasTrait<MovesCodes>())
      llvm::append_range(users, user->getUsers());
    else if (isa<MatmulOp>(user) && user->getBlock() == quantizer->getBlock())
      callback(user);
  }
}

static bool isIn(Half half, Operation *op) {
  HalfAttr attr =
      llvm::TypeSwitch<Operation *, HalfAttr>(op)
          .Case<QuantizeOp, MultiQuantizeOp, RequantizeOp>([](auto one) { return one.getHalfAttr(); })
          .Default(HalfAttr());
  return attr && attr.getValue() == half;
}

llvm::MapVector<Block *, Operation *> fp8opt::qt::findBorders(Operation *function) {
  SmallVector<Operation *> forward;
  llvm::DenseMap<Block *, Operation *> firstBackward;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isIn(Half::Forward, op) && !isa<RequantizeOp>(op))
      forward.push_back(op);
    if (isIn(Half::Backward, op))
      eachHolder(function, op,
                 [&](Operation *holder) { firstBackward.try_emplace(holder->getBlock(), holder); });
  });
  llvm::MapVector<Block *, Operation *> borders;
  auto note = [&](Operation *product) {
    Operation *backward = firstBackward.lookup(product->getBlock());
    if (!backward || !product->isBeforeInBlock(backward))
      return;
    Operation *&last = borders[product->getBlock()];
    if (!last || last->isBeforeInBlock(product))
      last = product;
  };
  for (Operation *quantizer : forward) {
    eachProduct(quantizer, note);
    if (Operation *parent = quantizer->getParentOp(); parent != function)
      eachHolder(function, parent, note);
  }
  return borders;
}
