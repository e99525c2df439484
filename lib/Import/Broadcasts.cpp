// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product reads what was repeated for each matrix of its batch as it was before.

#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fp8opt;

namespace {
/// A tensor, and which loop of a contraction goes along each of its dimensions; none: it is of one element.
struct Access {
  Value tensor;
  SmallVector<std::optional<unsigned>> loops;
  /// Those that go along several dimensions at once: what is repeated along all of them has none.
  SmallVector<unsigned> joined = {};

  bool isWhole() const {
    return llvm::none_of(joined, [&](unsigned loop) { return has(loop); });
  }
  bool has(unsigned loop) const { return llvm::is_contained(loops, std::optional(loop)); }
};
} // namespace

static Access accessOf(linalg::LinalgOp op, unsigned index) {
  Access access = {op->getOperand(index), {}};
  AffineMap map = op.getIndexingMapsArray()[index];
  for (unsigned position = 0; position < map.getNumResults(); ++position)
    access.loops.emplace_back(map.getDimPosition(position));
  return access;
}

/// Before a copy into another order, or along more dimensions.
static std::optional<Access> beforeCopy(linalg::LinalgOp op, const Access &access) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  Block &body = *op.getBlock();
  AffineMap reads = op.getIndexingMapsArray()[0], writes = op.getIndexingMapsArray()[1];
  if (!llvm::hasSingleElement(body) || body.getTerminator()->getOperand(0) != body.getArgument(0) ||
      !writes.isPermutation())
    return std::nullopt;
  Access before = {op->getOperand(0), {}, access.joined};
  auto type = cast<RankedTensorType>(before.tensor.getType());
  llvm::SmallBitVector seen(reads.getNumDims());
  for (auto [dimension, expression] : llvm::enumerate(reads.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expression);
    if (loop && !seen.test(loop.getPosition())) {
      seen.set(loop.getPosition());
      before.loops.push_back(access.loops[*writes.getResultPosition(expression)]);
    } else if (!loop && type.getDimSize(dimension) == 1 && isa<AffineConstantExpr>(expression)) {
      before.loops.emplace_back();
    } else {
      return std::nullopt;
    }
  }
  return before;
}

/// The one of these dimensions that is not of one element; the last that has a loop if all are, and nothing
/// if several are not.
static std::optional<int64_t> onlyLong(ArrayRef<int64_t> dimensions, RankedTensorType type,
                                       const Access &access) {
  int64_t found = dimensions.back();
  for (int64_t dimension : dimensions)
    if (type.getDimSize(dimension) == 1 && access.loops[dimension])
      found = dimension;
  unsigned numLong = 0;
  for (int64_t dimension : dimensions)
    if (type.getDimSize(dimension) != 1) {
      found = dimension;
      ++numLong;
    }
  return numLong > 1 ? std::nullopt : std::optional(found);
}

/// Before a change of shape that adds or drops dimensions of one element, or joins some.
static std::optional<Access> beforeReshape(Operation *op, const Access &access) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    Access before = {expand.getSrc(), {}, access.joined};
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      std::optional<int64_t> only = onlyLong(group, expand.getResultType(), access);
      if (!only)
        return std::nullopt;
      before.loops.push_back(access.loops[*only]);
    }
    return before;
  }
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  Access before = {collapse.getSrc(), {}, access.joined};
  before.loops.resize(collapse.getSrcType().getRank());
  for (auto [group, loop] : llvm::zip_equal(collapse.getReassociationIndices(), access.loops)) {
    if (std::optional<int64_t> only = onlyLong(group, collapse.getSrcType(), before)) {
      before.loops[*only] = loop;
    } else if (loop) {
      for (int64_t dimension : group)
        before.loops[dimension] = loop;
      before.joined.push_back(*loop);
    }
  }
  return before;
}

static std::optional<Access> before(const Access &access) {
  Operation *op = access.tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return beforeReshape(op, access);
  auto copy = dyn_cast_or_null<linalg::LinalgOp>(op);
  return copy ? beforeCopy(copy, access) : std::nullopt;
}

/// The operand where it has not been repeated along loops of the batch yet: along as many as can be seen
/// through, and not before any other repetition.
static std::optional<Access> findRepeated(const Contraction &contraction, unsigned index) {
  const Access operand = accessOf(contraction.op, index);
  std::optional<Access> found;
  auto isBatch = [&](unsigned loop) { return llvm::is_contained(contraction.batch, loop); };
  size_t numMissing = 0;
  for (std::optional<Access> access = before(operand); access; access = before(*access)) {
    SmallVector<unsigned> missing;
    for (std::optional<unsigned> loop : operand.loops)
      if (!access->has(*loop))
        missing.push_back(*loop);
    if (!llvm::all_of(missing, [&](unsigned loop) {
          return isBatch(loop) || llvm::is_contained(contraction.unit, loop);
        }))
      break;
    if (size_t batches = llvm::count_if(missing, isBatch); batches > numMissing && access->isWhole()) {
      numMissing = batches;
      found = access;
    }
  }
  return found;
}

/// How many of the other operand and the result have to be transposed for the normal form.
static unsigned countTransposed(const Contraction &contraction, unsigned index) {
  SmallVector<unsigned> order[3];
  llvm::append_range(order[0], llvm::concat<const unsigned>(contraction.batch, contraction.m, contraction.k));
  llvm::append_range(order[1], llvm::concat<const unsigned>(contraction.batch, contraction.n, contraction.k));
  llvm::append_range(order[2], llvm::concat<const unsigned>(contraction.batch, contraction.m, contraction.n));
  unsigned count = 0;
  for (unsigned of : {1 - index, 2u}) {
    Access access = accessOf(contraction.op, of);
    while (auto transpose = access.tensor.getDefiningOp<linalg::TransposeOp>())
      access = *beforeCopy(cast<linalg::LinalgOp>(transpose.getOperation()), access);
    SmallVector<unsigned> loops;
    for (std::optional<unsigned> loop : access.loops)
      if (!llvm::is_contained(contraction.unit, *loop))
        loops.push_back(*loop);
    count += loops != order[of];
  }
  return count;
}

/// The same sums, which read the operand at `access`.
static linalg::GenericOp rebuild(RewriterBase &rewriter, linalg::LinalgOp op, unsigned index,
                                 const Access &access) {
  SmallVector<ReassociationIndices> groups(1);
  SmallVector<AffineExpr> loops;
  for (auto [dimension, loop] : llvm::enumerate(access.loops)) {
    if (loop && !loops.empty())
      groups.emplace_back();
    groups.back().push_back(static_cast<int64_t>(dimension));
    if (loop)
      loops.push_back(rewriter.getAffineDimExpr(*loop));
  }
  SmallVector<Value> operands = llvm::to_vector(op->getOperands());
  operands[index] = rewriter.createOrFold<tensor::CollapseShapeOp>(op->getLoc(), access.tensor, groups);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[index] = AffineMap::get(op.getNumLoops(), 0, loops, rewriter.getContext());
  auto generic = linalg::GenericOp::create(rewriter, op->getLoc(), op->getResultTypes(),
                                           ArrayRef(operands).take_front(2), operands[2], maps,
                                           op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(), generic.getRegion().end());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      generic->setDiscardableAttr(attribute.getName(), attribute.getValue());
  return generic;
}

/// The loops of the contraction by class, with the operand read at `access`.
static Contraction classesAt(const Contraction &contraction, unsigned index, const Access &access) {
  Contraction after = contraction;
  SmallVector<unsigned> missing;
  for (std::optional<unsigned> loop : accessOf(contraction.op, index).loops)
    if (!access.has(*loop))
      missing.push_back(*loop);
  auto isMissing = [&](unsigned loop) { return llvm::is_contained(missing, loop); };
  llvm::erase_if(after.batch, isMissing);
  llvm::erase_if(after.unit, isMissing);
  // In the order of the operand that has them.
  auto reorder = [&](SmallVectorImpl<unsigned> &loops, const Access &of) {
    SmallVector<unsigned> ordered;
    for (std::optional<unsigned> loop : of.loops)
      if (loop && llvm::is_contained(loops, *loop))
        ordered.push_back(*loop);
    loops.assign(ordered);
  };
  Access other = accessOf(contraction.op, 1 - index);
  llvm::append_range(index == 1 ? after.m : after.n, missing);
  reorder(after.m, index == 1 ? other : access);
  reorder(after.n, index == 1 ? access : other);
  reorder(after.k, index == 1 ? other : access);
  return after;
}

/// Erases what made an operand, as far as nobody reads it: no contraction, which is looked at later.
static void eraseCopies(RewriterBase &rewriter, Value operand) {
  SmallVector<Operation *> pending = {operand.getDefiningOp()};
  llvm::SmallPtrSet<Operation *, 8> erased;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!op || erased.contains(op) || !isOpTriviallyDead(op))
      continue;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && linalgOp.getNumReductionLoops() > 0)
      continue;
    for (Value value : op->getOperands())
      pending.push_back(value.getDefiningOp());
    erased.insert(op);
    rewriter.eraseOp(op);
  }
}

linalg::LinalgOp fp8opt::readBeforeBroadcasts(RewriterBase &rewriter, linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (unsigned index : {1, 0}) {
    std::optional<Contraction> contraction = matchContraction(op);
    if (!contraction || contraction->batch.empty() || !contraction->addsProducts())
      return op;
    std::optional<Access> access = findRepeated(*contraction, index);
    if (!access)
      continue;
    Contraction after = classesAt(*contraction, index, *access);
    if (after.m.empty() || after.n.empty() || after.k.empty() ||
        countTransposed(after, index) > countTransposed(*contraction, index))
      continue;
    Value operand = op->getOperand(index);
    rewriter.setInsertionPoint(op);
    linalg::GenericOp rebuilt = rebuild(rewriter, op, index, *access);
    rewriter.replaceOp(op, rebuilt);
    eraseCopies(rewriter, operand);
    op = rebuilt;
  }
  return op;
}
