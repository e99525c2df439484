// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sums add.

#include "Sums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

OpOperand *fp8opt::iree::addedTerm(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return nullptr;
  auto sum = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getBlock() != op.getBlock())
    return nullptr;
  BlockArgument out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  return sum.getLhs() == out ? &sum.getRhsMutable() : sum.getRhs() == out ? &sum.getLhsMutable() : nullptr;
}
