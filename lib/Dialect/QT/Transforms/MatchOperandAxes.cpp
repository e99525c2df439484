// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares equal quantizations, and transposes codes where a second orientation has the same bits.

#include "EraseUnread.h"
#include "NormalProduct.h"
#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
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
/// Quantizations of one value, in one half and one block of the control flow, in program order.
struct Candidate {
  QuantizeOp op;
  SmallVector<int64_t> permutation;
};
} // namespace

/// The permutation that takes the layout of `from` to the layout of `to`.
static SmallVector<int64_t> relative(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> inverse = invertPermutationVector(from);
  SmallVector<int64_t> result;
  for (int64_t dim : to)
    result.push_back(inverse[dim]);
  return result;
}

/// The type of `type` transposed, or null where a transpose is not possible.
static QTensorType transposed(QuantizeOp op, ArrayRef<int64_t> permutation) {
  SmallVector<Type> types;
  TransposeOp::Properties properties;
  properties.permutation = DenseI64ArrayAttr::get(op.getContext(), permutation);
  if (failed(TransposeOp::inferReturnTypes(op.getContext(), std::nullopt, ValueRange(op.getResult()), {},
                                           &properties, {}, types)))
    return {};
  return cast<QTensorType>(types.front());
}

/// A value equal to `op` made of an earlier quantization, or null.
static Value reuse(OpBuilder &builder, Candidate earlier, QuantizeOp op, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> move = relative(earlier.permutation, permutation);
  if (isIdentityPermutation(move))
    return earlier.op.getType() == op.getType() ? earlier.op.getResult() : Value();
  if (transposed(earlier.op, move) != op.getType())
    return {};
  builder.setInsertionPoint(op);
  return TransposeOp::create(builder, op.getLoc(), op.getType(), earlier.op.getResult(), move);
}

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

struct MatchOperandAxes : qt::impl::MatchOperandAxesPassBase<MatchOperandAxes> {
  using MatchOperandAxesPassBase::MatchOperandAxesPassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    if (entry.walk([](Operation *op) { return WalkResult(verifyNormalProduct(op)); }).wasInterrupted())
      return signalPassFailure();
    Views views;
    std::map<std::tuple<Block *, unsigned, const void *>, SmallVector<Candidate>> candidates;
    OpBuilder builder(&getContext());
    SmallVector<QuantizeOp> replaced;
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
      Views::Oriented source = views.orient(op.getInput());
      SmallVector<Candidate> &earlier =
          candidates[{op->getBlock(), source.number, op.getHalfAttr().getAsOpaquePointer()}];
      for (Candidate candidate : earlier) {
        Value equal = reuse(builder, candidate, op, source.permutation);
        if (!equal)
          continue;
        ++(equal == candidate.op.getResult() ? numShared : numTransposed);
        op.replaceAllUsesWith(equal);
        replaced.push_back(op);
        return;
      }
      earlier.push_back({op, source.permutation});
    });
    for (Operation *op : equals)
      op->erase();
    for (QuantizeOp op : replaced) {
      Value source = op.getInput();
      op.erase();
      eraseUnread(source);
    }
  }
};
} // namespace
