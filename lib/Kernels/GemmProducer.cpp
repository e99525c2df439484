// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The producer's group of a matrix product: a thread that loads, a warp that copies scales, warps that store.

#include "GemmKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// What the warps of the group do.
constexpr int64_t loadingWarp = 0, firstStoringWarp = 1, scaleWarp = 3;
/// The right operand among the tiles of a stage.
constexpr unsigned rightTile = 1;

namespace {
/// One run of elements that is copied to tile `number` of a stage; see TileCopy.
struct Run {
  Value source, offset, count;
  unsigned number;
  Value once = {};
};
} // namespace

static void writeFill(GemmKernel &kernel, CopyKind kind, Value ring, Value stage, ArrayRef<Run> runs,
                      ArrayRef<TileCopy> tiles = {}) {
  OpBuilder &builder = kernel.builder();
  auto fill = FillOp::create(builder, kernel.loc(), kind, ring, stage);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&fill.getBody());
  for (SharedType tile : cast<RingType>(ring.getType()).getTiles())
    body->addArgument(tile, kernel.loc());
  for (const TileCopy &copy : tiles)
    CopyTileOp::create(builder, kernel.loc(), copy.map, copy.row, copy.column, copy.matrix,
                       body->getArgument(copy.number), copy.once);
  for (const Run &run : runs)
    CopyOp::create(builder, kernel.loc(), run.source, run.offset, run.count, body->getArgument(run.number),
                   run.once);
}

/// Block `block` of the contraction among those of all matrices of a stack; `matrix` is null where there is
/// one.
static Value blockOfStack(GemmKernel &kernel, Value matrix, Value block) {
  IndexEmitter &emit = kernel.emit;
  return matrix ? emit.add(emit.mul(matrix, kernel.contractionBlocks), block) : block;
}

/// Rows `first` and following of block `block` of an operand, as many as a tile has and the operand is padded
/// to: one run, as its panels are.
static Run operandRun(GemmKernel &kernel, Value source, Value rows, Value first, Value block,
                      unsigned number) {
  IndexEmitter &emit = kernel.emit;
  SharedType tile = kernel.tiles.operands.getTiles()[number];
  Value row = emit.add(emit.mul(block, rows), first);
  Value count = emit.min(emit.sub(rows, first), tile.getRows());
  return {source, emit.widen(row, tile.getColumns()), emit.mul(count, tile.getColumns()), number};
}

/// Scales `first` and following of a line of `padded` ones; `block` is the line, null where there is one.
static Run scaleRun(GemmKernel &kernel, RingType ring, Value source, Value padded, Value first, Value block,
                    unsigned number) {
  IndexEmitter &emit = kernel.emit;
  Value offset = block ? emit.add(emit.mul(block, padded), first) : first;
  Value count = emit.min(emit.sub(padded, first), ring.getTiles()[number].getRows());
  return {source, emit.widen(offset), count, number};
}

/// Whether the right operand is read once: by rows of tiles that are walked together. What it brings to the
/// cache is then of no use to any later tile, where weights of few rows are most of what a kernel reads.
static Value isRightReadOnce(GemmKernel &kernel, ResultTile tile) {
  IndexEmitter &emit = kernel.emit;
  return emit.compare(arith::CmpIPredicate::ule, tile.product.rowTiles,
                      emit.constant(kernel.schedule.getGroup()));
}

/// Says so of the copies of the right operand.
template <typename CopyT> static void markOnce(SmallVectorImpl<CopyT> &copies, Value once) {
  for (CopyT &copy : copies)
    if (copy.number == rightTile)
      copy.once = once;
}

/// Of operands in panels.
static SmallVector<Run> operandRuns(GemmKernel &kernel, ResultTile tile, Value block) {
  SmallVector<Run> runs;
  GemmOp gemm = kernel.gemm;
  auto add = [&](Value operand, Value rows, Value first, Value matrix, unsigned number) {
    if (rows)
      runs.push_back(operandRun(kernel, operand, rows, first, blockOfStack(kernel, matrix, block), number));
  };
  add(gemm.getLhs(), kernel.lhsRows, tile.row, tile.product.lhs, 0);
  add(gemm.getRhs(), kernel.rhsRows, tile.column, tile.product.rhs, 1);
  return runs;
}

namespace {
/// Tiles of scales of the rows from `first` on, of a matrix of `rows`.
struct ScaleTiles {
  Value source, matrix, rows, first;
};
} // namespace

/// Tiles of scales of a stage, one run each. Behind the last tile along the contraction it is copied again:
/// it meets zero codes there, and has no NaN that its rows do not have.
static void scaleTileRuns(GemmKernel &kernel, const ScaleTiles &scales, Value block, unsigned number,
                          SmallVectorImpl<Run> &runs) {
  IndexEmitter &emit = kernel.emit;
  int64_t tiles = getScaleTilesOfStage(kernel.gemm);
  Value rows = emit.div(scales.first, scaleTileRows);
  if (scales.matrix)
    rows = emit.add(rows, emit.mul(scales.matrix, emit.ceilDiv(scales.rows, scaleTileRows)));
  Value ofRows = emit.mul(rows, kernel.scaleTiles);
  Value last = emit.sub(kernel.scaleTiles, 1);
  for (int64_t i = 0; i < tiles; ++i) {
    Value tile = emit.min(emit.add(emit.mul(block, tiles), i), last);
    Value offset = emit.widen(emit.add(ofRows, tile), scaleTileBytes);
    runs.push_back({scales.source, offset, emit.constant(scaleTileBytes), number++});
  }
}

/// Scales that come with a stage: of rows, of columns where they have some.
static SmallVector<Run> scaleRuns(GemmKernel &kernel, ResultTile tile, Value block) {
  SmallVector<Run> runs;
  GemmOp gemm = kernel.gemm;
  Value lhsMatrix = tile.product.lhs, rhsMatrix = tile.product.rhs;
  if (isScaledByInstruction(gemm)) {
    scaleTileRuns(kernel, {gemm.getLhsScales(), lhsMatrix, gemm.getM(), tile.row}, block, 2, runs);
    scaleTileRuns(kernel, {gemm.getRhsScales(), rhsMatrix, gemm.getN(), tile.column}, block, 2 + runs.size(),
                  runs);
    return runs;
  }
  RingType ring = kernel.tiles.operands;
  if (hasRowScales(gemm))
    runs.push_back(scaleRun(kernel, ring, gemm.getLhsScales(), kernel.lhsScales, tile.row,
                            blockOfStack(kernel, lhsMatrix, block), 2));
  if (hasColumnScales(gemm))
    runs.push_back(scaleRun(kernel, ring, gemm.getRhsScales(), kernel.rhsScales, tile.column,
                            blockOfStack(kernel, rhsMatrix, block), 3));
  return runs;
}

/// What a tile of the result meets.
static Value fillOfResult(GemmKernel &kernel, CopyKind kind, ResultTile tile, Value stage) {
  RingType ring = kernel.tiles.ofResult;
  GemmOp gemm = kernel.gemm;
  SmallVector<Run> runs;
  auto add = [&](Value source, Value padded, Value first, Value matrix) {
    runs.push_back(scaleRun(kernel, ring, source, padded, first, matrix, runs.size()));
  };
  if (isScaledByRow(gemm)) {
    add(gemm.getLhsScales(), kernel.lhsScales, tile.row, tile.product.lhs);
    add(gemm.getRhsScales(), kernel.rhsScales, tile.column, tile.product.rhs);
  }
  if (gemm.getBias())
    add(gemm.getBias(), kernel.biasColumns, tile.column, tile.product.rhs);
  writeFill(kernel, kind, kernel.ofResult, stage, runs);
  return writeAdvance(kernel, kernel.ofResult, stage);
}

namespace {
/// What one filling thread or warp copies: operands, scales or both.
struct Filler {
  CopyKind kind;
  bool operands, scales;
};
} // namespace

/// All tiles, all blocks of the contraction.
static void writeFills(GemmKernel &kernel, Filler filler) {
  IndexEmitter &emit = kernel.emit;
  bool fillsStages = filler.operands || hasRowScales(kernel.gemm);
  bool fillsOfResult = filler.scales && kernel.ofResult;
  SmallVector<Value> stages;
  if (fillsStages)
    stages.push_back(writeFirst(kernel, RoleKind::Producer, kernel.operands));
  if (fillsOfResult)
    stages.push_back(writeFirst(kernel, RoleKind::Producer, kernel.ofResult));
  writeTileLoop(kernel, stages, [&](ResultTile tile, ValueRange carried) {
    SmallVector<Value> next, matrix = findMatrix(kernel, tile.product);
    Value once = filler.operands ? isRightReadOnce(kernel, tile) : Value();
    auto block = [&](Value number, ValueRange stage) -> SmallVector<Value> {
      SmallVector<Run> runs;
      SmallVector<TileCopy> tiles;
      if (tile.product.firstBlock)
        number = emit.add(number, tile.product.firstBlock);
      if (filler.operands) {
        runs = operandRuns(kernel, tile, number);
        tiles = operandTileCopies(kernel, tile, matrix, number);
        markOnce(runs, once);
        markOnce(tiles, once);
      }
      if (filler.scales)
        llvm::append_range(runs, scaleRuns(kernel, tile, number));
      writeFill(kernel, filler.kind, kernel.operands, stage[0], runs, tiles);
      return {writeAdvance(kernel, kernel.operands, stage[0])};
    };
    // Before the operands, behind which the same thread would find the ring full for a while.
    Value afterScales;
    if (fillsOfResult)
      afterScales = fillOfResult(kernel, filler.kind, tile, carried.back());
    if (fillsStages)
      llvm::append_range(next, writeLoop(emit, emit.constant(0), tile.product.stages, emit.constant(1),
                                         carried.front(), block));
    if (afterScales)
      next.push_back(afterScales);
    return next;
  });
}

static void writeStorers(GemmKernel &kernel, Value warp, Value lane) {
  IndexEmitter &emit = kernel.emit;
  Value storer = emit.sub(warp, firstStoringWarp);
  // Unsigned: the loading warp is no storer.
  writeIf(kernel.emit, emit.isLess(storer, kernel.schedule.getConsumers()), [&] {
    if (!kernel.schedule.isPingpong()) {
      writeTileLoop(kernel, {}, [&](ResultTile tile, ValueRange) -> SmallVector<Value> {
        writeStorer(kernel, storer, lane, tile);
        return {};
      });
      return;
    }
    Value thread = emit.add(emit.mul(storer, warpThreads), lane);
    writeTileLoop(kernel, emit.constant(0), [&](ResultTile tile, ValueRange turn) -> SmallVector<Value> {
      writeStorer(kernel, /*consumer=*/turn.front(), thread, tile);
      return {emit.sub(1, turn.front())};
    });
  });
}

static void writeWarps(GemmKernel &kernel, Value warp) {
  IndexEmitter &emit = kernel.emit;
  Value lane = LaneOp::create(emit.builder, emit.loc, emit.builder.getI32Type());
  bool hasScales = hasRowScales(kernel.gemm) || kernel.ofResult || isScaledByInstruction(kernel.gemm);
  bool hasScaleWarp = hasScales && kernel.schedule.getScales() == ScaleCopy::Warp;
  auto load = [&] {
    writeFills(kernel, {CopyKind::Bulk, /*operands=*/true, /*scales=*/hasScales && !hasScaleWarp});
  };
  if (!kernel.gemm.getMaps())
    writeIf(emit, emit.both(emit.isEqual(warp, loadingWarp), emit.isEqual(lane, 0)), load);
  else
    writeIf(emit, emit.isEqual(warp, loadingWarp), [&] {
      writeMaps(kernel);
      writeIf(emit, emit.isEqual(lane, 0), load);
    });
  if (hasScaleWarp)
    writeIf(kernel.emit, emit.isEqual(warp, scaleWarp),
            [&] { writeFills(kernel, {CopyKind::Async, /*operands=*/false, /*scales=*/true}); });
  if (kernel.hasStorers())
    writeStorers(kernel, warp, lane);
}

void fp8opt::writeProducer(GemmKernel &kernel) {
  writeRole(kernel, RoleKind::Producer, groupWarps, [&](Value warp) { writeWarps(kernel, warp); });
}
