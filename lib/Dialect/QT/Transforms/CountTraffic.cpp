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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// What tensors are told apart by: where they are computed, the number of a function argument (-1: none), and
/// that of the op's result or the block's argument. Steps rebuild ops, and keep this.
using Key = std::tuple<Location, int64_t, int64_t>;

/// A tensor whose elements a value has, and how much of the value they are.
struct Origin {
  Value tensor;
  double part;
};
using Origins = SmallVector<Origin, 1>;
} // namespace

static Key keyOf(Value tensor) {
  if (auto result = dyn_cast<OpResult>(tensor))
    return {tensor.getLoc(), -1, result.getResultNumber()};
  auto argument = cast<BlockArgument>(tensor);
  int64_t number = argument.getArgNumber();
  if (isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return {tensor.getLoc(), number, 0};
  return {tensor.getLoc(), -1, number};
}

/// What a value shows the elements of, in another shape, order or place, or the codes of; empty if it is
/// computed, or comes from outside.
static SmallVector<Value> shownBy(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<QuantizeOp, MultiQuantizeOp>(op) || placesElements(op))
    return {op->getOperand(0)};
  if (auto view = dyn_cast<ScaleTransparentOp>(op))
    return view.getMovedOperands();
  // What moves or converts codes.
  SmallVector<Value> codes;
  if (isa<QTensorType>(value.getType()))
    llvm::copy_if(op->getOperands(), std::back_inserter(codes),
                  [](Value operand) { return isa<QTensorType>(operand.getType()); });
  return codes;
}

/// The amaxes of parts that an op makes one of, as the amax of a concatenation is made; empty if it does not.
static SmallVector<Value> joinedBy(Operation *op) {
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    return llvm::to_vector<>(concat.getInputs());
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 2 || generic->getNumResults() != 1)
    return {};
  SmallVector<Value> inputs = generic.getDpsInputs();
  bool areAlike =
      llvm::all_of(inputs, [&](Value input) { return input.getType() == generic->getResult(0).getType(); });
  return areAlike ? inputs : SmallVector<Value>();
}

namespace {
class Counter {
public:
  explicit Counter(func::FuncOp function) : sizes(function) {}

  void count(Operation *op) {
    if (auto quantize = dyn_cast<QuantizeOp>(op))
      return countQuantizer(quantize);
    if (auto multi = dyn_cast<MultiQuantizeOp>(op))
      return countQuantizer(multi);
    // Reads codes and writes codes.
    if (auto requantize = dyn_cast<RequantizeOp>(op))
      add(originsOf(op->getOperand(0)), timesRead(requantize.getType().getScheme()), 1,
          sizes.trafficOf(requantize));
    else if (isa<TransposeOp>(op))
      add(originsOf(op->getOperand(0)), 1, 1,
          {sizes.bytesOf(op->getOperand(0)), sizes.bytesOf(op->getResult(0))});
  }

  /// In the order of the first count.
  llvm::MapVector<Key, Passes> tensors;

private:
  /// The tensors under all that only moves elements. A concatenation has several, each by its part of the
  /// bytes.
  Origins originsOf(Value value) const {
    llvm::MapVector<Value, double> found;
    llvm::SmallDenseSet<Value> entered;
    SmallVector<std::pair<Value, double>> pending = {{value, 1.0}};
    while (!pending.empty()) {
      auto [current, part] = pending.pop_back_val();
      SmallVector<Value> shown = shownBy(current);
      if (shown.empty())
        found[current] += part;
      if (!entered.insert(current).second)
        continue;
      double bytes = 0;
      for (Value operand : shown)
        bytes += double(sizes.bytesOf(operand));
      for (Value operand : llvm::reverse(shown))
        pending.push_back({operand, bytes ? part * double(sizes.bytesOf(operand)) / bytes : part});
    }
    Origins origins;
    double whole = 0;
    for (auto [tensor, part] : found)
      whole += part;
    for (auto [tensor, part] : found)
      origins.push_back({tensor, whole ? part / whole : 0});
    return origins;
  }

  /// Passes over a value of these tensors are passes over each.
  void add(const Origins &origins, int64_t reads, int64_t writes, Traffic bytes) {
    Traffic left = bytes;
    for (const Origin &origin : origins) {
      Passes &passes = tensors[keyOf(origin.tensor)];
      passes.reads += reads;
      passes.writes += writes;
      Traffic share = left;
      if (&origin != &origins.back())
        share = {std::min(left.read, int64_t(double(bytes.read) * origin.part)),
                 std::min(left.written, int64_t(double(bytes.written) * origin.part))};
      passes.bytes += share;
      left = {left.read - share.read, left.written - share.written};
    }
  }

  void countQuantizer(QuantizeOp op) {
    Origins origins = originsOf(op.getInput());
    Value amax = op.getAmax();
    int64_t reads = amax || !op.getScales().empty() ? 1 : timesRead(op.getType().getScheme());
    Traffic bytes = {0, sizes.bytesOf(op.getResult())};
    addRead(bytes, op.getInput(), reads);
    for (Value scale : op.getScales())
      addRead(bytes, scale, 1);
    add(origins, reads, 1, bytes);
    if (amax)
      countAmax(origins, amax);
  }

  /// All results are made in one pass, after one more if one of them derives an amax of all of the tensor.
  void countQuantizer(MultiQuantizeOp multi) {
    Origins origins = originsOf(multi.getInput());
    int64_t reads = 1;
    Traffic bytes;
    for (unsigned result = 0; result < multi.getNumResults(); ++result) {
      auto type = cast<QTensorType>(multi.getType(result));
      if (!multi.getAmax(result))
        reads = std::max<int64_t>(reads, timesRead(type.getScheme()));
      bytes += {0, sizes.bytesOf(multi.getResult(result))};
    }
    addRead(bytes, multi.getInput(), reads);
    add(origins, reads, multi.getNumResults(), bytes);
    for (Value amax : multi.getAmaxes())
      countAmax(origins, amax);
  }

  /// A given amax is read; what computed it, in a pass over the tensor or beside the tensor's own
  /// computation, counts once, however many read it.
  void countAmax(const Origins &origins, Value amax) {
    add(origins, 0, 0, {sizes.bytesOf(amax), 0});
    SmallVector<Value> pending = {amax};
    while (!pending.empty()) {
      Value value = throughViews(pending.pop_back_val());
      if (!counted.insert(value).second)
        continue;
      add(origins, 0, 0, {0, sizes.bytesOf(value)});
      llvm::append_range(pending, joinedBy(value.getDefiningOp()));
      auto own = value.getDefiningOp<AmaxOp>();
      if (!own)
        continue;
      Origins read = originsOf(own.getInput());
      bool isOfTensor = llvm::any_of(origins, [&](const Origin &origin) {
        return llvm::any_of(read, [&](const Origin &one) { return one.tensor == origin.tensor; });
      });
      add(isOfTensor ? read : origins, isOfTensor, 0, {sizes.bytesOf(own.getInput()), 0});
      if (!isOfTensor)
        pending.push_back(own.getInput()); // amaxes of parts of the blocks
    }
  }

  void addRead(Traffic &bytes, Value value, int64_t times) const {
    for (int64_t time = 0; time < times; ++time)
      bytes += {sizes.bytesOf(value), 0};
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
      auto [location, argument, result] = key;
      auto number = [&](int64_t value, bool isThere) {
        return isThere ? builder.getI64IntegerAttr(value) : IntegerAttr();
      };
      tensors.push_back(TensorTrafficAttr::get(&getContext(), location, number(argument, argument >= 0),
                                               number(result, result > 0), before, after));
    };
    llvm::DenseSet<Key> known;
    if (TrafficAttr before = helper.getAttr(getOperation())) {
      for (TensorTrafficAttr tensor : before.getTensors()) {
        Key key = {tensor.getLocation(), tensor.getArgument() ? tensor.getArgument().getInt() : -1,
                   tensor.getResult() ? tensor.getResult().getInt() : 0};
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
