// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many clocks a matrix product takes, counted. The rank of schedules is what this is for.

#include "fp8-opt/Kernels/Gemm.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// One stage of one tile: 128 bytes of the contraction.
struct StageCost {
  GemmOp gemm;
  ScheduleAttr schedule;
  LimitsAttr limits;
  RatesAttr rates;
  double rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  /// Of the right operand, those that are copied and read: where they lie next to each other, whole panels.
  double copied = gemm.getRhsLayout() == OperandLayout::Transposed
                      ? static_cast<double>(llvm::alignTo(schedule.getTile()[1],
                                                          getContractionOfStage(gemm.getRhs().getType())))
                      : columns;

  double products() const { return rows * columns * panelBytes / rates.getProducts(); }

  /// Products of a warpgroup read the left operand once and the right one for each wave of rows; a warp that
  /// multiplies alone its rows and columns.
  double readRows() const {
    if (!isScaledByInstruction(gemm))
      return rows + copied * rows / waveRows;
    WarpGrid grid = getWarpGrid(schedule);
    return grid.down * grid.across * (grid.rows + warpColumns);
  }

  /// Copies write both operands once.
  double shared() const {
    double filled = rows + copied, read = readRows();
    return (filled + read) * panelBytes / rates.getShared();
  }

  double cache() const {
    double bytesOfProcessor = static_cast<double>(rates.getCache()) / limits.getProcessors();
    return (rows + copied) * panelBytes / bytesOfProcessor;
  }

  /// Promotions: one operation an element, two where columns have scales.
  double issue() const {
    if (!isPromoted(gemm))
      return 0;
    return rows * columns * (hasColumnScales(gemm) ? 2 : 1) / rates.getIssue();
  }

  /// Where consumers have tiles in turn. 128x128 was measured to keep the matrix unit busy with 64 bytes a
  /// clock coming in beside the 96 that are read; what is copied costs power, which is clocks in the end.
  double clocksInTurn() const {
    constexpr double copiedInClock = 60, bytesOfClock = 850;
    double bytes = (rows + copied) * panelBytes;
    return std::max(products() + bytes / bytesOfClock, bytes / copiedInClock) + rates.getStage();
  }

  double clocks() const {
    double consumers = schedule.getConsumers();
    // A consumer does not multiply while it promotes.
    double ofConsumer = isPromoted(gemm) ? (products() + issue()) / consumers + rates.getHandover() : 0;
    return std::max({products(), shared(), cache(), issue(), ofConsumer}) + rates.getStage();
  }
};
} // namespace

namespace {
/// Stages of a tile, and tiles, of the likely sizes.
struct TileCounts {
  int64_t stages, tiles;
};
} // namespace

/// Groups are taken to be alike.
static TileCounts countTiles(GemmOp gemm, ScheduleAttr schedule, ArrayRef<int64_t> likely) {
  std::optional<Grouping> grouping = gemm.getGrouping();
  int64_t groups = grouping ? likely[3] : 1;
  int64_t rows = grouping == Grouping::Rows ? llvm::divideCeil(likely[0], groups) : likely[0];
  int64_t elements = grouping == Grouping::Contraction ? llvm::divideCeil(likely[2], groups) : likely[2];
  int64_t bytes = elements * gemm.getLhs().getType().getElementType().getIntOrFloatBitWidth() / 8;
  int64_t ofProduct =
      llvm::divideCeil(rows, schedule.getTile()[0]) * llvm::divideCeil(likely[1], schedule.getTile()[1]);
  return {static_cast<int64_t>(llvm::divideCeil(bytes, panelBytes)), groups * ofProduct};
}

/// In turn, the clocks that a tile takes itself pass while the other consumer multiplies, but for the last
/// one.
static double clocksOfRounds(const StageCost &stage, double rounds, double stages) {
  RatesAttr rates = stage.rates;
  if (stage.schedule.isPingpong() && rounds > 1)
    return rounds * (stages * stage.clocksInTurn() + rates.getHandover()) + rates.getTile();
  return rounds * (stages * stage.clocks() + rates.getTile());
}

double fp8opt::gemmClocks(GemmOp gemm, ScheduleAttr schedule, TargetOp target) {
  RatesAttr rates = *target.getRates();
  StageCost stage{gemm, schedule, target.getLimits(), rates};
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  std::optional<ArrayRef<int64_t>> likely = gemm.getLikely();
  if (!likely) {
    // Of a contraction long enough for the tile's own clocks to be few.
    constexpr double stages = 64, rounds = 16;
    return clocksOfRounds(stage, rounds, stages) / (rounds * rows * columns);
  }
  auto [stages, tiles] = countTiles(gemm, schedule, *likely);
  // Processors that have no tile in the last round wait for the others.
  int64_t rounds = llvm::divideCeil(tiles, target.getLimits().getProcessors());
  return clocksOfRounds(stage, rounds, stages);
}
