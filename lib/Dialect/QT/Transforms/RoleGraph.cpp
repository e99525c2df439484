// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk that numbers values and finds dependences; views and keys are in RoleViews.cpp.

#include "RoleGraph.h"

#include "ReadElements.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Import/Contraction.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

RoleGraph::RoleGraph(FunctionOpInterface function) {
  Block &body = function.getFunctionBody().front();
  argumentCount = body.getNumArguments();
  visit(body, 0);
  for (Value value : body.getTerminator()->getOperands())
    returnedIds.push_back(getId(value));
  sortEdges();
}

ValueId RoleGraph::add(Value value, unsigned loop) {
  ValueId id = values.size();
  ids.try_emplace(value, id);
  values.push_back(value);
  numbers.push_back(structures.getLeaf());
  loops.push_back(loop);
  marks.push_back({});
  views.push_back({});
  return id;
}

void RoleGraph::visit(Block &block, unsigned loop) {
  for (Value argument : block.getArguments())
    add(argument, loop);
  for (Operation &op : block) {
    if (auto controlFlow = dyn_cast<RegionBranchOpInterface>(op))
      visitControlFlow(controlFlow, loop);
    else if (op.getNumResults())
      visitPlain(&op, loop);
  }
}

/// Calls `transfer` for every value that control flow may pass on, and for the initial values of a loop that
/// is known to run: its results are carried values all the same.
static void forEachTransfer(RegionBranchOpInterface op,
                            function_ref<void(Value input, Value source)> transfer) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor successor : successors)
    for (auto [input, source] :
         llvm::zip(successor.getSuccessorInputs(), op.getEntrySuccessorOperands(successor)))
      transfer(input, source);
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      auto terminator = block.empty() ? nullptr : dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      op.getSuccessorRegions(RegionBranchPoint(terminator), successors);
      for (RegionSuccessor successor : successors)
        for (auto [input, source] :
             llvm::zip(successor.getSuccessorInputs(), terminator.getSuccessorOperands(successor)))
          transfer(input, source);
    }
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op.getOperation());
  if (loop && op->getNumRegions() == 1 && loop.getInits().size() == op->getNumResults())
    for (auto [result, init] : llvm::zip(op->getResults(), loop.getInits()))
      transfer(result, init);
}

/// A result that control flow passes nothing to (scf.forall) reads what its op and terminators read.
static void forEachRead(RegionBranchOpInterface op, function_ref<void(Value)> read) {
  llvm::for_each(op->getOperands(), read);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        block.back().walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), read); });
}

void RoleGraph::visitControlFlow(RegionBranchOpInterface op, unsigned loop) {
  bool isLoop = isa<LoopLikeOpInterface>(op.getOperation());
  for (Region &region : op->getRegions()) {
    unsigned inner = loop;
    if (isLoop) {
      inner = outermost.size();
      outermost.push_back(loop ? outermost[loop] : inner);
    }
    for (Block &block : region)
      visit(block, inner);
  }
  for (Value result : op->getResults())
    add(result, loop);

  Arrivals arrivals;
  DenseMap<ValueId, unsigned> places;
  SmallPtrSet<Value, 8> forwarded;
  forEachTransfer(op, [&](Value input, Value source) {
    ValueId id = getId(input), from = getId(source);
    addEdge(id, from);
    forwarded.insert(source);
    auto [place, inserted] = places.try_emplace(id, arrivals.size());
    if (inserted)
      arrivals.push_back({id, {}});
    arrivals[place->second].second.push_back(from);
  });
  for (Value result : op->getResults()) {
    ValueId id = getId(result);
    if (!places.contains(id))
      forEachRead(op, [&](Value value) {
        if (auto source = ids.find(value); source != ids.end())
          addEdge(id, source->second);
      });
    else if (!isLoop)
      for (Value operand : op->getOperands())
        if (!forwarded.contains(operand))
          addEdge(id, getId(operand));
  }
  llvm::sort(arrivals, llvm::less_first());
  findCarriedViews(arrivals);
  findStacked(op, arrivals);
}

bool RoleGraph::makesStored(Operation *op) {
  if (isa<tensor::ConcatOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value part) { return isStoredKey(getKey(getId(part))); });
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return op->hasTrait<OpTrait::ConstantLike>() && type && type.getRank() >= 2 &&
         isa<FloatType>(type.getElementType());
}

void RoleGraph::visitPlain(Operation *op, unsigned loop) {
  SmallVector<Value> read;
  for (OpOperand &operand : op->getOpOperands())
    if (readsElements(operand))
      read.push_back(operand.get());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (ids.contains(operand.get()) && readsElements(operand))
          read.push_back(operand.get());
    });

  for (Value result : op->getResults()) {
    ValueId id = add(result, loop);
    for (Value value : read)
      addEdge(id, getId(value));
  }
  ValueId first = getId(op->getResult(0));
  if (isMemoryEffectFree(op)) {
    auto known = structures.get(
        op,
        [&](Value value) {
          auto id = ids.find(value);
          return id == ids.end() ? ~0u : numbers[id->second];
        },
        isRead);
    llvm::copy(known, numbers.begin() + first);
  }
  if (makesStored(op))
    stored.try_emplace(numbers[first], first);

  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (isa<QuantizableOp>(op) || matchContraction(op))
    candidateOps.push_back(op);
  if (linalgOp && !isa<QuantizableOp>(op))
    visitLinalg(linalgOp, first);
  if (auto gather = dyn_cast<tensor::GatherOp>(op))
    lookedUpIds.push_back(getId(gather.getSource()));
  setView(op, first, read);
}

/// Is the body's result an equality of integers, up to casts and a choice of one number or zero? Integers may
/// be positions. The equality may be one that the body reads.
static bool isEquality(Block &body, function_ref<bool(BlockArgument)> isEqualityArgument) {
  auto isNumber = [](Value value) { return matchPattern(value, m_Constant()); };
  Value value = body.getTerminator()->getOperand(0);
  while (Operation *op = value.getDefiningOp()) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return compare.getPredicate() == arith::CmpIPredicate::eq && !compare.getLhs().getType().isInteger(1);
    auto select = dyn_cast<arith::SelectOp>(op);
    if (select && isNumber(select.getTrueValue()) && matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
      value = select.getCondition();
    else if (isa<CastOpInterface>(op))
      value = op->getOperand(0);
    else
      return false;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body && isEqualityArgument(argument);
}

/// Is it the larger or the smaller of the two that are compared? That is no choice.
static bool isBound(arith::CmpFOp compare) {
  auto isBound = [&](Operation *user) {
    auto select = dyn_cast<arith::SelectOp>(user);
    if (!select)
      return false;
    Value first = select.getTrueValue(), second = select.getFalseValue();
    return (first == compare.getLhs() && second == compare.getRhs()) ||
           (first == compare.getRhs() && second == compare.getLhs());
  };
  return llvm::all_of(compare->getUsers(), isBound);
}

/// Whatever else the body computes: producers and consumers may be fused.
void RoleGraph::visitComparisons(linalg::LinalgOp op, ValueId result) {
  Block *body = op.getBlock();
  auto read = [&](Value side) {
    llvm::SmallSetVector<Value, 8> slice;
    slice.insert(side);
    SmallVector<ValueId, 2> found;
    for (size_t i = 0; i < slice.size(); ++i) {
      Value value = slice[i];
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == body)
        value = op->getOperand(argument.getArgNumber());
      else if (Operation *inner = value.getDefiningOp(); inner && inner->getBlock() == body)
        slice.insert_range(inner->getOperands());
      if (auto id = ids.find(value); id != ids.end() && !llvm::is_contained(found, id->second))
        found.push_back(id->second);
    }
    llvm::sort(found);
    return found;
  };
  for (Operation &inner : body->without_terminator())
    if (auto compare = dyn_cast<arith::CmpFOp>(inner); compare && !isBound(compare)) {
      SmallVector<ValueId, 2> lhs = read(compare.getLhs()), rhs = read(compare.getRhs());
      if (lhs != rhs && !lhs.empty() && !rhs.empty())
        allComparisons.push_back({result, lhs, rhs});
    }
}

void RoleGraph::visitLinalg(linalg::LinalgOp op, ValueId result) {
  Block &body = *op.getBlock();
  Marks &mark = marks[result];
  bool multiplies = false;
  body.walk([&](Operation *inner) {
    mark.isExponential |= isa<math::ExpOp>(inner);
    mark.isLogarithm |= isa<math::LogOp>(inner);
    multiplies |= isa<arith::MulFOp>(inner);
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      if (auto table = ids.find(extract.getTensor()); table != ids.end())
        lookedUpIds.push_back(table->second);
  });
  bool reduces = op.getNumReductionLoops() > 0;
  Operation *last = body.getTerminator()->getPrevNode();
  mark.isSum = reduces && !multiplies && last && isa<arith::AddFOp>(last) && op->getNumResults() == 1;
  mark.isOneHot = !reduces && isEquality(body, [&](BlockArgument argument) {
    auto id = ids.find(op->getOperand(argument.getArgNumber()));
    return id != ids.end() && isOneHot(id->second);
  });
  visitComparisons(op, result);
}

SmallVector<ValueId, 1> RoleGraph::getSummedExponentials(ValueId id) const {
  SmallVector<ValueId, 1> found;
  if (!marks[id].isSum)
    return found;
  if (marks[id].isExponential)
    found.push_back(id);
  for (ValueId source : sources(id))
    if (ValueId root = getRoot(source); marks[root].isExponential)
      found.push_back(root);
  return found;
}

void RoleGraph::sortEdges() {
  auto sort = [&](std::vector<unsigned> &starts, std::vector<ValueId> &all, auto from, auto to) {
    starts.assign(values.size() + 1, 0);
    for (auto &edge : edges)
      ++starts[from(edge) + 1];
    for (size_t i = 0; i < values.size(); ++i)
      starts[i + 1] += starts[i];
    all.resize(edges.size());
    std::vector<unsigned> next(starts.begin(), starts.end() - 1);
    for (auto &edge : edges)
      all[next[from(edge)]++] = to(edge);
  };
  auto result = [](auto &edge) { return edge.first; };
  auto source = [](auto &edge) { return edge.second; };
  sort(sourceStarts, sourceIds, result, source);
  sort(userStarts, userIds, source, result);
  edges = {};
}
