// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From codes in panels to the numbers they stand for: of a thread's square, for quantizers, and of all of a
// matrix.

#include "QuantizeTile.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// A stored matrix as its panels see it: lines, each along the contraction. They are rows of the matrix, or
/// its columns.
struct Lines {
  Lines(QuantizeKernel &kernel, const Square &square, const StoredMatrix &stored)
      : stored(stored), isAlongRows(stored.along == Along::Rows),
        first(isAlongRows ? square.column : square.row), count(isAlongRows ? kernel.columns : kernel.rows),
        contraction(isAlongRows ? kernel.rows : kernel.columns),
        lineTile(isAlongRows ? square.columnTile : square.rowTile),
        panel(isAlongRows ? square.rowTile : square.columnTile),
        panelCount(isAlongRows ? square.rowTiles : square.columnTiles),
        inPanel(kernel.emit.mul(isAlongRows ? square.squareRow : square.squareColumn, squareSide)) {}

  const StoredMatrix &stored;
  bool isAlongRows;
  /// The square's first line, how many there are and elements in each, and their tile.
  Value first, count, contraction, lineTile;
  /// The panel, how many there are, and the square's first code in it.
  Value panel, panelCount, inPanel;
};
} // namespace

/// The codes of each line of the square. Lines outside of the matrix are read where the last one inside is,
/// and are zeros.
static SmallVector<Value> loadCodes(QuantizeKernel &kernel, const Lines &lines, bool isWhole) {
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  auto type = VectorType::get(squareSide, builder.getI8Type());
  Panels panels = {lines.stored.codes, emit.roundUp(lines.count, rowPadding), lines.contraction};
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < squareSide; ++i) {
    Value line = emit.add(lines.first, i);
    if (!isWhole)
      line = emit.min(line, emit.sub(lines.count, 1));
    Value offset = panelOffset(kernel, panels, lines.panel, line, lines.inPanel);
    loaded.push_back(LoadOp::create(builder, kernel.loc(), type, panels.codes, offset, /*count=*/Value(),
                                    /*aligned=*/false));
  }
  if (!isWhole)
    for (auto [i, codes] : llvm::enumerate(loaded)) {
      Value isInside = emit.isLess(emit.add(lines.first, static_cast<int64_t>(i)), lines.count);
      Value kept = emit.select(isInside, emit.constant(squareSide), emit.constant(0));
      codes = writeKeepFirst(kernel, codes, kept);
    }
  return loaded;
}

/// Whether a line has a scale of its own, not one that it shares with others.
static bool hasLineScales(Scaling scaling) {
  return scaling == Scaling::Row || scaling == Scaling::Block1x128;
}

/// The scales of the square's lines, as bits; zeros outside of the matrix.
static Value loadLineScales(QuantizeKernel &kernel, const Lines &lines, bool isWhole) {
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  Value offset = lines.first;
  if (QuantizeOp::getScalingOf(lines.stored.scheme) == Scaling::Block1x128)
    offset = emit.add(emit.mul(lines.panel, emit.roundUp(lines.count, scaleMultiple)), offset);
  auto type = VectorType::get(squareSide, builder.getI32Type());
  Value count = isWhole ? Value() : countFrom(emit, lines.first, lines.count);
  return LoadOp::create(builder, kernel.loc(), type, lines.stored.scales, emit.widen(offset), count,
                        /*aligned=*/false);
}

/// The one scale of all lines of a square, as bits.
static Value loadSharedScale(QuantizeKernel &kernel, const Lines &lines) {
  IndexEmitter &emit = kernel.emit;
  Value offset = emit.constant(0);
  if (QuantizeOp::getScalingOf(lines.stored.scheme) == Scaling::Block128x128)
    offset = emit.add(emit.mul(lines.lineTile, emit.roundUp(lines.panelCount, scaleMultiple)), lines.panel);
  return LoadOp::create(kernel.builder(), kernel.loc(), kernel.builder().getI32Type(), lines.stored.scales,
                        emit.widen(offset), /*count=*/Value(), /*aligned=*/false);
}

static Value asFloats(QuantizeKernel &kernel, Value bits) {
  Type f32 = kernel.builder().getF32Type();
  if (auto vector = dyn_cast<VectorType>(bits.getType()))
    f32 = vector.clone(f32);
  return arith::BitcastOp::create(kernel.builder(), kernel.loc(), f32, bits);
}

/// What decoded codes are multiplied by. A scheme of one level of f32 that stores decode factors has them as
/// they are.
static Value writeDecode(QuantizeKernel &kernel, const StoredMatrix &stored, Value codes, Value scales) {
  auto type = VectorType::get(squareSide, kernel.element);
  return DecodeOp::create(kernel.builder(), kernel.loc(), type, codes, asFloats(kernel, scales),
                          stored.scheme);
}

std::function<Value(int64_t)> fp8opt::loadSquare(QuantizeKernel &kernel, const Square &square,
                                                 const StoredMatrix &stored) {
  IndexEmitter &emit = kernel.emit;
  Lines lines(kernel, square, stored);
  const bool isOfLines = hasLineScales(QuantizeOp::getScalingOf(stored.scheme)),
             hasScaleOfRow = isOfLines && !lines.isAlongRows;
  auto load = [&](bool isWhole) {
    SmallVector<Value> loaded = loadCodes(kernel, lines, isWhole);
    if (isOfLines)
      loaded.push_back(loadLineScales(kernel, lines, isWhole));
    return loaded;
  };
  // One question for all loads, so that they follow each other.
  Value end = emit.mul(emit.add(lines.lineTile, 1), panelElements);
  Value isPartial = emit.isLess(lines.count, end);
  SmallVector<Value> codes =
      writeEither(emit, isPartial, [&] { return load(false); }, [&] { return load(true); });
  Value scales = isOfLines ? codes.pop_back_val() : loadSharedScale(kernel, lines);
  if (lines.isAlongRows) {
    SmallVector<Type> types(codes.size(), codes.front().getType());
    auto transposed = TransposeOp::create(kernel.builder(), kernel.loc(), types, codes);
    codes = SmallVector<Value>(transposed.getColumns());
  }
  return [&kernel, stored, codes, scales, hasScaleOfRow](int64_t row) {
    Value scale = scales;
    if (hasScaleOfRow)
      scale = PickOp::create(kernel.builder(), kernel.loc(), kernel.builder().getI32Type(), scales,
                             kernel.emit.constant(row));
    return writeDecode(kernel, stored, codes[row], scale);
  };
}

// All of a matrix.

/// Row after row, each decoded where it is stored, so that few numbers wait.
static void storeSquare(QuantizeKernel &kernel, const Square &square, function_ref<Value(int64_t)> decodeRow,
                        Value into, bool isAligned) {
  IndexEmitter &emit = kernel.emit;
  Value inside = countFrom(emit, square.column, kernel.columns);
  for (int64_t i = 0; i < squareSide; ++i) {
    Value row = emit.add(square.row, i);
    writeIf(emit, emit.isLess(row, kernel.rows), [&] {
      Value start =
          arith::MulIOp::create(emit.builder, emit.loc, emit.widen(row), emit.widen(kernel.columns));
      Value offset = arith::AddIOp::create(emit.builder, emit.loc, start, emit.widen(square.column));
      writeStore(emit, decodeRow(i), into, offset, inside, isAligned);
    });
  }
}

/// Of a matrix whose codes lie along its rows a warp has 4 by 8 squares: it reads whole sectors of 32 bytes
/// of a panel's rows, and writes, of bf16, 128 bytes of the matrix's.
static void placeSquareOfRows(QuantizeKernel &kernel, Square &square) {
  constexpr int64_t down = 4, across = warpLanes / down, warpsDown = threadsAcross / down;
  IndexEmitter &emit = kernel.emit;
  Value inWarpDown = emit.rem(kernel.lane, down), inWarpAcross = emit.div(kernel.lane, down);
  placeSquare(emit, square, emit.add(emit.mul(emit.rem(kernel.warp, warpsDown), down), inWarpDown),
              emit.add(emit.mul(emit.div(kernel.warp, warpsDown), across), inWarpAcross));
}

void fp8opt::writeDequantize(QuantizeKernel &kernel, DequantizeOp dequantize) {
  IndexEmitter &emit = kernel.emit;
  Square square;
  square.rowTiles = emit.ceilDiv(kernel.rows, panelElements);
  square.columnTiles = emit.ceilDiv(kernel.columns, panelElements);
  square.rowTile = emit.div(kernel.block, square.columnTiles);
  square.columnTile = emit.rem(kernel.block, square.columnTiles);
  if (dequantize.getAlong() == Along::Columns)
    placeSquare(emit, square, emit.div(kernel.thread, threadsAcross), emit.rem(kernel.thread, threadsAcross));
  else
    placeSquareOfRows(kernel, square);
  std::function<Value(int64_t)> decodeRow = loadSquare(kernel, square, *kernel.stored);
  Value isAligned = emit.isEqual(emit.bitAnd(kernel.columns, kernel.elementsOfChunk() - 1), 0);
  auto store = [&](bool aligned) -> SmallVector<Value> {
    storeSquare(kernel, square, decodeRow, dequantize.getInto(), aligned);
    return {};
  };
  writeEither(emit, isAligned, [&] { return store(true); }, [&] { return store(false); });
  auto tilesOf = [&](unsigned size) {
    return getAffineSymbolExpr(size, dequantize.getContext()).ceilDiv(panelElements);
  };
  setLaunch(dequantize, kernel, /*resident=*/kernel.element.isF32() ? 3 : 4, tilesOf(0) * tilesOf(1));
}
