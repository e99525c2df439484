// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 128x128 in one read: codes along columns from registers, codes along rows through shared memory.

#include "QuantizeTile.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Codes that are moved at a time; chunks of a row, which are exchanged.
constexpr int64_t chunkCodes = 16, chunksOfRow = panelElements / chunkCodes;

static QuantizeTile openTile(QuantizeKernel &kernel, QuantizeOp quantize) {
  IndexEmitter &emit = kernel.emit;
  QuantizeTile tile(kernel, quantize);
  tile.rowTiles = emit.ceilDiv(kernel.rows, panelElements);
  tile.columnTiles = emit.ceilDiv(kernel.columns, panelElements);
  Value number = kernel.block;
  const bool isTensor = quantize.getScaling() == Scaling::Tensor;
  // Backwards: what the amax has read last is still in the L2 cache.
  if (isTensor)
    number = emit.sub(emit.sub(emit.mul(tile.rowTiles, tile.columnTiles), 1), number);
  tile.rowTile = emit.div(number, tile.columnTiles);
  tile.columnTile = emit.rem(number, tile.columnTiles);
  tile.squareRow = emit.div(kernel.thread, threadsAcross);
  tile.squareColumn = emit.rem(kernel.thread, threadsAcross);
  tile.row = emit.add(emit.mul(tile.rowTile, panelElements), emit.mul(tile.squareRow, squareSide));
  tile.column = emit.add(emit.mul(tile.columnTile, panelElements), emit.mul(tile.squareColumn, squareSide));
  SmallVector<Run> runs;
  for (int64_t i = 0; i < squareSide; ++i)
    runs.push_back({emit.add(tile.row, i), tile.column});
  tile.numbers = loadRuns(kernel, runs, squareSide);
  return tile;
}

/// How many of the square's rows or columns are in the matrix, or more.
static Value countInside(IndexEmitter &emit, Value first, Value size) {
  return emit.sub(size, emit.min(first, size));
}

/// Row after row, so that few codes wait for their store.
static void writeAlongColumns(QuantizeTile &tile, function_ref<Value(int64_t)> encodeRow) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Panels panels = {tile.quantize.getColumnCodes(), emit.roundUp(kernel.rows, panelRowMultiple)};
  Value inside = countInside(emit, tile.column, kernel.columns);
  Value inRow = emit.mul(tile.squareColumn, squareSide);
  for (int64_t i = 0; i < squareSide; ++i) {
    Value row = emit.add(tile.row, i);
    Value codes = writeKeepFirst(kernel, encodeRow(i), inside);
    writeIf(emit, emit.isLess(row, kernel.rows), [&] {
      writeStore(emit, codes, panels.codes, panelOffset(emit, panels, tile.columnTile, row, inRow));
    });
  }
}

/// Where 16 codes of a column lie in shared memory: chunks are exchanged by the square, so that the threads
/// of a warp, whose columns are 8 apart, write to different banks.
static Value sharedOffset(IndexEmitter &emit, Value column, Value chunk) {
  Value exchange = emit.rem(emit.div(column, squareSide), chunksOfRow);
  Value place = arith::XOrIOp::create(emit.builder, emit.loc, chunk, exchange);
  return emit.add(emit.mul(column, panelElements), emit.mul(place, chunkCodes));
}

static void stageColumns(QuantizeTile &tile, ValueRange codes, Value shared) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  SmallVector<Type> types(codes.getTypes());
  auto transposed = TransposeOp::create(kernel.builder(), kernel.loc(), types, codes);
  Value inside = countInside(emit, tile.row, kernel.rows);
  Value chunk = emit.div(tile.squareRow, chunkCodes / squareSide);
  Value inChunk = emit.mul(emit.rem(tile.squareRow, chunkCodes / squareSide), squareSide);
  for (auto [i, ofColumn] : llvm::enumerate(transposed.getColumns())) {
    Value column = emit.add(emit.mul(tile.squareColumn, squareSide), static_cast<int64_t>(i));
    Value kept = writeKeepFirst(kernel, ofColumn, inside);
    writeStoreShared(emit, kept, shared, emit.add(sharedOffset(emit, column, chunk), inChunk));
  }
}

/// Eight threads write a column of the tile, a row of a panel.
static void storeAlongRows(QuantizeTile &tile, Value shared) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Panels panels = {tile.quantize.getRowCodes(), emit.roundUp(kernel.columns, panelRowMultiple)};
  auto type = VectorType::get(chunkCodes, kernel.builder().getI8Type());
  Value chunk = emit.rem(kernel.thread, chunksOfRow), first = emit.div(kernel.thread, chunksOfRow);
  Value firstColumn = emit.mul(tile.columnTile, panelElements);
  for (int64_t i = 0; i < panelElements; i += quantizeThreads / chunksOfRow) {
    Value inTile = emit.add(first, i), column = emit.add(firstColumn, inTile);
    Value codes = writeLoadShared(emit, type, shared, sharedOffset(emit, inTile, chunk));
    writeIf(emit, emit.isLess(column, kernel.columns), [&] {
      Value inRow = emit.mul(chunk, chunkCodes);
      writeStore(emit, codes, panels.codes, panelOffset(emit, panels, tile.rowTile, column, inRow));
    });
  }
}

static void writeAlongRows(QuantizeTile &tile, ValueRange codes) {
  QuantizeKernel &kernel = tile.kernel;
  Value shared = writeAlloc(kernel.emit, {panelElements, panelElements}, kernel.builder().getI8Type());
  stageColumns(tile, codes, shared);
  SyncAllOp::create(kernel.builder(), kernel.loc());
  storeAlongRows(tile, shared);
}

void fp8opt::writeQuantizeTile(QuantizeKernel &kernel, QuantizeOp quantize) {
  QuantizeTile tile = openTile(kernel, quantize);
  auto encodeBy = [&](Value factor) {
    return llvm::map_to_vector(tile.numbers,
                               [&](Value numbers) { return writeEncode(kernel, numbers, factor); });
  };
  if (quantize.getScaling() == Scaling::Block1x128) {
    // One orientation after the other, and from the numbers again: that needs the fewest registers.
    if (tile.isAlongColumns()) {
      Value factors = writeRowScales(tile);
      writeAlongColumns(tile, [&](int64_t row) {
        return writeEncode(kernel, tile.numbers[row], readRowFactor(tile, factors, row));
      });
    }
    if (tile.isAlongColumns() && tile.isAlongRows())
      for (Value &numbers : tile.numbers)
        numbers = RenewOp::create(kernel.builder(), kernel.loc(), numbers.getType(), numbers);
    if (tile.isAlongRows())
      writeAlongRows(tile, encodeBy(writeColumnScales(tile)));
  } else {
    SmallVector<Value> codes = encodeBy(writeOneScale(tile));
    if (tile.isAlongColumns())
      writeAlongColumns(tile, [&](int64_t row) { return codes[row]; });
    if (tile.isAlongRows())
      writeAlongRows(tile, codes);
  }
  AffineExpr rows = getAffineSymbolExpr(0, quantize.getContext()),
             columns = getAffineSymbolExpr(1, quantize.getContext());
  setLaunch(quantize, kernel, /*resident=*/kernel.element.isF32() ? 2 : 3,
            rows.ceilDiv(panelElements) * columns.ceilDiv(panelElements));
}
