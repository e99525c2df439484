// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One generic with identity maps.

#include "fp8-opt/Emit/Elementwise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value fp8opt::emitElementwise(OpBuilder &builder, Location loc, ValueRange tensors, Type element,
                              function_ref<Value(OpBuilder &, Location, ValueRange)> compute) {
  Value first = tensors.front();
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  Value empty = tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, first), element);
  SmallVector<AffineMap> maps(tensors.size() + 1, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), tensors, empty, maps, parallel,
                                   [&](OpBuilder &inner, Location at, ValueRange values) {
                                     linalg::YieldOp::create(inner, at,
                                                             compute(inner, at, values.drop_back()));
                                   })
      .getResult(0);
}
