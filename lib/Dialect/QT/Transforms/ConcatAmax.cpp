// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The amax of a concatenation, from those of its parts.

#include "AmaxReaders.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Of two amaxes, element by element, as every amax is taken: a NaN is larger than all else.
static Value emitLarger(OpBuilder &builder, Location loc, Value one, Value other) {
  return emitElementwise(
      builder, loc, {one, other}, builder.getF32Type(), [](OpBuilder &inner, Location at, ValueRange values) {
        ArithEmitter emit(inner, at);
        Value larger = numerics::maxOf(emit, emit.wordOfFloat(values[0]), emit.wordOfFloat(values[1]));
        return emit.floatOfWord(larger, inner.getF32Type());
      });
}

/// The amax of the concatenation in these blocks, behind it.
static Value emitAmaxOfParts(OpBuilder &builder, Location loc, tensor::ConcatOp concat, AmaxAttr blocks) {
  builder.setInsertionPointAfter(concat);
  SmallVector<Value> amaxes;
  for (Value part : concat.getInputs())
    amaxes.push_back(AmaxOp::create(builder, loc, part, blocks));
  ArrayRef<int64_t> shape = concat.getResultType().getShape();
  Value amax = amaxes.front();
  if (ShapedType::isDynamic(blocks.getFullBlock(shape.size())[concat.getDim()])) {
    for (Value other : ArrayRef(amaxes).drop_front())
      amax = emitLarger(builder, loc, amax, other);
  } else {
    amax = tensor::ConcatOp::create(builder, loc, blocks.getResultType(shape), concat.getDim(), amaxes);
  }
  return withoutDimensionsOfOne(builder, loc, amax);
}

bool fp8opt::qt::splitAmaxOfConcats(OpBuilder &builder, ArrayRef<AmaxReader> readers) {
  llvm::DenseMap<std::pair<Operation *, Attribute>, Value> known;
  for (const AmaxReader &reader : readers) {
    auto concat = reader.origin.value.getDefiningOp<tensor::ConcatOp>();
    if (!concat || !reader.origin.refusal.empty())
      continue;
    AmaxAttr blocks = amaxOfFullBlock(builder.getContext(), reader.origin.block, reader.blocks.getNan());
    Value &amax = known[{concat, blocks}];
    Location loc = reader.op->getLoc();
    if (!amax)
      amax = emitAmaxOfParts(builder, loc, concat, blocks);
    builder.setInsertionPoint(reader.op);
    giveAmax(reader, carryAmax(builder, loc, amax, reader));
  }
  return !known.empty();
}
