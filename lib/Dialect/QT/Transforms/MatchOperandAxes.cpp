// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares equal quantizations, and transposes codes where a second orientation has the same bits.

#include "NormalProduct.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_MATCHOPERANDAXESPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// A value as the views that lead to it: equal views of equal values are numbered alike, a transpose at the
/// end is kept apart. No value is looked at twice.
class Views {
public:
  struct Oriented {
    unsigned number;                  // of the value before the transpose
    SmallVector<int64_t> permutation; // result dimension i is its dimension permutation[i]
  };

  Oriented orient(Value value) {
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

private:
  /// Op name, numbers of the operands, attributes, result type: all but the numbers are uniqued pointers.
  using Key = std::tuple<const void *, std::vector<unsigned>, const void *, const void *>;

  unsigned fresh(Value value) { return numbers[value] = next++; }

  unsigned number(Value value) {
    if (auto known = numbers.find(value); known != numbers.end())
      return known->second;
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::ExtractSliceOp>(op))
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

  llvm::DenseMap<Value, unsigned> numbers;
  std::map<Key, unsigned> views;
  unsigned next = 0;
};

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
