// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Amaxes of rows and of columns: of a tile, and, from tile to tile, of all of a matrix.

#include "QuantizeTile.h"

#include "fp8-opt/Emit/ArithEmitter.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

SmallVector<Value> fp8opt::magnitudesOf(Tile &tile) {
  return llvm::map_to_vector(tile.numbers,
                             [&](Value numbers) { return writeMagnitudes(tile.kernel, numbers); });
}

Value fp8opt::rowOfLane(Tile &tile) {
  IndexEmitter &emit = tile.kernel.emit;
  return emit.add(tile.row, emit.rem(tile.kernel.lane, squareSide));
}

Value fp8opt::columnOfThread(Tile &tile) {
  IndexEmitter &emit = tile.kernel.emit;
  return emit.add(emit.mul(tile.columnTile, panelElements), tile.kernel.thread);
}

// Of a tile.

/// 16 lanes know those of all 8 rows.
Value fp8opt::writeRowAmax(Tile &tile, ValueRange magnitudes) {
  QuantizeKernel &kernel = tile.kernel;
  Value amaxes = writeLaneMax(kernel, writeVectorMax(kernel, magnitudes), threadsAcross);
  Value inSquare = kernel.emit.rem(kernel.lane, squareSide);
  Value amax = PickOp::create(kernel.builder(), kernel.loc(), kernel.bits, amaxes, inSquare);
  return writeWord(kernel, amax);
}

/// Of the two squares of a column that a warp has.
Value fp8opt::stageColumnAmaxes(Tile &tile, ValueRange magnitudes) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Value staged = writeAlloc(emit, {quantizeWarps, panelElements}, kernel.bits);
  Value ofWarp = writeLaneMax(kernel, writeMax(kernel, magnitudes), warpLanes / threadsAcross,
                              /*stride=*/threadsAcross);
  writeIf(emit, emit.isLess(kernel.lane, threadsAcross), [&] {
    Value inTile = emit.mul(tile.squareColumn, squareSide);
    writeStoreShared(emit, ofWarp, staged, emit.add(emit.mul(kernel.warp, panelElements), inTile));
  });
  SyncAllOp::create(kernel.builder(), kernel.loc());
  return staged;
}

Value fp8opt::readColumnAmax(Tile &tile, Value staged) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  SmallVector<Value> ofWarps;
  for (int64_t i = 0; i < quantizeWarps; ++i)
    ofWarps.push_back(writeLoadShared(emit, kernel.bits, staged, emit.add(kernel.thread, i * panelElements)));
  return writeWord(kernel, writeMax(kernel, ofWarps));
}

// Of a matrix: an f32 for each row, then one for each column.

static Value loadAmax(QuantizeTile &tile, Value number) {
  QuantizeKernel &kernel = tile.kernel;
  OpBuilder &builder = kernel.builder();
  Value amax = LoadOp::create(builder, kernel.loc(), builder.getF32Type(), tile.quantize.getAmax(),
                              kernel.emit.widen(number), /*count=*/Value(), /*aligned=*/false);
  return ArithEmitter(builder, kernel.loc()).wordOfFloat(amax);
}

Value fp8opt::loadRowAmax(QuantizeTile &tile) {
  IndexEmitter &emit = tile.kernel.emit;
  return loadAmax(tile, emit.min(rowOfLane(tile), emit.sub(tile.kernel.rows, 1)));
}

Value fp8opt::loadColumnAmax(QuantizeTile &tile) {
  IndexEmitter &emit = tile.kernel.emit;
  Value inside = emit.min(columnOfThread(tile), emit.sub(tile.kernel.columns, 1));
  return loadAmax(tile, emit.add(tile.kernel.rows, inside));
}

void fp8opt::writeRowAmaxes(QuantizeKernel &kernel, AmaxOp amax) {
  IndexEmitter &emit = kernel.emit;
  auto raise = [&](Value number, Value to) {
    AtomicMaxOp::create(kernel.builder(), kernel.loc(), to, amax.getInto(), emit.widen(number));
  };
  Tile tile(kernel);
  tile.rowTiles = emit.ceilDiv(kernel.rows, panelElements);
  tile.columnTiles = emit.ceilDiv(kernel.columns, panelElements);
  placeTile(tile, kernel.block);
  loadNumbers(tile);
  SmallVector<Value> magnitudes = magnitudesOf(tile);

  Value ofRow = writeRowAmax(tile, magnitudes), row = rowOfLane(tile);
  writeIf(emit, emit.both(emit.isLess(tile.squareColumn, squareSide), emit.isLess(row, kernel.rows)),
          [&] { raise(row, ofRow); });
  Value staged = stageColumnAmaxes(tile, magnitudes), column = columnOfThread(tile);
  writeIf(emit, emit.both(emit.isLess(kernel.thread, panelElements), emit.isLess(column, kernel.columns)),
          [&] { raise(emit.add(kernel.rows, column), readColumnAmax(tile, staged)); });
  auto tilesOf = [&](unsigned size) {
    return getAffineSymbolExpr(size, amax.getContext()).ceilDiv(panelElements);
  };
  setLaunch(amax, kernel, /*resident=*/kernel.element.isF32() ? 2 : 4, tilesOf(0) * tilesOf(1));
}
