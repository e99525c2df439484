// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles of a block, in one order for all roles.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;

/// Tiles are walked in groups of rows of tiles, and down the columns within a group: the blocks at work at a
/// time then share rows of both operands in the L2 cache. The last group may have fewer rows.
static ResultTile decode(GemmKernel &kernel, const ProductOfTile &product) {
  IndexEmitter &emit = kernel.emit;
  int64_t group = kernel.schedule.getGroup();
  Value tilesOfGroup = emit.mul(kernel.columnTiles, group);
  Value first = emit.mul(emit.div(product.number, tilesOfGroup), group);
  Value inGroup = emit.rem(product.number, tilesOfGroup);
  Value rows = emit.min(emit.sub(product.rowTiles, first), group);
  Value row = emit.add(first, emit.rem(inGroup, rows));
  Value column = emit.div(inGroup, rows);
  row = emit.mul(row, kernel.schedule.getTile()[0]);
  column = emit.mul(column, kernel.schedule.getTile()[1]);
  auto from = [&](Value first) { return first ? emit.add(row, first) : row; };
  return {product, from(product.lhsRow), column, from(product.resultRow)};
}

ValueRange fp8opt::writeTileLoop(GemmKernel &kernel, ValueRange carried,
                                 function_ref<SmallVector<Value>(ResultTile, ValueRange)> body,
                                 Value consumer) {
  SmallVector<Value> first = firstGroup(kernel);
  const size_t own = first.size();
  llvm::append_range(first, carried);
  auto tile = [&](Value number, ValueRange values) {
    SmallVector<Value> next = llvm::to_vector(values.take_front(own));
    ResultTile found = decode(kernel, findProduct(kernel, number, next));
    llvm::append_range(next, body(found, values.drop_front(own)));
    return next;
  };
  IndexEmitter &emit = kernel.emit;
  Value start = kernel.block, step = kernel.blocks;
  if (consumer) {
    start = emit.add(start, emit.mul(consumer, kernel.blocks));
    step = emit.mul(kernel.blocks, kernel.schedule.getConsumers());
  }
  return writeLoop(emit, start, kernel.allTiles, step, first, tile).drop_front(own);
}
