// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that show numbers and compute none.

#include "fp8-opt/Import/Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

bool fp8opt::isFreeView(Operation *op) {
  return isa_and_nonnull<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::ExtractSliceOp>(op);
}

bool fp8opt::isFreeViewOrCast(Operation *op) { return isFreeView(op) || isa_and_nonnull<tensor::CastOp>(op); }

bool fp8opt::placesElements(Operation *op) {
  return isFreeViewOrCast(op) || isa_and_nonnull<linalg::BroadcastOp>(op);
}

Value fp8opt::throughViews(Value value, function_ref<bool(Operation *)> seenThrough) {
  for (Operation *op = value.getDefiningOp(); op && seenThrough(op); op = value.getDefiningOp())
    value = op->getOperand(0);
  return value;
}
