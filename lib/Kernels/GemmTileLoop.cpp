// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles of a block, in one order for all roles.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;

/// Tiles are walked in groups of rows of tiles, and down the columns within a group: the blocks at work at a
/// time then share rows of both operands in the L2 cache. The last group may have fewer rows.
static ResultTile decode(GemmKernel &kernel, Value number) {
  IndexEmitter &emit = kernel.emit;
  int64_t group = kernel.schedule.getGroup();
  Value tilesOfGroup = emit.mul(kernel.columnTiles, group);
  Value first = emit.mul(emit.div(number, tilesOfGroup), group);
  Value inGroup = emit.rem(number, tilesOfGroup);
  Value rows = emit.min(emit.sub(kernel.rowTiles, first), group);
  Value row = emit.add(first, emit.rem(inGroup, rows));
  Value column = emit.div(inGroup, rows);
  return {emit.mul(row, kernel.schedule.getTile()[0]), emit.mul(column, kernel.schedule.getTile()[1])};
}

ValueRange fp8opt::writeTileLoop(GemmKernel &kernel, ValueRange carried,
                                 function_ref<SmallVector<Value>(ResultTile, ValueRange)> body) {
  auto tile = [&](Value number, ValueRange values) { return body(decode(kernel, number), values); };
  return writeLoop(kernel.emit, kernel.block, kernel.allTiles, kernel.blocks, carried, tile);
}
