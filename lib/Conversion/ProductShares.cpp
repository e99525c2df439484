// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions of a program kernels compute, and why not the others.

#include "ProductShares.h"

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"

using namespace mlir;
using namespace fp8opt;

/// The product of some sizes, -1 if one of them is dynamic.
static int64_t extent(ArrayRef<int64_t> sizes) {
  int64_t total = 1;
  for (int64_t size : sizes)
    total = ShapedType::isDynamic(size) || total < 0 ? -1 : total * size;
  return total;
}

/// Of [batch..., M, K] times [batch..., N, K].
static qtile::ShareAttr shareOf(Operation *op, Value lhs, Value rhs, bool isQuantized, StringAttr reason) {
  ArrayRef<int64_t> left = cast<ShapedType>(lhs.getType()).getShape();
  ArrayRef<int64_t> right = cast<ShapedType>(rhs.getType()).getShape();
  int64_t sizes[] = {extent(left.drop_back(2)), extent(left[left.size() - 2]),
                     extent(right[right.size() - 2]), extent(left.back())};
  int64_t bytes = qt::bytesOf(op->getResult(0).getType());
  for (Value operand : {lhs, rhs})
    bytes = qt::addBytes(bytes, qt::bytesOf(operand.getType()));
  MLIRContext *context = op->getContext();
  return qtile::ShareAttr::get(context, op->getLoc(), sizes, bytes,
                               isQuantized ? UnitAttr::get(context) : UnitAttr(), reason);
}

qtile::SharesAttr ProductShares::collect(FunctionOpInterface function) const {
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
  return qtile::SharesAttr::get(context, shares);
}
