// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves quantizers above what only moves elements, where no bit changes and no more bytes move.

#include "EqualOps.h"
#include "SettleTransposes.h"
#include "Siblings.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_HOISTQUANTIZATIONPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// A quantizer below a view, and what it is above: a quantizer of each moved operand.
struct Move {
  QuantizeOp quantizer;
  SmallVector<QTensorType> types;
};

/// The readers of a view's result.
struct Readers {
  SmallVector<Move> moves;
  bool onlyMoves = true; // nothing else reads elements
  bool allMove = true;   // no quantizer must stay
};

/// The quantizers of a program, by what makes two of them equal.
class Quantizers {
public:
  void add(QuantizeOp op) { ++counts[keyOf(op)]; }
  void remove(QuantizeOp op) { --counts[keyOf(op)]; }
  bool has(Block *block, Value input, QTensorType type, HalfAttr half) const {
    return counts.lookup({block, input, type, half}) > 0;
  }

private:
  using Key = std::tuple<Block *, Value, Type, Attribute>;
  static Key keyOf(QuantizeOp op) { return {op->getBlock(), op.getInput(), op.getType(), op.getHalfAttr()}; }

  llvm::DenseMap<Key, int> counts;
};

/// Moves the quantizers of a function. Views are visited from the last to the first, so that those that read
/// a view's result have all arrived there when it is decided about.
class Hoist {
public:
  Hoist(func::FuncOp function, bool remarks)
      : function(function), builder(function.getContext()), remarks(remarks), sizes(function),
        siblings(function) {}

  void run();

  unsigned numHoisted = 0, numRefused = 0;

private:
  void visit(Block &block);
  void hoistAbove(ScaleTransparentOp view);
  void hoistAboveSlices(Value source);
  /// Whether an op reads at most the shape of its operands.
  bool readsNothing(Operation *op) const { return isa<ShapedDimOpInterface>(op) || unread.contains(op); }
  void noteIfUnread(ScaleTransparentOp view);
  Readers readersOf(ScaleTransparentOp view);
  /// Why it takes more bytes to move them all; empty if it does not.
  WhyNot whyNotWorth(ScaleTransparentOp view, const Readers &readers);
  bool leavesSibling(ScaleTransparentOp view, const Readers &readers) const;
  void apply(ScaleTransparentOp view, const Move &move, bool settlesAboveSlices = true);
  void refuse(QuantizeOp quantizer, ScaleTransparentOp view, const WhyNot &why);

  func::FuncOp function;
  OpBuilder builder;
  bool remarks;
  Sizes sizes;
  Siblings siblings;
  Quantizers quantizers;
  llvm::SetVector<Operation *> unread; // views that no op reads elements of any more
};
} // namespace

void Hoist::refuse(QuantizeOp quantizer, ScaleTransparentOp view, const WhyNot &why) {
  ++numRefused;
  if (remarks)
    quantizer.emitRemark() << "quantizer stays below '" << view->getName() << "': " << why;
}

/// Whether the scales of a quantizer are derived from its input and nothing else.
static bool isPlain(QuantizeOp quantizer) { return quantizer->getNumOperands() == 1; }

/// Whether the scales of a quantizer are given, one for all of the tensor at each level.
static bool hasOneGivenScale(QuantizeOp quantizer) {
  return !quantizer.getScales().empty() && llvm::all_of(quantizer.getScales(), [](Value scales) {
    return cast<RankedTensorType>(scales.getType()).getRank() == 0;
  });
}

/// Whether given scales of a quantizer are those of an operand of this type too.
static bool keepsGivenScales(QuantizeOp quantizer, QTensorType type) {
  return llvm::all_of(llvm::enumerate(quantizer.getScales()), [&](auto scales) {
    return type.getScalesType(scales.index()) == scales.value().getType();
  });
}

/// Whether a change of shape makes several dimensions of one: what transposes them stays behind it.
static bool splitsDimensions(ScaleTransparentOp view) {
  auto rank = [](Value value) { return cast<RankedTensorType>(value.getType()).getRank(); };
  return view.getMoving() == Moving::Reshapes &&
         rank(view->getResult(0)) > rank(view.getMovedOperands().front());
}

Readers Hoist::readersOf(ScaleTransparentOp view) {
  Readers readers;
  for (Operation *user : view->getUsers()) {
    if (readsNothing(user))
      continue;
    auto quantizer = dyn_cast<QuantizeOp>(user);
    if (!quantizer || (!isPlain(quantizer) && !hasOneGivenScale(quantizer))) {
      readers.onlyMoves = false;
      continue;
    }
    WhyNot why;
    SmallVector<QTensorType> types;
    if (quantizer->getBlock() != view->getBlock())
      why = "expected both in one block of the control flow, got the quantizer in another";
    else if (quantizer.getType().getShape() != quantizer.getInput().getType().getShape())
      why = "expected a quantizer that knows the sizes of its operand, got another shape";
    else
      types = view.getQuantizedTypes(quantizer.getType(), why);
    for (auto [type, operand] : llvm::zip(types, view.getMovedOperands()))
      if (!keepsGivenScales(quantizer, type))
        why = "expected given scales that are one for all of the operand too, got others";
      else if (type.getShape() != cast<RankedTensorType>(operand.getType()).getShape())
        why = "expected sizes that operand and result both know, got others";
    // The quantizer can write the transpose of its codes only where it stands next to it.
    if (splitsDimensions(view) && llvm::any_of(quantizer->getUsers(), llvm::IsaPred<TransposeOp>))
      why = "expected codes that are read as they are, got a transpose of them that would not move with it";
    if (why.empty()) {
      readers.moves.push_back({quantizer, types});
      continue;
    }
    refuse(quantizer, view, why);
    readers.onlyMoves = readers.allMove = false;
  }
  return readers;
}

/// Whether the codes of all quantizers together are no wider than the numbers that nobody else reads: then
/// moving them costs no more than moving the numbers did, whatever the sizes, and no more is quantized than
/// before.
static bool replacesMove(const Readers &readers) {
  unsigned codeBits = 0, expressedBits = 0;
  for (const Move &move : readers.moves) {
    QuantizeOp quantizer = move.quantizer;
    codeBits += numerics::format(quantizer.getType().getScheme().getCode()).bits();
    expressedBits = quantizer.getType().getElementTypeBitWidth();
  }
  return readers.onlyMoves && codeBits <= expressedBits;
}

/// Whether a quantizer would leave one behind with which it can be one pass over the tensor, and there is
/// none like it above.
bool Hoist::leavesSibling(ScaleTransparentOp view, const Readers &readers) const {
  Value operand = view.getMovedOperands().front();
  return llvm::any_of(readers.moves, [&](const Move &move) {
    QuantizeOp quantizer = move.quantizer;
    return !quantizers.has(quantizer->getBlock(), operand, move.types.front(), quantizer.getHalfAttr()) &&
           siblings.hasFixed(quantizer);
  });
}

WhyNot Hoist::whyNotWorth(ScaleTransparentOp view, const Readers &readers) {
  if (view.getMoving() == Moving::Reshapes)
    return leavesSibling(view, readers)
               ? "expected its other orientations to move too, got one that stays and could be made with it"
               : "";
  if (replacesMove(readers))
    return {};
  Value result = view->getResult(0);
  int64_t below = readers.onlyMoves ? sizes.bytesOf(result) : 0, above = 0;
  for (Value operand : view.getMovedOperands())
    below = addBytes(below, readers.onlyMoves ? sizes.bytesOf(operand) : 0);
  for (const Move &move : readers.moves) {
    QuantizeOp quantizer = move.quantizer;
    below = addBytes(below, sizes.quantizing(result, quantizer.getType()).total());
    above = addBytes(above, sizes.bytesOf(quantizer.getType(), result));
    for (auto [operand, type] : llvm::zip_equal(view.getMovedOperands(), move.types)) {
      above = addBytes(above, sizes.bytesOf(type, operand));
      if (!quantizers.has(quantizer->getBlock(), operand, type, quantizer.getHalfAttr()))
        above = addBytes(above, sizes.quantizing(operand, type).total());
    }
  }
  if (above <= below)
    return {};
  return "expected no more bytes to be moved than below it, " + std::to_string(below) + ", got " +
         std::to_string(above) + (readers.onlyMoves ? "" : ", as others read its result too");
}

void Hoist::apply(ScaleTransparentOp view, const Move &move, bool settlesAboveSlices) {
  QuantizeOp quantizer = move.quantizer;
  builder.setInsertionPoint(quantizer);
  SmallVector<Value> operands;
  for (auto [operand, type] : llvm::zip_equal(view.getMovedOperands(), move.types)) {
    auto above = QuantizeOp::create(builder, quantizer.getLoc(), type, operand, quantizer.getScales(),
                                    quantizer.getHalfAttr());
    if (isPlain(above)) {
      quantizers.add(above);
      siblings.replace(quantizer, above, view);
    }
    operands.push_back(above);
  }
  Value moved = view.buildQuantized(builder, operands, quantizer.getType());
  quantizer.replaceAllUsesWith(moved);
  if (isPlain(quantizer))
    quantizers.remove(quantizer);
  quantizer.erase();
  settleTransposes(builder, moved, settlesAboveSlices);
  ++numHoisted;
}

void Hoist::noteIfUnread(ScaleTransparentOp view) {
  if (llvm::all_of(view->getUsers(), [&](Operation *user) { return readsNothing(user); }))
    unread.insert(view);
}

void Hoist::hoistAbove(ScaleTransparentOp view) {
  Readers readers = readersOf(view);
  if (readers.moves.empty())
    return;
  WhyNot why;
  if (view.getMoving() == Moving::ReadsPart)
    why = "expected its operand in one block of the control flow with it, got it from outside";
  else if (!readers.allMove) // what quantizes one value together is to stay together
    why = "expected all quantizers of its result to move, got one that stays";
  else
    why = whyNotWorth(view, readers);
  for (const Move &move : readers.moves) {
    if (why.empty())
      apply(view, move);
    else
      refuse(move.quantizer, view, why);
  }
  noteIfUnread(view);
}

namespace {
/// Slices of one value that are quantized alike.
struct Slices {
  SmallVector<std::pair<ScaleTransparentOp, Move>> members;

  /// Whether together they are all of a tensor of this shape: slices of one dimension that leave nothing out.
  bool cover(ArrayRef<int64_t> shape) const;
};
} // namespace

bool Slices::cover(ArrayRef<int64_t> shape) const {
  std::optional<int64_t> along;
  SmallVector<std::pair<int64_t, int64_t>> parts; // offset, size
  for (auto [view, move] : members) {
    auto slice = cast<OffsetSizeAndStrideOpInterface>(view.getOperation());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      int64_t offset = slice.getStaticOffsets()[dim], sliced = slice.getStaticSizes()[dim];
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(offset) || ShapedType::isDynamic(sliced) ||
          slice.getStaticStrides()[dim] != 1)
        return false;
      if (offset == 0 && sliced == size)
        continue;
      if (along.value_or(dim) != int64_t(dim))
        return false;
      along = dim;
      parts.push_back({offset, sliced});
    }
  }
  if (!along)
    return true;
  llvm::sort(parts);
  int64_t covered = 0;
  for (auto [offset, size] : parts) {
    if (offset > covered)
      return false;
    covered = std::max(covered, offset + size);
  }
  return covered == shape[*along];
}

void Hoist::hoistAboveSlices(Value source) {
  llvm::MapVector<std::pair<Type, Attribute>, Slices> groups;
  SetVector<Operation *> views;
  for (Operation *user : source.getUsers())
    if (auto view = dyn_cast<ScaleTransparentOp>(user))
      if (view->getBlock() == source.getParentBlock() && view.getMoving() == Moving::ReadsPart &&
          llvm::is_contained(view.getMovedOperands(), source))
        views.insert(user);
  for (Operation *op : views) {
    auto view = cast<ScaleTransparentOp>(op);
    for (const Move &move : readersOf(view).moves) {
      QuantizeOp quantizer = move.quantizer;
      groups[{move.types.front(), quantizer.getHalfAttr()}].members.push_back({view, move});
    }
  }
  for (auto &[key, slices] : groups) {
    auto [type, half] = key;
    bool exists = quantizers.has(source.getParentBlock(), source, cast<QTensorType>(type),
                                 cast_or_null<HalfAttr>(half));
    bool worth = exists || slices.cover(cast<RankedTensorType>(source.getType()).getShape());
    // All of the source is transposed at once where that is no more than its slices.
    Slices transposed;
    for (auto &[view, move] : slices.members) {
      QuantizeOp quantizer = move.quantizer;
      if (llvm::any_of(quantizer->getUsers(), llvm::IsaPred<TransposeOp>))
        transposed.members.push_back({view, move});
    }
    const bool settles = worth && transposed.cover(cast<RankedTensorType>(source.getType()).getShape());
    for (auto &[view, move] : slices.members) {
      if (worth)
        apply(view, move, settles);
      else
        refuse(move.quantizer, view,
               "expected slices quantized alike that leave nothing out, or a quantizer of their "
               "source, got neither: more would be quantized than is read");
    }
  }
  for (Operation *op : views)
    noteIfUnread(cast<ScaleTransparentOp>(op));
}

void Hoist::visit(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        visit(inner);
    for (Value result : op.getResults())
      hoistAboveSlices(result);
    auto view = dyn_cast<ScaleTransparentOp>(op);
    SmallVector<Value> moved = view ? view.getMovedOperands() : SmallVector<Value>();
    if (moved.empty() || (view.getMoving() == Moving::ReadsPart && moved.front().getParentBlock() == &block))
      continue; // slices are decided about together, at what they are slices of
    hoistAbove(view);
  }
  for (Value argument : block.getArguments())
    hoistAboveSlices(argument);
}

void Hoist::run() {
  function.walk([&](QuantizeOp op) {
    if (isPlain(op))
      quantizers.add(op);
  });
  for (Block &block : function.getBody())
    visit(block);
  SmallVector<Value> results;
  for (Operation *op : unread)
    results.push_back(op->getResult(0));
  eraseUnread(results);
}

namespace {
struct HoistQuantization : qt::impl::HoistQuantizationPassBase<HoistQuantization> {
  using HoistQuantizationPassBase::HoistQuantizationPassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    Hoist hoist(entry, remarks);
    hoist.run();
    numHoisted += hoist.numHoisted;
    numRefused += hoist.numRefused;
    // What has arrived at one value may be equal to what was there.
    if (hoist.numHoisted > 0)
      numMerged += mergeEqualOps(
          entry, [](Operation *op) { return isa<QuantizeOp>(op) || op->hasTrait<MovesCodes>(); });
  }
};
} // namespace
