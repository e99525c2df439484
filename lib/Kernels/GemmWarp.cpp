// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consumers of a matrix product whose warps each multiply a part of the tile, with scales, from registers.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Steps of a stage: what an instruction takes along the contraction.
constexpr int64_t stepsOfStage = panelBytes / stepBytes;

namespace {
/// A warp and its part of the tile: rows and columns from these on.
struct Warp {
  Value row, column;
  Value lane, staging;
  int64_t rows;
};

/// What one step multiplies.
struct Step {
  Value lhs, rhs, lhsScales, rhsScales;
};

/// Writes the loop over the contraction of a tile.
struct WarpLoop {
  GemmKernel &kernel;
  const Warp &warp;
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();
  Type code = kernel.gemm.getLhs().getType().getElementType();
  Type scale = kernel.gemm.getLhsScales().getType().getElementType();
  int64_t scaleTiles = getScaleTilesOfStage(kernel.gemm);
  FragmentType fragment =
      FragmentType::get(builder.getContext(), warpWaveRows, warpColumns, builder.getF32Type());

  int64_t waves() const { return warp.rows / warpWaveRows; }

  Value loadOperand(OperandSide side, Value tile, Value row, int64_t rows, int64_t step) {
    auto type =
        OperandType::get(builder.getContext(), side, rows, cast<SharedType>(tile.getType()).getElementType());
    return LoadOperandOp::create(builder, loc, type, tile, row, step * stepBytes);
  }

  /// Tiles of scales have the rows of 128 of the operand, a tile of the result may begin amid them.
  Value loadScales(Value tile, Value firstOfTile, Value row, int64_t rows) {
    Value inTile = kernel.emit.add(kernel.emit.rem(firstOfTile, scaleTileRows), row);
    auto type = ScaleWordsType::get(builder.getContext(), rows, scale);
    return LoadScaleWordsOp::create(builder, loc, type, tile, inTile);
  }

  /// `before` has the scales of this step too, if they are not in a tile of their own.
  Step load(ResultTile tile, ValueRange tiles, int64_t step, const Step &before) {
    Step loaded = before;
    loaded.lhs = loadOperand(OperandSide::Lhs, tiles[0], warp.row, warp.rows, step);
    loaded.rhs = loadOperand(OperandSide::Rhs, tiles[1], warp.column, warpColumns, step);
    int64_t stepsOfTile = stepsOfStage / scaleTiles;
    if (step % stepsOfTile == 0) {
      ValueRange scales = tiles.drop_front(2).drop_front(step / stepsOfTile);
      loaded.lhsScales = loadScales(scales[0], tile.row, warp.row, warp.rows);
      loaded.rhsScales = loadScales(scales[scaleTiles], tile.column, warp.column, warpColumns);
    }
    return loaded;
  }

  void multiply(SmallVector<Value> &sums, const Step &step, int64_t number) {
    int64_t elements = stepBytes * 8 / code.getIntOrFloatBitWidth();
    int64_t block = number * elements / elementsOfScale(scale) % scalesOfWord;
    for (auto [wave, sum] : llvm::enumerate(sums))
      sum = MmaScaledOp::create(builder, loc, fragment, sum, step.lhs, wave * warpWaveRows, step.lhsScales,
                                step.rhs, step.rhsScales, block);
  }

  /// Carried: stage, sums. What a step multiplies is loaded before the step before it is multiplied; the
  /// stage is released as soon as the last step is loaded.
  SmallVector<Value> writeStage(ResultTile tile, ValueRange carried) {
    Value stage = carried[0];
    SmallVector<Value> sums = llvm::to_vector(carried.drop_front());
    ValueRange tiles = writeWait(kernel, kernel.operands, stage);
    Step step = load(tile, tiles, 0, Step());
    for (int64_t number = 0; number < stepsOfStage; ++number) {
      Step next = step;
      if (number + 1 < stepsOfStage) {
        next = load(tile, tiles, number + 1, step);
      } else {
        // One thread arrives for all, and orders nothing but its own reads.
        SyncWarpOp::create(builder, loc);
        writeRelease(kernel, kernel.operands, stage);
      }
      multiply(sums, step, number);
      step = next;
    }
    SmallVector<Value> next = {writeAdvance(kernel, kernel.operands, stage)};
    llvm::append_range(next, sums);
    return next;
  }

  ValueRange write(ResultTile tile, Value stage) {
    IndexEmitter &emit = kernel.emit;
    SmallVector<Value> carried = {stage};
    carried.append(waves(), ZeroOp::create(builder, loc, fragment));
    return writeLoop(emit, emit.constant(0), tile.product.blocks, emit.constant(1), carried,
                     [&](Value, ValueRange values) { return writeStage(tile, values); });
  }
};
} // namespace

/// Through a tile of the warp's own, 16 rows at a time: whole lines of 128 bytes leave, and nobody else
/// waits.
static void writeWarpStore(GemmKernel &kernel, const Warp &warp, ResultTile tile, ValueRange fragments) {
  constexpr int64_t chunksAtOnce = 4;
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  GemmOp gemm = kernel.gemm;
  Value row = emit.add(tile.resultRow, warp.row), column = emit.add(tile.column, warp.column);
  for (auto [wave, fragment] : llvm::enumerate(fragments)) {
    // Slower threads may still read the rows before.
    SyncWarpOp::create(builder, kernel.loc());
    StageFragmentOp::create(builder, kernel.loc(), fragment, warp.staging, emit.constant(0), /*keep=*/Value(),
                            /*scheme=*/qt::SchemeAttr(), /*expressed=*/TypeAttr(), /*factor=*/Value());
    SyncWarpOp::create(builder, kernel.loc());
    Value first = wave ? emit.add(row, static_cast<int64_t>(wave) * warpWaveRows) : row;
    StoreTileOp::create(builder, kernel.loc(), warp.staging, gemm.getInto(), first, column,
                        tile.product.resultEnd, gemm.getN(), warp.lane, warpThreads, chunksAtOnce,
                        gemm.getAccumulate());
  }
}

static Warp describeWarp(GemmKernel &kernel, Value number) {
  IndexEmitter &emit = kernel.emit;
  WarpGrid grid = getWarpGrid(kernel.schedule);
  Warp warp;
  warp.rows = grid.rows;
  warp.row = emit.mul(emit.rem(number, grid.down), grid.rows);
  warp.column = emit.mul(emit.div(number, grid.down), warpColumns);
  warp.lane = LaneOp::create(emit.builder, emit.loc, emit.builder.getI32Type());
  warp.staging =
      SubtileOp::create(emit.builder, emit.loc, kernel.tiles.resultOfConsumer, kernel.staging, number);
  return warp;
}

void fp8opt::writeWarpConsumers(GemmKernel &kernel) {
  writeRole(kernel, RoleKind::Consumer, groupWarps * kernel.schedule.getConsumers(), [&](Value number) {
    Warp warp = describeWarp(kernel, number);
    ResultFactors common = loadCommonFactors(kernel);
    Value first = writeFirst(kernel, RoleKind::Consumer, kernel.operands);
    writeTileLoop(kernel, first, [&](ResultTile tile, ValueRange carried) -> SmallVector<Value> {
      ResultFactors factors = loadFactors(kernel, tile.product, common);
      ValueRange results = WarpLoop{kernel, warp}.write(tile, carried.front());
      SmallVector<Value> fragments = llvm::to_vector(results.drop_front());
      multiplyByAlpha(kernel, fragments, factors);
      writeWarpStore(kernel, warp, tile, fragments);
      return {results.front()};
    });
  });
}
