// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers by row: a block of threads reads its row, or some short ones, once and has them in registers.

#include "QuantizeKernel.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// A lane's codes are one store.
constexpr int64_t numbersOfLane = 16;
/// Columns of which each thread of a block has one vector: a step.
constexpr int64_t columnsOfStep = numbersOfLane * quantizeThreads;
/// Registers of a thread for numbers, and thread blocks of a processor then.
constexpr int64_t heldRegisters = 64, residentBlocks = 2;

namespace {
class RowQuantizer {
public:
  RowQuantizer(QuantizeKernel &kernel, QuantizeOp quantize);
  void write();
  AffineExpr countBlocks();

private:
  using Written = SmallVector<Value>;

  /// Rows of so many steps that a block has at once.
  int64_t rowsOf(int64_t steps) { return held / steps; }
  /// The most columns of a row of so many steps, and one.
  static int64_t beyond(int64_t steps) { return steps * columnsOfStep + 1; }
  Value countRows();
  Written writeFrom(int64_t steps);
  void writeHeld(int64_t steps);
  void writeTwice(Value row);
  SmallVector<Value> writeFactors(Value first, int64_t rows, Value largest);
  void writeCodes(Value row, Value column, Value numbers, Value factor);

  QuantizeKernel &kernel;
  QuantizeOp quantize;
  IndexEmitter &emit;
  /// Vectors of a thread: steps of the longest row that is held.
  const int64_t held;
  /// Of the block, and the first one.
  Value rows, first;
  /// Of the thread in the first step.
  Value column;
  Value isAligned;
  /// Of warps, in shared memory.
  Value amaxes;
};
} // namespace

RowQuantizer::RowQuantizer(QuantizeKernel &kernel, QuantizeOp quantize)
    : kernel(kernel), quantize(quantize), emit(kernel.emit),
      held(heldRegisters * 32 / (numbersOfLane * kernel.bits.getIntOrFloatBitWidth())), rows(countRows()),
      first(emit.mul(kernel.block, rows)), column(emit.mul(kernel.thread, numbersOfLane)),
      isAligned(writeIsAligned(kernel)), amaxes(writeAlloc(emit, {quantizeWarps * held}, kernel.bits)) {}

Value RowQuantizer::countRows() {
  Value rows = emit.constant(1);
  for (int64_t steps = held / 2; steps > 0; steps /= 2)
    rows = emit.select(emit.isLess(kernel.columns, beyond(steps)), emit.constant(rowsOf(steps)), rows);
  return rows;
}

/// The same for the host: quotients say whether there are fewer columns than so many.
AffineExpr RowQuantizer::countBlocks() {
  MLIRContext *context = quantize.getContext();
  AffineExpr rows = getAffineSymbolExpr(0, context), columns = getAffineSymbolExpr(1, context);
  AffineExpr ofBlock = getAffineConstantExpr(1, context);
  for (int64_t steps = held / 2; steps > 0; steps /= 2) {
    AffineExpr most = getAffineConstantExpr(beyond(steps), context);
    ofBlock = ofBlock + most.floorDiv(columns + 1).ceilDiv(most) * (rowsOf(steps) - rowsOf(2 * steps));
  }
  return rows.ceilDiv(ofBlock);
}

void RowQuantizer::write() { writeFrom(/*steps=*/1); }

/// By how long rows are. Those that are held are aligned, since loads of single elements take too many
/// registers; others are read twice.
RowQuantizer::Written RowQuantizer::writeFrom(int64_t steps) {
  if (steps > held) {
    writeLoop(emit, first, emit.min(emit.add(first, rows), kernel.rows), emit.constant(1), {},
              [&](Value row, ValueRange) -> Written {
                writeTwice(row);
                return {};
              });
    return {};
  }
  Value isHeld = emit.both(isAligned, emit.isLess(kernel.columns, beyond(steps)));
  auto write = [&]() -> Written {
    writeHeld(steps);
    return {};
  };
  return writeEither(emit, isHeld, write, [&] { return writeFrom(2 * steps); });
}

/// Of rows from `first` on, of which a warp's threads know the largest magnitude each. A lane makes the scale
/// of a row.
SmallVector<Value> RowQuantizer::writeFactors(Value first, int64_t rows, Value largest) {
  OpBuilder &builder = kernel.builder();
  Value row = first, mine = writeBlockMax(kernel, largest, amaxes);
  if (rows > 1) {
    Value number = emit.rem(kernel.lane, rows);
    row = emit.add(first, number);
    mine = PickOp::create(builder, kernel.loc(), kernel.bits, mine, number);
  }
  ScaleAndFactor scale = writeScale(kernel, writeWord(kernel, mine));
  writeIf(emit, emit.both(emit.isLess(kernel.thread, rows), emit.isLess(row, kernel.rows)),
          [&] { writeStore(emit, scale.stored, quantize.getColumnScales(), emit.widen(row)); });
  if (rows == 1)
    return {scale.factor};
  Value bits = arith::BitcastOp::create(builder, kernel.loc(), builder.getI32Type(), scale.factor);
  return llvm::map_to_vector(llvm::seq(rows), [&](int64_t i) -> Value {
    Value read = LaneReadOp::create(builder, kernel.loc(), builder.getI32Type(), bits, emit.constant(i));
    return arith::BitcastOp::create(builder, kernel.loc(), builder.getF32Type(), read);
  });
}

void RowQuantizer::writeCodes(Value row, Value column, Value numbers, Value factor) {
  Value inside = countFrom(emit, column, kernel.columns);
  Value codes = writeKeepFirst(kernel, writeEncode(kernel, numbers, factor), inside,
                               emit.isLess(inside, numbersOfLane));
  Panels panels = {quantize.getColumnCodes(), emit.roundUp(kernel.rows, rowPadding), kernel.columns};
  writeStore(
      emit, codes, panels.codes,
      panelOffset(kernel, panels, emit.div(column, panelElements), row, emit.rem(column, panelElements)));
}

void RowQuantizer::writeHeld(int64_t steps) {
  SmallVector<Run> runs;
  for (int64_t i = 0; i < rowsOf(steps); ++i)
    for (int64_t step = 0; step < steps; ++step)
      runs.push_back({emit.add(first, i), emit.add(column, step * columnsOfStep)});
  SmallVector<Value> numbers = loadRuns(kernel, runs, numbersOfLane, /*isAligned=*/true), largest;
  for (int64_t i = 0; i < rowsOf(steps); ++i) {
    SmallVector<Value> magnitudes;
    for (int64_t step = 0; step < steps; ++step)
      magnitudes.push_back(writeMagnitudes(kernel, numbers[i * steps + step]));
    largest.push_back(steps == 1 ? magnitudes.front() : writeVectorMax(kernel, magnitudes));
  }
  SmallVector<Value> factors = writeFactors(first, rowsOf(steps), writeVectorMax(kernel, largest));
  Value end = emit.roundUp(kernel.columns, panelElements);
  for (auto [i, run] : llvm::enumerate(runs)) {
    Value isMine = emit.both(emit.isLess(run.row, kernel.rows), emit.isLess(run.column, end));
    writeIf(emit, isMine,
            [&, i = i, run = run] { writeCodes(run.row, run.column, numbers[i], factors[i / steps]); });
  }
}

void RowQuantizer::writeTwice(Value row) {
  Value step = emit.constant(columnsOfStep);
  auto load = [&](Value from) { return loadRuns(kernel, Run{row, from}, numbersOfLane).front(); };
  auto type = VectorType::get(numbersOfLane, kernel.bits);
  Value none = arith::ConstantOp::create(kernel.builder(), kernel.loc(), kernel.builder().getZeroAttr(type));
  auto raise = [&](Value from, ValueRange largest) -> Written {
    return {writeMax(kernel, largest.front(), writeMagnitudes(kernel, load(from)))};
  };
  Value largest = writeLoop(emit, column, kernel.columns, step, none, raise).front();
  Value factor = writeFactors(row, /*rows=*/1, writeVectorMax(kernel, largest)).front();
  auto encode = [&](Value from, ValueRange) -> Written {
    writeCodes(row, from, load(from), factor);
    return {};
  };
  writeLoop(emit, column, emit.roundUp(kernel.columns, panelElements), step, {}, encode);
  // All have read the amaxes when those of the next row are written.
  SyncAllOp::create(kernel.builder(), kernel.loc());
}

void fp8opt::writeQuantizeRow(QuantizeKernel &kernel, QuantizeOp quantize) {
  RowQuantizer quantizer(kernel, quantize);
  quantizer.write();
  setLaunch(quantize, kernel, residentBlocks, quantizer.countBlocks());
}
