// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes every quantizer of a function an op of its own.

#include "fp8-opt/Dialect/QT/Transforms/ExpandQuantizers.h"

using namespace mlir;
using namespace fp8opt::qt;

static void expand(RequantizeOp op) {
  OpBuilder builder(op);
  QTensorType type = op.getType();
  auto numbers = DequantizeOp::create(
      builder, op.getLoc(), RankedTensorType::get(type.getShape(), type.getElementType()), op.getInput());
  op.replaceAllUsesWith(
      QuantizeOp::create(builder, op.getLoc(), type, numbers, ValueRange(), op.getHalfAttr()).getResult());
  op.erase();
}

static void expand(MultiQuantizeOp op) {
  OpBuilder builder(op);
  op.replaceAllUsesWith(op.expand(builder));
  op.erase();
}

void fp8opt::qt::expandQuantizers(func::FuncOp function) {
  function.walk([](RequantizeOp op) { expand(op); });
  function.walk([](MultiQuantizeOp op) { expand(op); });
}
