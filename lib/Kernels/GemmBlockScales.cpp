// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of blocks of columns.

#include "GemmBlockScales.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

BlockScales::BlockScales(GemmKernel &kernel, ResultTile tile) : kernel(kernel) {
  GemmOp gemm = kernel.gemm;
  if (gemm.getRhsScaling() != Scaling::Block128x128)
    return;
  IndexEmitter &emit = kernel.emit;
  int64_t columns = kernel.schedule.getTile()[1], part = getColumnsOfScale(kernel.schedule);
  Value block = emit.div(tile.column, scaleBlock);
  // Of a block of columns of the matrix.
  auto startOf = [&](Value block) {
    if (tile.product.rhs)
      block = emit.add(block, emit.mul(tile.product.rhs, emit.ceilDiv(gemm.getN(), scaleBlock)));
    Value start = emit.mul(block, kernel.rhsScales);
    return tile.product.firstBlock ? emit.add(start, tile.product.firstBlock) : start;
  };
  starts.push_back(startOf(block));
  // A tile may reach past the last block; what it multiplies there is not stored.
  Value last = columns > scaleBlock ? emit.div(emit.sub(gemm.getN(), 1), scaleBlock) : Value();
  for (int64_t i = 1, count = llvm::divideCeil(columns, scaleBlock); i < count; ++i)
    starts.push_back(startOf(emit.min(emit.add(block, i), last)));
  if (part < scaleBlock && part < columns)
    isAmid = emit.compare(arith::CmpIPredicate::ne, emit.bitAnd(tile.column, part), 0);
}

SmallVector<Value> BlockScales::load(Value contractionBlock) {
  IndexEmitter &emit = kernel.emit;
  return llvm::map_to_vector(starts, [&](Value start) -> Value {
    return LoadOp::create(emit.builder, emit.loc, emit.builder.getF32Type(), kernel.gemm.getRhsScales(),
                          emit.widen(emit.add(start, contractionBlock)), /*count=*/Value(),
                          /*aligned=*/false);
  });
}

SmallVector<Value> BlockScales::spread(ArrayRef<Value> loaded) {
  SmallVector<Value> scales;
  if (starts.empty())
    return scales;
  int64_t part = getColumnsOfScale(kernel.schedule);
  for (int64_t start = 0, end = kernel.schedule.getTile()[1]; start < end; start += part) {
    Value scale = loaded[start / scaleBlock];
    Value amid = isAmid ? loaded[(start + part) / scaleBlock] : scale;
    scales.push_back(amid == scale ? scale : kernel.emit.select(isAmid, amid, scale));
  }
  return scales;
}

SmallVector<Value> BlockScales::multiply(ArrayRef<Value> spread, Value first, Value second) {
  if (spread.empty())
    return {first, second};
  SmallVector<Value> products;
  for (Value scale : spread) {
    products.push_back(kernel.emit.mulF(first, scale));
    products.push_back(kernel.emit.mulF(second, scale));
  }
  return products;
}
