// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes products of one row as products of a vector.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEDROPUNITROWSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

/// The loops of one step over dimensions of the left operand that the right one lacks, beside longer ones of
/// the right.
static SmallVector<unsigned> unitRows(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims))
    return {};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isUnit = [&](unsigned dim) { return sizes[dim] == 1; };
  SmallVector<unsigned> rows = llvm::filter_to_vector(dims->m, isUnit);
  return llvm::all_of(dims->n, isUnit) ? SmallVector<unsigned>() : rows;
}

namespace {
struct IREEDropUnitRows : fp8opt::impl::IREEDropUnitRowsPassBase<IREEDropUnitRows> {
  void runOnOperation() override {
    SmallVector<std::pair<linalg::LinalgOp, SmallVector<unsigned>>> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op))
        return;
      if (SmallVector<unsigned> rows = unitRows(op); !rows.empty())
        found.push_back({op, rows});
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, rows] : found) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic)
        generic = *linalg::generalizeNamedOp(rewriter, op);
      linalg::ControlDropUnitDims control;
      control.controlFn = [&dims = rows](Operation *) { return dims; };
      rewriter.setInsertionPoint(generic);
      FailureOr<linalg::DropUnitDimsResult> dropped = linalg::dropUnitDims(rewriter, generic, control);
      if (succeeded(dropped))
        rewriter.replaceOp(generic, dropped->replacements);
    }
  }
};
} // namespace
