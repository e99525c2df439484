// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an op of each result of a generic.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREESPLITRESULTSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// The loops that a result keeps are parallel, the others reduce it.
static SmallVector<utils::IteratorType> iteratorsOf(AffineMap map) {
  SmallVector<utils::IteratorType> kinds(map.getNumDims(), utils::IteratorType::reduction);
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      kinds[dim.getPosition()] = utils::IteratorType::parallel;
  return kinds;
}

/// Whether the sizes of all loops follow from operands with these maps.
static bool giveSizes(ArrayRef<AffineMap> maps, MLIRContext *context) {
  return static_cast<bool>(inversePermutation(concatAffineMaps(maps, context)));
}

/// The op that computes one result alone; null if the result depends on what another one has become.
static linalg::GenericOp only(OpBuilder &builder, linalg::GenericOp op, unsigned result) {
  unsigned inputs = op.getNumDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> operands = op.getInputs();
  SmallVector<AffineMap> others(maps.begin() + inputs, maps.end());
  AffineMap map = maps[inputs + result];
  maps.resize(inputs);
  maps.push_back(map);
  // What had its size from another result alone is given that one's init, which the body does not read.
  SmallVector<Value> unread;
  for (unsigned other = 0; other < others.size() && !giveSizes(maps, op.getContext()); ++other) {
    if (other == result)
      continue;
    unread.push_back(op.getOutputs()[other]);
    operands.push_back(unread.back());
    maps.insert(std::prev(maps.end()), others[other]);
  }
  auto alone = linalg::GenericOp::create(builder, op.getLoc(), op->getResult(result).getType(), operands,
                                         op.getOutputs()[result], maps, iteratorsOf(map));
  IRMapping mapping;
  op.getRegion().cloneInto(&alone.getRegion(), mapping);
  Block &body = alone.getRegion().front();
  Operation *yield = body.getTerminator();
  Value kept = yield->getOperand(result);
  yield->setOperands(kept);
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(body)))
    if (&inner != yield && isOpTriviallyDead(&inner))
      inner.erase();
  for (unsigned other = op.getNumResults(); other-- > 0;) {
    BlockArgument argument = body.getArgument(inputs + other);
    if (other == result)
      continue;
    if (!argument.use_empty()) {
      alone.erase();
      return {};
    }
    body.eraseArgument(inputs + other);
  }
  for (Value init : llvm::reverse(unread))
    body.insertArgument(inputs, getElementTypeOrSelf(init), op.getLoc());
  return alone;
}

namespace {
struct IREESplitResults : fp8opt::impl::IREESplitResultsPassBase<IREESplitResults> {
  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp op) {
      if (op.getNumResults() < 2 || !op.hasPureTensorSemantics())
        return;
      OpBuilder builder(op);
      SmallVector<linalg::GenericOp> parts;
      for (unsigned result = 0; result < op.getNumResults(); ++result) {
        linalg::GenericOp part = only(builder, op, result);
        if (!part) {
          for (linalg::GenericOp made : parts)
            made.erase();
          return;
        }
        parts.push_back(part);
      }
      for (auto [result, part] : llvm::zip_equal(op->getResults(), parts))
        result.replaceAllUsesWith(part->getResult(0));
      op.erase();
    });
  }
};
} // namespace
