// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how often each tensor that is quantized goes through memory for it.

#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_COUNTTRAFFICPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Reads and writes of whole tensors, and all bytes.
struct Passes {
  int64_t reads = 0, writes = 0;
  Traffic bytes;
};

/// What tensors are told apart by: where they are computed, or the number of a function argument (-1: none).
/// Steps rebuild ops, and keep this.
using Key = std::pair<Location, int64_t>;

class Counter {
public:
  explicit Counter(func::FuncOp function) : sizes(function) {}

  void count(Operation *op) {
    if (auto quantize = dyn_cast<QuantizeOp>(op))
      return countQuantizer(quantize);
    if (auto multi = dyn_cast<MultiQuantizeOp>(op))
      return countQuantizer(multi);
    auto requantize = dyn_cast<RequantizeOp>(op);
    if (!requantize && !isa<TransposeOp>(op))
      return;
    // Reads codes and writes codes.
    Passes &passes = ofTensor(quantizedFrom(op->getOperand(0)));
    passes.reads += requantize ? timesRead(requantize.getType().getScheme()) : 1;
    passes.writes += 1;
    passes.bytes += requantize ? sizes.trafficOf(requantize)
                               : Traffic{sizes.bytesOf(op->getOperand(0)), sizes.bytesOf(op->getResult(0))};
  }

  /// In the order of the first count.
  llvm::MapVector<Key, Passes> tensors;

private:
  Passes &ofTensor(Value tensor) {
    auto argument = dyn_cast<BlockArgument>(tensor);
    bool isFunctions = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
    return tensors[{tensor.getLoc(), isFunctions ? int64_t(argument.getArgNumber()) : -1}];
  }

  /// The tensor that a quantized value was made of; the value itself where it comes from outside.
  static Value quantizedFrom(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (isa<QuantizeOp, MultiQuantizeOp>(op))
        return throughViews(op->getOperand(0));
      // What moves or converts codes has them as its first operand.
      if (!isa_and_nonnull<QTDialect>(op->getDialect()) || op->getNumOperands() == 0 ||
          !isa<QTensorType>(op->getOperand(0).getType()))
        break;
      value = op->getOperand(0);
    }
    return value;
  }

  void countQuantizer(QuantizeOp op) {
    Value tensor = throughViews(op.getInput()), amax = op.getAmax();
    Passes &passes = ofTensor(tensor);
    int64_t reads = amax || !op.getScales().empty() ? 1 : timesRead(op.getType().getScheme());
    passes.reads += reads;
    passes.writes += 1;
    addRead(passes, op.getInput(), reads);
    passes.bytes += {0, sizes.bytesOf(op.getResult())};
    for (Value scale : op.getScales())
      addRead(passes, scale, 1);
    if (amax)
      countAmax(passes, tensor, amax);
  }

  /// All results are made in one pass, after one more if one of them derives an amax of all of the tensor.
  void countQuantizer(MultiQuantizeOp multi) {
    Value tensor = throughViews(multi.getInput());
    Passes &passes = ofTensor(tensor);
    int64_t reads = 1;
    for (unsigned result = 0; result < multi.getNumResults(); ++result) {
      auto type = cast<QTensorType>(multi.getType(result));
      if (!multi.getAmax(result))
        reads = std::max<int64_t>(reads, timesRead(type.getScheme()));
      passes.writes += 1;
      passes.bytes += {0, sizes.bytesOf(multi.getResult(result))};
    }
    passes.reads += reads;
    addRead(passes, multi.getInput(), reads);
    for (Value amax : multi.getAmaxes())
      countAmax(passes, tensor, amax);
  }

  /// A given amax is read; what computed it, in a pass over the tensor or beside the tensor's own
  /// computation, counts once, however many read it.
  void countAmax(Passes &passes, Value tensor, Value amax) {
    addRead(passes, amax, 1);
    while (true) {
      amax = throughViews(amax);
      if (!counted.insert(amax).second)
        return;
      passes.bytes += {0, sizes.bytesOf(amax)};
      auto op = amax.getDefiningOp<AmaxOp>();
      if (!op)
        return;
      addRead(passes, op.getInput(), 1);
      if (throughViews(op.getInput()) == tensor) {
        passes.reads += 1;
        return;
      }
      amax = op.getInput(); // one of parts of the blocks
    }
  }

  void addRead(Passes &passes, Value value, int64_t times) {
    for (int64_t time = 0; time < times; ++time)
      passes.bytes += {sizes.bytesOf(value), 0};
  }

  Sizes sizes;
  llvm::DenseSet<Value> counted;
};

struct CountTraffic : qt::impl::CountTrafficPassBase<CountTraffic> {
  using CountTrafficPassBase::CountTrafficPassBase;

  PassesAttr attribute(const Passes &passes) {
    return PassesAttr::get(&getContext(), passes.reads, passes.writes, passes.bytes.read,
                           passes.bytes.written);
  }

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    Counter counter(entry);
    entry.walk([&](Operation *op) { counter.count(op); });
    QTDialect::TrafficAttrHelper helper(&getContext());
    Builder builder(&getContext());
    SmallVector<TensorTrafficAttr> tensors;
    auto add = [&](Key key, PassesAttr before, PassesAttr after) {
      IntegerAttr argument = key.second < 0 ? IntegerAttr() : builder.getI64IntegerAttr(key.second);
      tensors.push_back(TensorTrafficAttr::get(&getContext(), key.first, argument, before, after));
    };
    llvm::DenseSet<Key> known;
    if (TrafficAttr before = helper.getAttr(getOperation())) {
      for (TensorTrafficAttr tensor : before.getTensors()) {
        Key key = {tensor.getLocation(), tensor.getArgument() ? tensor.getArgument().getInt() : -1};
        add(key, tensor.getBefore(), attribute(counter.tensors.lookup(key)));
        known.insert(key);
      }
      for (auto &[key, passes] : counter.tensors)
        if (!known.contains(key))
          add(key, attribute({}), attribute(passes));
    } else {
      for (auto &[key, passes] : counter.tensors)
        add(key, attribute(passes), PassesAttr());
    }
    helper.setAttr(getOperation(), TrafficAttr::get(&getContext(), tensors));
    markAllAnalysesPreserved();
  }
};
} // namespace
