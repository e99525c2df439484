// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales of a tile of 128x128 that are codes: of 1x32 or 1x16 in each orientation, or of 16x16.

#include "QuantizeTile.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

static ScaleTiles columnScales(QuantizeTile &tile) {
  return {tile.quantize.getColumnScales(), tile.kernel.rows, tile.kernel.columns};
}
static ScaleTiles rowScales(QuantizeTile &tile) {
  return {tile.quantize.getRowScales(), tile.kernel.columns, tile.kernel.rows};
}

/// Lanes that have a block of a row together.
static int64_t lanesOfBlock(QuantizeTile &tile) { return tile.kernel.elementsOfScale() / squareSide; }

/// All lanes of a block know the amaxes of their 8 rows; each makes the scales of some of them.
SmallVector<Value> fp8opt::writeCodedRowScales(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  const int64_t lanes = lanesOfBlock(tile);
  Value amaxes = writeLaneMax(kernel, writeVectorMax(kernel, magnitudesOf(tile)), lanes);
  Value inBlock = emit.rem(kernel.lane, lanes);
  SmallVector<Value> factors;
  for (int64_t first = 0; first < squareSide; first += lanes) {
    Value inSquare = emit.add(inBlock, first);
    Value amax = PickOp::create(kernel.builder(), kernel.loc(), kernel.bits, amaxes, inSquare);
    CodedScale scale = writeCodedScale(kernel, writeWord(kernel, amax), tile.tensorAmax);
    writeTiledScale(kernel, columnScales(tile), emit.add(tile.row, inSquare), tile.column, scale.stored);
    factors.push_back(scale.factor);
  }
  return factors;
}

Value fp8opt::readCodedRowFactor(QuantizeTile &tile, ArrayRef<Value> factors, int64_t row) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  const int64_t lanes = lanesOfBlock(tile);
  Type i32 = builder.getI32Type();
  Value lane = emit.add(emit.sub(kernel.lane, emit.rem(kernel.lane, lanes)), row % lanes);
  Value bits = arith::BitcastOp::create(builder, kernel.loc(), i32, factors[row / lanes]);
  bits = LaneReadOp::create(builder, kernel.loc(), i32, bits, lane);
  return arith::BitcastOp::create(builder, kernel.loc(), builder.getF32Type(), bits);
}

/// A warp has 16 rows. Amaxes of its columns go to shared memory, from where each thread makes the scales of
/// some blocks of columns.
Value fp8opt::writeCodedColumnScales(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  constexpr int64_t rowsOfWarp = panelElements / quantizeWarps;
  const int64_t elements = kernel.elementsOfScale(), groups = panelElements / elements,
                warps = elements / rowsOfWarp;
  Value amaxes = writeAlloc(emit, {quantizeWarps, panelElements}, kernel.bits);
  Value factors = writeAlloc(emit, {groups, panelElements}, builder.getF32Type());
  Value ofWarp = writeLaneMax(kernel, writeMax(kernel, magnitudesOf(tile)), warpLanes / threadsAcross,
                              /*stride=*/threadsAcross);
  Value inTile = emit.mul(tile.squareColumn, squareSide);
  writeIf(emit, emit.isLess(kernel.lane, threadsAcross), [&] {
    writeStoreShared(emit, ofWarp, amaxes, emit.add(emit.mul(kernel.warp, panelElements), inTile));
  });
  SyncAllOp::create(builder, kernel.loc());
  Value firstRow = emit.mul(tile.rowTile, panelElements),
        firstColumn = emit.mul(tile.columnTile, panelElements);
  for (int64_t first = 0; first < groups * panelElements; first += quantizeThreads) {
    Value number = emit.add(kernel.thread, first);
    Value group = emit.div(number, panelElements), column = emit.rem(number, panelElements);
    SmallVector<Value> ofWarps;
    for (int64_t i = 0; i < warps; ++i) {
      Value warp = emit.add(emit.mul(group, warps), i);
      ofWarps.push_back(
          writeLoadShared(emit, kernel.bits, amaxes, emit.add(emit.mul(warp, panelElements), column)));
    }
    CodedScale scale = writeCodedScale(kernel, writeWord(kernel, writeMax(kernel, ofWarps)), tile.tensorAmax);
    writeStoreShared(emit, scale.factor, factors, number);
    writeTiledScale(kernel, rowScales(tile), emit.add(firstColumn, column),
                    emit.add(firstRow, emit.mul(group, elements)), scale.stored);
  }
  SyncAllOp::create(builder, kernel.loc());
  Value group = emit.div(kernel.warp, warps);
  return writeLoadShared(emit, VectorType::get(squareSide, builder.getF32Type()), factors,
                         emit.add(emit.mul(group, panelElements), inTile));
}

/// Four squares of 8x8, in four lanes, share a scale; each orientation has it once for each of 16 rows.
Value fp8opt::writeCodedSquareScale(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  constexpr int64_t squares = 2;
  Value amax = writeVectorMax(kernel, writeMax(kernel, magnitudesOf(tile)));
  amax = writeLaneMax(kernel, writeLaneMax(kernel, amax, squares), squares, /*stride=*/threadsAcross);
  CodedScale scale = writeCodedScale(kernel, writeWord(kernel, amax), tile.tensorAmax);
  // Two lanes have the same rows, and store half of them each.
  constexpr int64_t rowsOfLane = squareSide / squares;
  auto store = [&](const ScaleTiles &tiles, Value acrossSquares, Value row, Value column) {
    Value first = emit.add(row, emit.mul(emit.rem(acrossSquares, squares), rowsOfLane));
    for (int64_t i = 0; i < rowsOfLane; ++i)
      writeTiledScale(kernel, tiles, emit.add(first, i), column, scale.stored);
  };
  if (tile.isAlongColumns())
    store(columnScales(tile), tile.squareColumn, tile.row, tile.column);
  if (tile.isAlongRows())
    store(rowScales(tile), tile.squareRow, tile.column, tile.row);
  return scale.factor;
}
