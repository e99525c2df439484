// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales that are codes, in tiles of 128x4, and the quantizer along columns that makes them.

#include "QuantizeKernel.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Emit/LayoutEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

Value fp8opt::loadTensorAmax(QuantizeKernel &kernel, Value amax) {
  if (kernel.numbers.levels.size() == 1)
    return {};
  OpBuilder &builder = kernel.builder();
  Value number =
      LoadOp::create(builder, kernel.loc(), builder.getF32Type(), amax, kernel.emit.widen(Index(0)),
                     /*count=*/Value(), /*aligned=*/false);
  return ArithEmitter(builder, kernel.loc()).wordOfFloat(number);
}

CodedScale fp8opt::writeCodedScale(QuantizeKernel &kernel, Value amaxWord, Value tensorAmax) {
  ArithEmitter arith(kernel.builder(), kernel.loc());
  numerics::SchemeArithmetic<ArithEmitter> arithmetic(arith, kernel.numbers,
                                                      qt::formatOfExpressed(kernel.element));
  std::vector<Value> amaxes = {amaxWord};
  if (tensorAmax)
    amaxes.push_back(tensorAmax);
  std::vector<Value> stored = arithmetic.storedScales(amaxes);
  Value factor = arithmetic.encodeFactor(amaxes, stored);
  return {arith.storedOfWord(stored.front(), kernel.builder().getI8Type()),
          arith.floatOfWord(factor, kernel.builder().getF32Type())};
}

void fp8opt::writeTiledScale(QuantizeKernel &kernel, const ScaleTiles &tiles, Value row, Value column,
                             Value scale) {
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  int64_t elements = kernel.elementsOfScale();
  Value block = emit.div(column, elements), blocks = emit.ceilDiv(tiles.columns, elements);
  Value isThere =
      emit.both(emit.isLess(row, tiles.rows), emit.isLess(block, emit.roundUp(blocks, scalesOfWord)));
  Value zero = arith::ConstantOp::create(builder, kernel.loc(), builder.getI8IntegerAttr(0));
  Value kept = emit.select(emit.isLess(block, blocks), scale, zero);
  writeIf(emit, isThere, [&] {
    Layout layout = *getLayout(builder.getContext(), LayoutKind::Tiles128x4, 8);
    LayoutEmitter place(builder, kernel.loc(), builder.getI32Type());
    Value offset = place.apply(layout.offset(), {row, block}, {tiles.rows, blocks}).front();
    writeStore(emit, kept, tiles.scales, emit.widen(offset));
  });
}

// Along columns. A lane has 16 numbers of a row: a block of 16, or half of one of 32.

constexpr int64_t numbersOfLane = 16, panelsOfBlock = 2;

namespace {
/// What a lane has.
struct Part {
  Value row, panel, column, inRow, numbers;
};
} // namespace

static void writePart(QuantizeKernel &kernel, QuantizeOp quantize, const Part &part, Value tensorAmax) {
  IndexEmitter &emit = kernel.emit;
  const int64_t lanesOfScale = kernel.elementsOfScale() / numbersOfLane;
  Value amax = writeVectorMax(kernel, writeMagnitudes(kernel, part.numbers));
  if (lanesOfScale > 1)
    amax = writeLaneMax(kernel, amax, lanesOfScale);
  CodedScale scale = writeCodedScale(kernel, writeWord(kernel, amax), tensorAmax);
  ScaleTiles tiles = {quantize.getColumnScales(), kernel.rows, kernel.columns};
  auto storeScale = [&] { writeTiledScale(kernel, tiles, part.row, part.column, scale.stored); };
  if (lanesOfScale > 1)
    writeIf(emit, emit.isEqual(emit.rem(kernel.lane, lanesOfScale), 0), storeScale);
  else
    storeScale();
  // Zeros under an infinite or NaN factor are no zero codes.
  Value inside = countFrom(emit, part.column, kernel.columns);
  Value codes = writeKeepFirst(kernel, writeEncode(kernel, part.numbers, scale.factor), inside);
  Panels panels = {quantize.getColumnCodes(), emit.roundUp(kernel.rows, rowPadding), kernel.columns};
  Value isThere = emit.both(emit.isLess(part.row, kernel.rows),
                            emit.isLess(emit.sub(part.column, part.inRow), kernel.columns));
  writeIf(emit, isThere, [&] {
    writeStore(emit, writePack(kernel, codes), panels.codes,
               panelOffset(kernel, panels, part.panel, part.row, part.inRow));
  });
}

void fp8opt::writeQuantizeCoded(QuantizeKernel &kernel, QuantizeOp quantize) {
  IndexEmitter &emit = kernel.emit;
  const int64_t lanesOfPanel = kernel.codesOfPanel() / numbersOfLane,
                rowsOfBlock = quantizeThreads / lanesOfPanel,
                columnsOfBlock = panelsOfBlock * kernel.codesOfPanel();
  Value across = emit.ceilDiv(kernel.columns, columnsOfBlock);
  Value firstPanel = emit.mul(emit.rem(kernel.block, across), panelsOfBlock);
  Value inRow = emit.mul(emit.rem(kernel.thread, lanesOfPanel), numbersOfLane);
  Value row =
      emit.add(emit.mul(emit.div(kernel.block, across), rowsOfBlock), emit.div(kernel.thread, lanesOfPanel));
  SmallVector<Run> runs;
  SmallVector<Part> parts;
  for (int64_t i = 0; i < panelsOfBlock; ++i) {
    Value panel = emit.add(firstPanel, i), column = emit.add(emit.mul(panel, kernel.codesOfPanel()), inRow);
    parts.push_back({row, panel, column, inRow, Value()});
    runs.push_back({row, column});
  }
  Value tensorAmax = loadTensorAmax(kernel, quantize.getAmax());
  for (auto [part, numbers] : llvm::zip_equal(parts, loadRuns(kernel, runs, numbersOfLane))) {
    part.numbers = numbers;
    writePart(kernel, quantize, part, tensorAmax);
  }
  AffineExpr rows = getAffineSymbolExpr(0, quantize.getContext()),
             columns = getAffineSymbolExpr(1, quantize.getContext());
  setLaunch(quantize, kernel, /*resident=*/kernel.element.isF32() ? 3 : 4,
            rows.ceilDiv(rowsOfBlock) * columns.ceilDiv(columnsOfBlock));
}
