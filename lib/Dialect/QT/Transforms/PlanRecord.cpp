// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as an attribute: what was chosen for which tensor, and what it costs in all.

#include "PlanRecord.h"

using namespace mlir;
using namespace fp8opt::qt;

static int64_t keptBytes(Borders &borders, const Sizes &sizes) {
  int64_t total = 0;
  for (auto &[block, border] : borders)
    total = addBytes(total, border.keptBytes(border.readBehind([](Operation *) { return false; }), sizes));
  return total;
}

MemoryUse fp8opt::qt::useUnplanned(Operation *function, Borders &borders, const Sizes &sizes) {
  MemoryUse use = {keptBytes(borders, sizes)};
  function->walk([&](Operation *op) {
    if (auto quantize = dyn_cast<QuantizeOp>(op))
      use.traffic += sizes.trafficOf(quantize);
    else if (auto requantize = dyn_cast<RequantizeOp>(op))
      use.traffic += sizes.trafficOf(requantize);
    else if (auto transpose = dyn_cast<TransposeOp>(op)) // of codes, in front of a qt.requantize
      use.traffic += {sizes.bytesOf(transpose.getInput()), sizes.bytesOf(transpose.getResult())};
  });
  return use;
}

MemoryUse fp8opt::qt::usePlanned(Operation *function, Borders &borders, const Sizes &sizes) {
  MemoryUse use = {keptBytes(borders, sizes)};
  Views views;
  llvm::MapVector<Block *, Passes> passes;
  auto &qt = *function->getContext()->getLoadedDialect<QTDialect>();
  function->walk([&](Operation *op) {
    if (auto quantize = dyn_cast<QuantizeOp>(op)) {
      if (quantize.getScales().empty())
        passes[op->getBlock()].add(Quantization::of(quantize, views, sizes));
      else
        use.traffic += sizes.trafficOf(quantize);
    } else if (auto requantize = dyn_cast<RequantizeOp>(op)) {
      use.traffic += sizes.trafficOf(requantize);
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      use.traffic += {sizes.bytesOf(transpose.getInput()), sizes.bytesOf(transpose.getResult())};
    } else if (isElementwise(op) && qt.getHalfAttrHelper().isAttrPresent(op)) {
      use.traffic += computingTraffic(op, sizes);
    }
  });
  for (auto &[block, ofBlock] : passes)
    use.traffic += ofBlock.traffic();
  return use;
}

PlanAttr fp8opt::qt::recordPlan(MLIRContext *context, ArrayRef<PlannedAttr> tensors, MemoryUse planned,
                                MemoryUse unplanned) {
  return PlanAttr::get(context, planned.kept, unplanned.kept, planned.traffic.read, unplanned.traffic.read,
                       planned.traffic.written, unplanned.traffic.written, tensors);
}

ProductNames::ProductNames(ReportAttr report) {
  if (!report)
    return;
  for (EntryAttr entry : report.getEntries()) {
    auto [known, inserted] = entries.try_emplace(entry.getLocation(), entry);
    if (!inserted && known->second &&
        (known->second.getRoles() != entry.getRoles() || known->second.getLabel() != entry.getLabel()))
      known->second = {};
  }
}

/// The first operand of a product that a quantizer ends up as, itself, transposed or requantized; null if
/// none.
static OpOperand *productOperand(QuantizeOp quantizer) {
  OpOperand *first = nullptr;
  SmallVector<Value> pending = {quantizer.getResult()};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<TransposeOp, RequantizeOp>(user))
        pending.push_back(user->getResult(0));
      else if (isa<MatmulOp>(user) && (!first || (user->getBlock() == first->getOwner()->getBlock() &&
                                                  user->isBeforeInBlock(first->getOwner()))))
        first = &use;
    }
  }
  return first;
}

static std::string labelText(Role role, StringRef weight) {
  switch (role) {
  case Role::Weight:
    return weight.str();
  case Role::Activation:
    return ("input of '" + weight + "'").str();
  case Role::Gradient:
    return ("gradient of the output of '" + weight + "'").str();
  }
  llvm_unreachable("every role has a text");
}

static CostAttr costOf(MLIRContext *context, const Form &form) {
  return CostAttr::get(context, form.form, form.kept, form.traffic.read, form.traffic.written);
}

PlannedAttr ProductNames::record(const PlannedTensor &tensor, Operation *function) const {
  MLIRContext *context = function->getContext();
  SmallVector<CostAttr> rejected;
  for (auto [index, form] : llvm::enumerate(tensor.forms))
    if (index != tensor.chosen)
      rejected.push_back(costOf(context, form));
  RoleAttr role;
  StringAttr label;
  for (const Quantization &quantization : llvm::concat<const Quantization>(tensor.forward, tensor.planned)) {
    OpOperand *operand = productOperand(quantization.op);
    EntryAttr entry = operand ? entries.lookup(operand->getOwner()->getLoc()) : EntryAttr();
    if (!entry || !entry.getRoles())
      continue;
    Role is = operand->getOperandNumber() == 0 ? entry.getRoles().getLhs() : entry.getRoles().getRhs();
    role = RoleAttr::get(context, is);
    if (entry.getLabel())
      label = StringAttr::get(context, labelText(is, entry.getLabel().getValue()));
    break;
  }
  bool isNested = tensor.block->getParentOp() != function;
  return PlannedAttr::get(context, costOf(context, tensor.choice()), rejected, tensor.value.getLoc(),
                          TypeAttr::get(tensor.value.getType()), label, role,
                          isNested ? UnitAttr::get(context) : UnitAttr());
}
