// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions of a program kernels compute, and why not the others.

#include "ProductShares.h"

#include "fp8-opt/Dialect/QT/Transforms/ProductExtents.h"
#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"

using namespace mlir;
using namespace fp8opt;

/// Of [batch..., M, K] times [batch..., N, K].
static qtile::ShareAttr shareOf(Operation *op, Value lhs, Value rhs, const qt::Sizes &sizes, bool isQuantized,
                                bool isTransposed, StringAttr reason) {
  int64_t bytes = sizes.bytesOf(op->getResult(0));
  for (Value operand : {lhs, rhs})
    bytes = qt::addBytes(bytes, sizes.bytesOf(operand));
  SmallVector<int64_t> counts = sizes.of(lhs), others = sizes.of(rhs);
  counts.push_back(others[others.size() - 2]);
  int64_t flops = 2;
  for (int64_t count : counts)
    flops = qt::multiplySizes(flops, count);
  MLIRContext *context = op->getContext();
  auto present = [&](bool is) { return is ? UnitAttr::get(context) : UnitAttr(); };
  return qtile::ShareAttr::get(context, op->getLoc(), qt::extentsOfProduct(lhs, rhs), flops, bytes,
                               present(isQuantized), present(isTransposed), reason);
}

qtile::SharesAttr ProductShares::collect(FunctionOpInterface function,
                                         ArrayRef<qtile::MovedAttr> moved) const {
  MLIRContext *context = function.getContext();
  auto &qt = *context->getLoadedDialect<qt::QTDialect>();
  qt::Sizes sizes(function);
  SmallVector<qtile::ShareAttr> shares;
  function->walk([&](Operation *op) {
    qt::KeptAttr kept = qt.getKeptAttrHelper().getAttr(op);
    StringAttr reason = kept ? kept.getDetail() : StringAttr();
    bool isTransposed = false;
    if (auto found = decided.find(op); found != decided.end()) {
      reason = found->second.reason.empty() ? StringAttr() : StringAttr::get(context, found->second.reason);
      isTransposed = found->second.isTransposed;
    }
    if (auto matmul = dyn_cast<qt::MatmulOp>(op))
      shares.push_back(
          shareOf(op, matmul.getLhs(), matmul.getRhs(), sizes, /*isQuantized=*/true, isTransposed, reason));
    else if (auto product = dyn_cast<qt::QuantizableOp>(op); product && (kept || decided.contains(op)))
      shares.push_back(shareOf(op, product.getLhsOperand().get(), product.getRhsOperand().get(), sizes,
                               /*isQuantized=*/false, isTransposed, reason));
  });
  return qtile::SharesAttr::get(context, shares, moved);
}
