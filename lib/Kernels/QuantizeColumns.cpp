// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers along the columns of a matrix, as it lies in memory: no number is needed by more than 8 lanes.

#include "QuantizeKernel.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// A block of threads takes 64 rows of a panel, which lie side by side. 8 lanes have a row of it, 16 numbers
/// each: a lane's loads lie side by side, so that each sector of 32 bytes is for one lane, and its codes are
/// one store.
constexpr int64_t rowsOfBlock = 64, lanesOfPanel = 8, numbersOfLane = 16;

namespace {
/// Of a lane: the first of its codes in the panel's row.
struct Place {
  Value panel, inRow;
};
} // namespace

static void storeRow(QuantizeKernel &kernel, QuantizeOp quantize, const Panels &panels, Place place,
                     Value row, Value codes, Value scale, Value storedScales) {
  IndexEmitter &emit = kernel.emit;
  writeIf(emit, emit.isLess(row, kernel.rows), [&] {
    writeStore(emit, codes, panels.codes, panelOffset(kernel, panels, place.panel, row, place.inRow));
    if (storedScales)
      writeIf(emit, emit.isEqual(place.inRow, 0), [&] {
        Value offset = emit.add(emit.mul(place.panel, storedScales), row);
        writeStore(emit, scale, quantize.getColumnScales(), emit.widen(offset));
      });
  });
}

void fp8opt::writeQuantizeColumns(QuantizeKernel &kernel, QuantizeOp quantize) {
  IndexEmitter &emit = kernel.emit;
  const bool isTensor = quantize.getScaling() == Scaling::Tensor;
  Value across = emit.ceilDiv(kernel.columns, panelElements);
  Value block = kernel.block;
  if (isTensor) {
    // Backwards: what the amax has read last is still in the L2 cache.
    block = emit.sub(emit.sub(kernel.countBlocks(), 1), block);
  }
  Place place = {emit.rem(block, across), emit.mul(emit.rem(kernel.thread, lanesOfPanel), numbersOfLane)};
  Value row = emit.add(emit.mul(emit.div(block, across), rowsOfBlock), emit.div(kernel.thread, lanesOfPanel));
  Value column = emit.add(emit.mul(place.panel, panelElements), place.inRow);
  SmallVector<Run> runs;
  for (int64_t i = 0; i < rowsOfBlock; i += quantizeThreads / lanesOfPanel)
    runs.push_back({emit.add(row, i), column});
  SmallVector<Value> numbers = loadRuns(kernel, runs, numbersOfLane);

  Panels panels = {quantize.getColumnCodes(), emit.roundUp(kernel.rows, rowPadding), kernel.columns};
  ScaleAndFactor scale;
  Value storedScales;
  if (isTensor) {
    scale = writeTensorScale(kernel, quantize.getAmax());
    Value isFirst = emit.both(emit.isEqual(kernel.block, 0), emit.isEqual(kernel.thread, 0));
    writeIf(emit, isFirst,
            [&] { writeStore(emit, scale.stored, quantize.getColumnScales(), emit.widen(Index(0))); });
  } else {
    storedScales = emit.roundUp(kernel.rows, scaleMultiple);
  }
  // Zeros under an infinite or NaN factor are no zero codes.
  Value end = emit.mul(emit.add(place.panel, 1), panelElements);
  Value inside = emit.sub(emit.min(kernel.columns, end), emit.min(column, kernel.columns));
  for (auto [run, vector] : llvm::zip_equal(runs, numbers)) {
    if (!isTensor) {
      Value amax = writeVectorMax(kernel, writeMagnitudes(kernel, vector));
      scale = writeScale(kernel, writeWord(kernel, writeLaneMax(kernel, amax, lanesOfPanel)));
    }
    Value codes = writeKeepFirst(kernel, writeEncode(kernel, vector, scale.factor), inside,
                                 emit.isLess(kernel.columns, end));
    storeRow(kernel, quantize, panels, place, run.row, codes, scale.stored, storedScales);
  }
  AffineExpr rows = getAffineSymbolExpr(0, quantize.getContext()),
             columns = getAffineSymbolExpr(1, quantize.getContext());
  setLaunch(quantize, kernel, /*resident=*/kernel.element.isF32() ? 4 : 5,
            rows.ceilDiv(rowsOfBlock) * columns.ceilDiv(panelElements));
}
