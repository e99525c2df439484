// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions of a program kernels compute, and why not the others.

#include "ProductShares.h"

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"
#include "fp8-opt/Dialect/QT/Transforms/ProductExtents.h"

using namespace mlir;
using namespace fp8opt;

/// Of [batch..., M, K] times [batch..., N, K].
static qtile::ShareAttr shareOf(Operation *op, Value lhs, Value rhs, bool isQuantized, StringAttr reason) {
  int64_t bytes = qt::bytesOf(op->getResult(0).getType());
  for (Value operand : {lhs, rhs})
    bytes = qt::addBytes(bytes, qt::bytesOf(operand.getType()));
  MLIRContext *context = op->getContext();
  return qtile::ShareAttr::get(context, op->getLoc(), qt::extentsOfProduct(lhs, rhs), bytes,
                               isQuantized ? UnitAttr::get(context) : UnitAttr(), reason);
}

qtile::SharesAttr ProductShares::collect(FunctionOpInterface function,
                                         ArrayRef<qtile::MovedAttr> moved) const {
  MLIRContext *context = function.getContext();
  auto &qt = *context->getLoadedDialect<qt::QTDialect>();
  SmallVector<qtile::ShareAttr> shares;
  function->walk([&](Operation *op) {
    qt::KeptAttr kept = qt.getKeptAttrHelper().getAttr(op);
    StringAttr reason = kept ? kept.getDetail() : StringAttr();
    if (auto found = decided.find(op); found != decided.end())
      reason = found->second.empty() ? StringAttr() : StringAttr::get(context, found->second);
    if (auto matmul = dyn_cast<qt::MatmulOp>(op))
      shares.push_back(shareOf(op, matmul.getLhs(), matmul.getRhs(), /*isQuantized=*/true, reason));
    else if (auto product = dyn_cast<qt::QuantizableOp>(op); product && (kept || decided.contains(op)))
      shares.push_back(shareOf(op, product.getLhsOperand().get(), product.getRhsOperand().get(),
                               /*isQuantized=*/false, reason));
  });
  return qtile::SharesAttr::get(context, shares, moved);
}
