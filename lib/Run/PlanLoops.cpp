// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the order of loops: a contiguous parallel loop innermost where there is one, sums in their order.

#include "Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fp8opt::run;

// What a loop of unknown length is taken for.
static constexpr int64_t kTypicalExtent = 128;

/// Elements between neighbours along `dim` in the operand, 0 if it is the same element; -1 if unknown.
static int64_t strideAlong(OpOperand &operand, AffineMap map, unsigned dim) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !map.isFunctionOfDim(dim))
    return 0;
  int64_t offset, total = 0;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return -1;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (!isa<AffineDimExpr>(expr) || ShapedType::isDynamic(strides[index]))
      return -1;
    total += strides[index];
  }
  return total;
}

/// Loads and stores that are not contiguous with `dim` innermost.
static int64_t scatteredAccesses(linalg::LinalgOp op, unsigned dim) {
  int64_t count = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    int64_t stride = strideAlong(operand, op.getMatchingIndexingMap(&operand), dim);
    if (stride != 0 && stride != 1)
      count += op.isDpsInit(&operand) ? 2 : 1;
  }
  return count;
}

static int64_t bodyCost(linalg::LinalgOp op) {
  int64_t cost = 1;
  op.getBlock()->walk([&](Operation *inner) {
    // An exponential costs about as much as this many additions.
    cost += isa_and_present<math::MathDialect>(inner->getDialect()) ? 20 : 1;
  });
  return cost;
}

bool LoopPlan::isCarried(linalg::LinalgOp op, OpOperand &init) const {
  AffineMap map = op.getMatchingIndexingMap(&init);
  return innerReductions != 0 && llvm::none_of(ArrayRef(order).take_back(innerReductions),
                                               [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// Whether iterations of `dim` write different elements of every result that is not carried, of which there
/// is one.
static bool writesApart(linalg::LinalgOp op, const LoopPlan &plan, unsigned dim) {
  bool any = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (plan.isCarried(op, init))
      continue;
    any = true;
    if (strideAlong(init, op.getMatchingIndexingMap(&init), dim) <= 0)
      return false;
  }
  return any;
}

LoopPlan fp8opt::run::planLoops(linalg::LinalgOp op) {
  LoopPlan plan;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<unsigned> parallel, reductions;
  for (unsigned dim = 0; dim < kinds.size(); ++dim)
    (linalg::isParallelIterator(kinds[dim]) ? parallel : reductions).push_back(dim);

  std::optional<unsigned> innermost;
  int64_t fewest = 0;
  for (unsigned dim : parallel) {
    int64_t scattered = scatteredAccesses(op, dim);
    if (extents[dim] == 1 || (innermost && scattered > fewest))
      continue;
    innermost = dim;
    fewest = scattered;
  }
  // A sum along contiguous elements is better kept in a register than spread over its rows.
  if (innermost && !reductions.empty() && fewest > 0)
    innermost.reset();

  // Loops of one iteration go inside, where they cost nothing: the outermost is what threads share.
  auto order = [&](unsigned dim) { return std::pair(extents[dim] == 1, dim); };
  llvm::sort(parallel, [&](unsigned a, unsigned b) { return order(a) < order(b); });
  for (unsigned dim : parallel)
    if (dim != innermost)
      plan.order.push_back(dim);
  plan.order.append(reductions);
  if (innermost)
    plan.order.push_back(*innermost);
  else
    plan.innerReductions = reductions.size();
  plan.parallelInnermost =
      innermost || (plan.innerReductions != 0 && writesApart(op, plan, plan.order.back()));
  plan.parallelOutermost = !plan.order.empty() && linalg::isParallelIterator(kinds[plan.order.front()]);

  plan.work = bodyCost(op);
  for (unsigned dim : ArrayRef<unsigned>(plan.order).drop_front(plan.order.empty() ? 0 : 1))
    plan.work *= ShapedType::isDynamic(extents[dim]) ? kTypicalExtent : std::max<int64_t>(extents[dim], 1);
  return plan;
}
