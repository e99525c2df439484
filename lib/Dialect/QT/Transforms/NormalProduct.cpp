// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check that a matrix product has come through import.

#include "NormalProduct.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Import/Contraction.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Whether the maps are (batch..., m, k), (batch..., n, k) and (batch..., m, n).
static bool isNormal(const Contraction &match) {
  linalg::LinalgOp op = match.op; // Interface methods are not const.
  if (match.m.size() != 1 || match.n.size() != 1 || match.k.size() != 1)
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto reads = [&](unsigned operand, unsigned row, unsigned column) {
    // Batches stand where the result has them, those of size 1 too.
    SmallVector<unsigned> loops;
    for (AffineExpr loop : maps[2].getResults().drop_back(2))
      loops.push_back(cast<AffineDimExpr>(loop).getPosition());
    loops.append({row, column});
    return maps[operand] == AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), loops, op.getContext());
  };
  return reads(0, match.m[0], match.k[0]) && reads(1, match.n[0], match.k[0]) &&
         reads(2, match.m[0], match.n[0]);
}

LogicalResult fp8opt::qt::verifyNormalProduct(Operation *op) {
  std::optional<Contraction> match = matchContraction(op);
  if (!match || !match->isProduct())
    return success();
  if (isa<QuantizableOp>(op) && isNormal(*match))
    return success();
  return op->emitOpError(
      "expected matrix products as linalg.contract in normal form; run fp8-import-linalg first");
}
