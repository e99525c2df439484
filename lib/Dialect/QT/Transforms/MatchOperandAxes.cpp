// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares equal quantizations, and brings each tensor's about in the form that keeps and moves the fewest
// bytes.

#include "NormalProduct.h"
#include "PlanRecord.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_MATCHOPERANDAXESPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Transposes and requantizations of shared values, which are then equal themselves.
class Derived {
public:
  /// An earlier op of the same block that gives what this one gives, or null.
  Value equal(Operation *op) {
    Key key = {op->getBlock(), op->getName().getAsOpaquePointer(), op->getOperand(0).getAsOpaquePointer(),
               op->getPropertiesAsAttribute().getAsOpaquePointer(),
               op->getResult(0).getType().getAsOpaquePointer()};
    auto [earlier, inserted] = seen.try_emplace(key, op->getResult(0));
    return inserted ? Value() : earlier->second;
  }

private:
  using Key = std::tuple<Block *, const void *, const void *, const void *, const void *>;
  std::map<Key, Value> seen;
};
} // namespace

static bool isBeforeBorder(const Borders &borders, QuantizeOp op) {
  const auto *border = borders.find(op->getBlock());
  return border != borders.end() && border->second.isBefore(op.getOperation());
}

/// Whether all that reads a quantizer are requantizations, of its codes or of them transposed.
static bool isRequantizedOnly(QuantizeOp op) {
  SmallVector<Operation *> users(op->getUsers());
  if (users.empty())
    return false;
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (isa<TransposeOp>(user))
      llvm::append_range(users, user->getUsers());
    else if (!isa<RequantizeOp>(user))
      return false;
  }
  return true;
}

/// A recipe's `dual` has the first quantization beside the second, at the product of the backward half that
/// reads it. It belongs to the half in which it stands; that its codes are kept from the forward half is for
/// the plan to say.
static void moveFirstOfTwoToItsHalf(func::FuncOp function, const Borders &borders) {
  function.walk([&](QuantizeOp op) {
    if (op.getHalfAttr() && !isBeforeBorder(borders, op) && isRequantizedOnly(op))
      op.setHalfAttr(HalfAttr::get(op.getContext(), Half::Backward));
  });
}

namespace {
struct MatchOperandAxes : qt::impl::MatchOperandAxesPassBase<MatchOperandAxes> {
  using MatchOperandAxesPassBase::MatchOperandAxesPassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    if (entry.walk([](Operation *op) { return WalkResult(verifyNormalProduct(op)); }).wasInterrupted())
      return signalPassFailure();
    llvm::MapVector<Block *, Operation *> ends = findBorders(entry);
    Borders borders = bordersAt(ends);
    Sizes sizes(entry);
    MemoryUse unplanned = useUnplanned(entry, borders, sizes);
    moveFirstOfTwoToItsHalf(entry, borders);

    Views views;
    share(entry, borders, views, sizes);
    borders = bordersAt(ends);
    auto &qt = *getContext().getLoadedDialect<QTDialect>();
    ProductNames names(qt.getReportAttrHelper().getAttr(getOperation()));
    SmallVector<PlannedAttr> records;
    std::vector<PlannedTensor> tensors = planQuantizations(entry, borders, views, sizes);
    for (const PlannedTensor &tensor : tensors)
      records.push_back(names.record(tensor, entry));
    for (PlannedTensor &tensor : tensors)
      apply(tensor);
    eraseUnread(released);

    borders = bordersAt(ends);
    qt.getPlanAttrHelper().setAttr(
        getOperation(),
        recordPlan(&getContext(), records, usePlanned(entry, borders, Sizes(entry)), unplanned));
  }

private:
  static Borders bordersAt(const llvm::MapVector<Block *, Operation *> &ends) {
    Borders borders;
    for (auto [block, last] : ends)
      borders.insert({block, HalfBorder(last)});
    return borders;
  }

  /// Equal quantizations of one value, in one block and half, become the first. One of the forward half
  /// behind the border is not shared across it: that would keep the codes without anyone having planned it.
  void share(func::FuncOp entry, const Borders &borders, Views &views, const Sizes &sizes) {
    std::map<std::tuple<Block *, unsigned, const void *>, SmallVector<Quantization>> known;
    auto findEqual = [&](Quantization quantization) -> QuantizeOp {
      QuantizeOp op = quantization.op;
      SmallVector<Quantization> &earlier =
          known[{op->getBlock(), quantization.view.number, op.getHalfAttr().getAsOpaquePointer()}];
      for (Quantization candidate : earlier)
        if (candidate.op.getType() == op.getType() &&
            candidate.view.permutation == quantization.view.permutation)
          return candidate.op;
      earlier.push_back(quantization);
      return {};
    };
    Derived derived;
    SmallVector<Operation *> equals;
    entry.walk([&](Operation *any) {
      if (isa<TransposeOp, RequantizeOp>(any))
        if (Value equal = derived.equal(any)) {
          numShared += isa<RequantizeOp>(any);
          any->getResult(0).replaceAllUsesWith(equal);
          equals.push_back(any);
        }
      auto op = dyn_cast<QuantizeOp>(any);
      if (!op || !op.getScales().empty())
        return;
      Quantization quantization = Quantization::of(op, views, sizes);
      QuantizeOp equal = findEqual(quantization);
      if (equal && isBeforeBorder(borders, equal) && !isBeforeBorder(borders, op)) {
        op.setHalfAttr(HalfAttr::get(&getContext(), Half::Backward));
        equal = findEqual(quantization);
      }
      if (!equal)
        return;
      ++numShared;
      op.replaceAllUsesWith(equal.getResult());
      equals.push_back(op);
    });
    for (Operation *op : equals) {
      if (isa<QuantizeOp>(op))
        released.push_back(op->getOperand(0));
      op->erase();
    }
  }

  /// Brings the quantizations of a tensor into the chosen form.
  void apply(PlannedTensor &tensor) {
    const Form &form = tensor.choice();
    numRecomputed += form.form == PlanForm::Recomputed;
    if (!form.remaking.ops.empty())
      remake(tensor);
    llvm::DenseMap<Operation *, Value> moved;
    for (auto [quantization, placement] : llvm::zip_equal(tensor.planned, form.placements))
      if (placement.kind == Placement::Moves)
        moved[quantization.op] = moveForward(quantization.op, placement.views, tensor.anchor());
    for (auto [quantization, placement] : llvm::zip_equal(tensor.planned, form.placements)) {
      QuantizeOp op = quantization.op;
      if (placement.kind == Placement::Stays)
        continue;
      Value codes = moved.lookup(op);
      if (placement.kind == Placement::Derives) {
        Value kept = moved.lookup(placement.from.op);
        codes = derive(kept ? kept : placement.from.op->getResult(0), op,
                       permutationBetween(placement.from.view, quantization.view));
      }
      op.replaceAllUsesWith(codes);
    }
    for (auto [quantization, placement] : llvm::zip_equal(tensor.planned, form.placements)) {
      if (placement.kind == Placement::Stays)
        continue;
      released.push_back(quantization.op->getOperand(0));
      quantization.op->erase();
    }
  }

  Value moveForward(QuantizeOp op, const Remaking &views, Operation *anchor) {
    OpBuilder builder(op);
    builder.setInsertionPointAfter(anchor);
    Value source = views.build(builder, op.getInput());
    ++numEarly;
    return QuantizeOp::create(builder, op.getLoc(), op.getType(), source, ValueRange(),
                              HalfAttr::get(&getContext(), Half::Forward));
  }

  /// The codes of `op`, made of kept ones in another layout.
  Value derive(Value kept, QuantizeOp op, ArrayRef<int64_t> permutation) {
    if (isIdentityPermutation(permutation)) {
      ++numShared;
      return kept;
    }
    ++numTransposed;
    OpBuilder builder(op);
    return TransposeOp::create(builder, op.getLoc(), op.getType(), kept, permutation);
  }

  /// Makes a tensor again before the first of its planned quantizations, which then read that.
  void remake(PlannedTensor &tensor) {
    OpBuilder builder(tensor.planned.front().op);
    Value again = tensor.choice().remaking.build(builder, tensor.value);
    for (const Quantization &quantization : tensor.planned) {
      QuantizeOp op = quantization.op;
      SmallVector<Operation *> views;
      for (Value view = op.getInput(); view != tensor.value; view = views.back()->getOperand(0))
        views.push_back(view.getDefiningOp());
      builder.setInsertionPoint(op);
      Value value = again;
      for (Operation *view : llvm::reverse(views)) {
        IRMapping mapping;
        mapping.map(view->getOperand(0), value);
        value = builder.clone(*view, mapping)->getResult(0);
      }
      released.push_back(op.getInput());
      op.getInputMutable().assign(value);
    }
  }

  /// What has lost a reader.
  SmallVector<Value> released;
};
} // namespace
