// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operands an op reads the elements of.

#include "ReadElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace fp8opt;

bool qt::isRead(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return !op || op.payloadUsesValueFromOperand(&operand);
}

bool qt::readsElements(OpOperand &operand) {
  auto dim = dyn_cast<ShapedDimOpInterface>(operand.getOwner());
  return isRead(operand) && !(dim && dim.getShapedValue() == operand.get());
}
