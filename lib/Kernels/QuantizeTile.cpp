// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 128x128 in one read: codes along columns from registers, codes along rows through shared memory.

#include "QuantizeTile.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Bytes of the tile's codes in a row or column, and the chunks in them, which are exchanged.
static int64_t bytesOfLine(QuantizeKernel &kernel) { return panelElements / kernel.codesOfByte(); }
static int64_t chunksOfLine(QuantizeKernel &kernel) { return bytesOfLine(kernel) / chunkBytes; }

void fp8opt::placeSquare(IndexEmitter &emit, Square &square, Value squareRow, Value squareColumn) {
  square.squareRow = squareRow;
  square.squareColumn = squareColumn;
  square.row = emit.add(emit.mul(square.rowTile, panelElements), emit.mul(squareRow, squareSide));
  square.column = emit.add(emit.mul(square.columnTile, panelElements), emit.mul(squareColumn, squareSide));
}

void fp8opt::placeTile(Tile &tile, Value number) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  tile.rowTile = emit.div(number, tile.columnTiles);
  tile.columnTile = emit.rem(number, tile.columnTiles);
  placeSquare(emit, tile, emit.div(kernel.thread, threadsAcross), emit.rem(kernel.thread, threadsAcross));
}

void fp8opt::loadNumbers(Tile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  if (kernel.stored) {
    std::function<Value(int64_t)> decodeRow = loadSquare(kernel, tile, *kernel.stored);
    for (int64_t i = 0; i < squareSide; ++i)
      tile.numbers.push_back(decodeRow(i));
    return;
  }
  SmallVector<Run> runs;
  for (int64_t i = 0; i < squareSide; ++i)
    runs.push_back({kernel.emit.add(tile.row, i), tile.column});
  tile.numbers = loadRuns(kernel, runs, squareSide);
}

static QuantizeTile openTile(QuantizeKernel &kernel, QuantizerInterface quantize) {
  IndexEmitter &emit = kernel.emit;
  QuantizeTile tile(kernel, quantize);
  // Of 4 bits, a panel is two tiles, and the codes of both are written.
  auto countTiles = [&](Value size, bool isWritten) {
    int64_t tiles = isWritten ? kernel.codesOfByte() : 1;
    Value panels = emit.ceilDiv(size, tiles * panelElements);
    return tiles == 1 ? panels : emit.mul(panels, tiles);
  };
  tile.rowTiles = countTiles(kernel.rows, tile.isAlongRows());
  tile.columnTiles = countTiles(kernel.columns, tile.isAlongColumns());
  tile.tensorAmax = kernel.elementsOfScale() ? loadTensorAmax(kernel, quantize.getAmax()) : Value();
  Value number = kernel.block;
  // Backwards: what the amax has read last is still in the L2 cache.
  if (quantize.getScaling() == Scaling::Tensor || tile.isByRow())
    number = emit.sub(emit.sub(emit.mul(tile.rowTiles, tile.columnTiles), 1), number);
  placeTile(tile, number);
  if (tile.isByRow()) {
    if (tile.isAlongColumns())
      tile.rowAmax = loadRowAmax(tile);
    tile.columnAmax = loadColumnAmax(tile);
  }
  loadNumbers(tile);
  return tile;
}

/// The panel of a tile, and where in its row the tile's codes begin.
static std::pair<Value, Value> placeInPanel(QuantizeKernel &kernel, Value tile, Value inTile) {
  IndexEmitter &emit = kernel.emit;
  int64_t tiles = kernel.codesOfByte();
  if (tiles == 1)
    return {tile, inTile};
  return {emit.div(tile, tiles), emit.add(emit.mul(emit.rem(tile, tiles), panelElements), inTile)};
}

/// Row after row, so that few codes wait for their store.
static void writeAlongColumns(QuantizeTile &tile, function_ref<Value(int64_t)> encodeRow) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Panels panels = {tile.quantize.getColumnCodes(), emit.roundUp(kernel.rows, rowPadding), kernel.columns};
  Value inside = countFrom(emit, tile.column, kernel.columns);
  auto [panel, inRow] = placeInPanel(kernel, tile.columnTile, emit.mul(tile.squareColumn, squareSide));
  for (int64_t i = 0; i < squareSide; ++i) {
    Value row = emit.add(tile.row, i);
    Value codes = writePack(kernel, writeKeepFirst(kernel, encodeRow(i), inside));
    writeIf(emit, emit.isLess(row, kernel.rows), [&, panel = panel, inRow = inRow] {
      writeStore(emit, codes, panels.codes, panelOffset(kernel, panels, panel, row, inRow));
    });
  }
}

/// Where 16 bytes of a column's codes lie in shared memory: chunks are exchanged by the square, so that the
/// threads of a warp, whose columns are 8 apart, write to different banks.
static Value sharedOffset(QuantizeKernel &kernel, Value column, Value chunk) {
  IndexEmitter &emit = kernel.emit;
  Value exchange = emit.rem(emit.div(column, squareSide), chunksOfLine(kernel));
  Value place = arith::XOrIOp::create(emit.builder, emit.loc, chunk, exchange);
  return emit.add(emit.mul(column, bytesOfLine(kernel)), emit.mul(place, chunkBytes));
}

static void stageColumns(QuantizeTile &tile, ValueRange codes, Value shared) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  SmallVector<Type> types(codes.getTypes());
  auto transposed = TransposeOp::create(kernel.builder(), kernel.loc(), types, codes);
  Value inside = countFrom(emit, tile.row, kernel.rows);
  const int64_t bytesOfSquare = squareSide / kernel.codesOfByte(), squares = chunkBytes / bytesOfSquare;
  Value chunk = emit.div(tile.squareRow, squares);
  Value inChunk = emit.mul(emit.rem(tile.squareRow, squares), bytesOfSquare);
  for (auto [i, ofColumn] : llvm::enumerate(transposed.getColumns())) {
    Value column = emit.add(emit.mul(tile.squareColumn, squareSide), static_cast<int64_t>(i));
    Value kept = writePack(kernel, writeKeepFirst(kernel, ofColumn, inside));
    writeStoreShared(emit, kept, shared, emit.add(sharedOffset(kernel, column, chunk), inChunk));
  }
}

/// As many threads as chunks write a column of the tile, a row of a panel or half of one.
static void storeAlongRows(QuantizeTile &tile, Value shared) {
  QuantizeKernel &kernel = tile.kernel;
  IndexEmitter &emit = kernel.emit;
  Panels panels = {tile.quantize.getRowCodes(), emit.roundUp(kernel.columns, rowPadding), kernel.rows};
  const int64_t chunks = chunksOfLine(kernel);
  auto type = VectorType::get(chunkBytes, kernel.builder().getI8Type());
  Value chunk = emit.rem(kernel.thread, chunks), first = emit.div(kernel.thread, chunks);
  Value firstColumn = emit.mul(tile.columnTile, panelElements);
  for (int64_t i = 0; i < panelElements; i += quantizeThreads / chunks) {
    Value inTile = emit.add(first, i), column = emit.add(firstColumn, inTile);
    Value codes = writeLoadShared(emit, type, shared, sharedOffset(kernel, inTile, chunk));
    writeIf(emit, emit.isLess(column, kernel.columns), [&] {
      auto [panel, inRow] =
          placeInPanel(kernel, tile.rowTile, emit.mul(chunk, chunkBytes * kernel.codesOfByte()));
      writeStore(emit, codes, panels.codes, panelOffset(kernel, panels, panel, column, inRow));
    });
  }
}

static void writeAlongRows(QuantizeTile &tile, ValueRange codes) {
  QuantizeKernel &kernel = tile.kernel;
  Value shared = writeAlloc(kernel.emit, {panelElements, bytesOfLine(kernel)}, kernel.builder().getI8Type());
  stageColumns(tile, codes, shared);
  SyncAllOp::create(kernel.builder(), kernel.loc());
  storeAlongRows(tile, shared);
}

static SmallVector<Value> encodeBy(QuantizeTile &tile, Value factor) {
  return llvm::map_to_vector(tile.numbers,
                             [&](Value numbers) { return writeEncode(tile.kernel, numbers, factor); });
}

/// What the rows of the square meet, in the codes along columns: a function of the row.
static std::function<Value(int64_t)> writeRowFactors(QuantizeTile &tile) {
  if (!tile.kernel.elementsOfScale()) {
    Value factors = writeRowScales(tile);
    return [&tile, factors](int64_t row) { return readRowFactor(tile, factors, row); };
  }
  SmallVector<Value> factors = writeCodedRowScales(tile);
  return [&tile, factors](int64_t row) { return readCodedRowFactor(tile, factors, row); };
}

/// One orientation after the other, and from the numbers again: that needs the fewest registers, where each
/// has scales of its own or codes take many instructions. `square` is what all numbers meet, null where there
/// is none.
static void writeInTurn(QuantizeTile &tile, Value square) {
  QuantizeKernel &kernel = tile.kernel;
  if (tile.isAlongColumns()) {
    std::function<Value(int64_t)> factorOf = [square](int64_t) { return square; };
    if (!square)
      factorOf = writeRowFactors(tile);
    writeAlongColumns(tile,
                      [&](int64_t row) { return writeEncode(kernel, tile.numbers[row], factorOf(row)); });
  }
  if (tile.isAlongColumns() && tile.isAlongRows())
    for (Value &numbers : tile.numbers)
      numbers = RenewOp::create(kernel.builder(), kernel.loc(), numbers.getType(), numbers);
  if (!tile.isAlongRows())
    return;
  Value factor = square;
  if (!factor)
    factor = kernel.elementsOfScale() ? writeCodedColumnScales(tile) : writeColumnScales(tile);
  writeAlongRows(tile, encodeBy(tile, factor));
}

/// As many as ptxas finds registers for without a spill. One code that is stored for 16 rows each way, and
/// codes that become f16, take more; codes that become bf16, one way, fewer.
static int64_t residentBlocks(QuantizeTile &tile) {
  QuantizeKernel &kernel = tile.kernel;
  const bool isOfSquares = kernel.elementsOfScale() && kernel.rowsOfScale() > 1;
  if (kernel.element.isF32() || isOfSquares || (kernel.stored && kernel.element.isF16()))
    return 2;
  const bool isOneWay = tile.isAlongColumns() != tile.isAlongRows();
  return kernel.stored && isOneWay ? 4 : 3;
}

void fp8opt::writeQuantizeTile(QuantizeKernel &kernel, QuantizerInterface quantize) {
  QuantizeTile tile = openTile(kernel, quantize);
  if (kernel.elementsOfScale()) {
    writeInTurn(tile, kernel.rowsOfScale() > 1 ? writeCodedSquareScale(tile) : Value());
  } else if (quantize.getScaling() == Scaling::Block1x128 || tile.isByRow()) {
    writeInTurn(tile, /*square=*/Value());
  } else {
    SmallVector<Value> codes = encodeBy(tile, writeOneScale(tile));
    if (tile.isAlongColumns())
      writeAlongColumns(tile, [&](int64_t row) { return codes[row]; });
    if (tile.isAlongRows())
      writeAlongRows(tile, codes);
  }
  auto tilesOf = [&](unsigned size, bool isWritten) {
    int64_t tiles = isWritten ? kernel.codesOfByte() : 1;
    return getAffineSymbolExpr(size, quantize.getContext()).ceilDiv(tiles * panelElements) * tiles;
  };
  setLaunch(quantize, kernel, residentBlocks(tile),
            tilesOf(0, tile.isAlongRows()) * tilesOf(1, tile.isAlongColumns()));
}
