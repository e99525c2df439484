// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the views of numbers that those of quantized tensors stand for.

#include "RepeatView.h"

#include "LaunchEmitter.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;

bool fp8opt::isRepeatable(Operation *op) { return isa<qt::TransposeOp, qt::ReshapeOp>(op); }

Value fp8opt::repeatView(OpBuilder &builder, Location loc, Operation *op, Value numbers) {
  auto reshape = dyn_cast<qt::ReshapeOp>(op);
  if (!reshape)
    return LaunchEmitter(builder, loc).transpose(numbers, cast<qt::TransposeOp>(op).getPermutation());
  if (reshape.isCollapse())
    return tensor::CollapseShapeOp::create(builder, loc, numbers, reshape.getGroups());
  ArrayRef<int64_t> shape = reshape.getType().getShape();
  auto type = RankedTensorType::get(shape, cast<ShapedType>(numbers.getType()).getElementType());
  return tensor::ExpandShapeOp::create(builder, loc, type, numbers, reshape.getGroups(),
                                       getMixedValues(shape, reshape.getSizes(), builder));
}
