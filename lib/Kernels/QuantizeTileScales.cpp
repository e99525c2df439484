// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales of a tile of 128x128: of its rows, of its columns, or of all of it.

#include "QuantizeTile.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Of 8 rows, 16 lanes know all amaxes, and the first 8 of them make a scale
/// each. One that other tiles share is written by the first of these.
Value fp8opt::writeRowScales(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Value amax = tile.rowAmax ? tile.rowAmax : writeRowAmax(tile, magnitudesOf(tile));
  ScaleAndFactor scale = writeScale(kernel, amax);
  Value row = rowOfLane(tile);
  Value isMine = emit.both(emit.isLess(tile.squareColumn, squareSide), emit.isLess(row, kernel.rows));
  if (tile.isByRow())
    isMine = emit.both(isMine, emit.isEqual(tile.columnTile, 0));
  writeIf(emit, isMine, [&] {
    Value offset = emit.add(emit.mul(tile.columnTile, emit.roundUp(kernel.rows, scaleMultiple)), row);
    writeStore(emit, scale.stored, tile.quantize.getColumnScales(), emit.widen(offset));
  });
  return scale.factor;
}

Value fp8opt::readRowFactor(QuantizeTile &tile, Value factors, int64_t row) {
  OpBuilder &builder = tile.kernel.builder();
  Location loc = tile.kernel.loc();
  IndexEmitter &emit = tile.kernel.emit;
  Type i32 = builder.getI32Type();
  Value lane = emit.add(emit.sub(tile.kernel.lane, tile.squareColumn), row);
  Value bits = arith::BitcastOp::create(builder, loc, i32, factors);
  bits = LaneReadOp::create(builder, loc, i32, bits, lane);
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
}

/// Of a column, in a thread of its own: from the amax, of warps in shared memory if they are given, to the
/// factor there.
static void writeColumnScale(QuantizeTile &tile, Value staged, Value factors) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Value amax = staged ? readColumnAmax(tile, staged) : tile.columnAmax;
  ScaleAndFactor scale = writeScale(kernel, amax);
  writeStoreShared(emit, scale.factor, factors, kernel.thread);
  Value column = columnOfThread(tile);
  Value isMine = emit.isLess(column, kernel.columns);
  if (tile.isByRow())
    isMine = emit.both(isMine, emit.isEqual(tile.rowTile, 0));
  writeIf(emit, isMine, [&] {
    Value offset = emit.add(emit.mul(tile.rowTile, emit.roundUp(kernel.columns, scaleMultiple)), column);
    writeStore(emit, scale.stored, tile.quantize.getRowScales(), emit.widen(offset));
  });
}

Value fp8opt::writeColumnScales(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  Value staged = tile.columnAmax ? Value() : stageColumnAmaxes(tile, magnitudesOf(tile));
  Value factors = writeAlloc(emit, {panelElements}, builder.getF32Type());
  writeIf(emit, emit.isLess(kernel.thread, panelElements), [&] { writeColumnScale(tile, staged, factors); });
  SyncAllOp::create(builder, kernel.loc());
  return writeLoadShared(emit, VectorType::get(squareSide, builder.getF32Type()), factors,
                         emit.mul(tile.squareColumn, squareSide));
}

/// One scale for the tile; its second orientation is the same number elsewhere.
static Value writeBlockScale(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Value amax = writeBlockMax(kernel, writeVectorMax(kernel, writeMax(kernel, magnitudesOf(tile))));
  ScaleAndFactor scale = writeScale(kernel, writeWord(kernel, amax));
  auto store = [&](Value into, Value row, Value column, Value columns) {
    Value offset = emit.add(emit.mul(row, emit.roundUp(columns, scaleMultiple)), column);
    writeStore(emit, scale.stored, into, emit.widen(offset));
  };
  writeIf(emit, emit.isEqual(kernel.thread, 0), [&] {
    if (tile.isAlongColumns())
      store(tile.quantize.getColumnScales(), tile.rowTile, tile.columnTile, tile.columnTiles);
    if (tile.isAlongRows())
      store(tile.quantize.getRowScales(), tile.columnTile, tile.rowTile, tile.rowTiles);
  });
  return scale.factor;
}

static Value writeTensorFactor(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  ScaleAndFactor scale = writeTensorScale(kernel, tile.quantize.getAmax());
  Value isFirst = emit.both(emit.isEqual(kernel.block, 0), emit.isEqual(kernel.thread, 0));
  writeIf(emit, isFirst, [&] {
    for (Value into : {tile.quantize.getColumnScales(), tile.quantize.getRowScales()})
      if (into)
        writeStore(emit, scale.stored, into, emit.widen(Index(0)));
  });
  return scale.factor;
}

Value fp8opt::writeOneScale(QuantizeTile &tile) {
  return tile.quantize.getScaling() == Scaling::Tensor ? writeTensorFactor(tile) : writeBlockScale(tile);
}
