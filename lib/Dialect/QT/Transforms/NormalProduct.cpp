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
static bool isNormal(linalg::LinalgOp op, const linalg::ContractionDimensions &dims) {
  if (dims.m.size() != 1 || dims.n.size() != 1 || dims.k.size() != 1)
    return false;
  auto reads = [&](unsigned operand, unsigned row, unsigned column) {
    SmallVector<unsigned> loops(dims.batch.begin(), dims.batch.end());
    loops.append({row, column});
    return op.getIndexingMapsArray()[operand] ==
           AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), loops, op.getContext());
  };
  return reads(0, dims.m[0], dims.k[0]) && reads(1, dims.n[0], dims.k[0]) && reads(2, dims.m[0], dims.n[0]);
}

bool fp8opt::qt::isFloatProduct(linalg::LinalgOp op) {
  // What import leaves alone for its types.
  if (std::optional<Contraction> match = matchContraction(op);
      match && (match->reason == NoProduct::ElementType || match->reason == NoProduct::Encoding))
    return false;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() && !dims->k.empty() &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

LogicalResult fp8opt::qt::verifyNormalProduct(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalg::isaContractionOpInterface(linalgOp) || !isFloatProduct(linalgOp))
    return success();
  if (isa<QuantizableOp>(op) && isNormal(linalgOp, *linalg::inferContractionDims(linalgOp)))
    return success();
  return op->emitOpError(
      "expected matrix products as linalg.contract in normal form; run fp8-import-linalg first");
}
