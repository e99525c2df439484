// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an array of a stack begins, as the layout with a batch says; in 64 bits.

#include "Stack.h"

#include "fp8-opt/Emit/LayoutEmitter.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

Value fp8opt::writeArrayOf(IndexEmitter &emit, Value stack, LayoutKind layout, Value number,
                           ArrayRef<Value> sizes) {
  OpBuilder &builder = emit.builder;
  unsigned bits = cast<GlobalType>(stack.getType()).getElementType().getIntOrFloatBitWidth();
  Layout stacked = getLayout(builder.getContext(), layout, bits)->batched(1);
  assert(stacked.logicalRank() == 1 + sizes.size() && "sizes of the layout");
  // How many arrays there are has no part in where one begins.
  SmallVector<OpFoldResult> indices = {emit.widen(number)}, extents = {builder.getI64IntegerAttr(1)};
  indices.append(sizes.size(), builder.getI64IntegerAttr(0));
  for (Value size : sizes)
    extents.push_back(emit.widen(size));
  LayoutEmitter place(builder, emit.loc, builder.getI64Type());
  Value offset = place.apply(stacked.offset(), indices, extents).front();
  return FromOp::create(builder, emit.loc, stack.getType(), stack, offset);
}

Value fp8opt::writeScalesOf(IndexEmitter &emit, Value stack, Scaling scaling, Value number, Value rows,
                            Value contraction) {
  ScaleLayout layout = getScaleLayout(scaling);
  if (layout.kind == LayoutKind::Tensor)
    return writeArrayOf(emit, stack, layout.kind, number, {});
  auto count = [&](Value size, int64_t ofScale) {
    return ofScale ? emit.ceilDiv(size, ofScale) : emit.constant(1);
  };
  return writeArrayOf(emit, stack, layout.kind, number,
                      {count(rows, layout.rows), count(contraction, layout.elements)});
}
