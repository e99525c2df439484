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

  double products() const { return rows * columns * contractionBytes / rates.getProducts(); }

  /// Products of a warpgroup read the left operand once and the right one for each wave of rows; a warp that
  /// multiplies alone its rows and columns.
  double readRows() const {
    if (!isScaledByInstruction(gemm))
      return rows + columns * rows / waveRows;
    WarpGrid grid = getWarpGrid(schedule);
    return grid.down * grid.across * (grid.rows + warpColumns);
  }

  /// Copies write both operands once.
  double shared() const {
    double filled = rows + columns, read = readRows();
    return (filled + read) * contractionBytes / rates.getShared();
  }

  double cache() const {
    double bytesOfProcessor = static_cast<double>(rates.getCache()) / limits.getProcessors();
    return (rows + columns) * contractionBytes / bytesOfProcessor;
  }

  /// Promotions: one operation an element, two where columns have scales.
  double issue() const {
    if (!isPromoted(gemm))
      return 0;
    return rows * columns * (hasColumnScales(gemm) ? 2 : 1) / rates.getIssue();
  }

  double clocks() const {
    double consumers = schedule.getConsumers();
    // A consumer does not multiply while it promotes.
    double ofConsumer = isPromoted(gemm) ? (products() + issue()) / consumers + rates.getHandover() : 0;
    return std::max({products(), shared(), cache(), issue(), ofConsumer}) + rates.getStage();
  }
};
} // namespace

double fp8opt::gemmClocks(GemmOp gemm, ScheduleAttr schedule, TargetOp target) {
  RatesAttr rates = *target.getRates();
  double stage = StageCost{gemm, schedule, target.getLimits(), rates}.clocks();
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  std::optional<ArrayRef<int64_t>> likely = gemm.getLikely();
  if (!likely) {
    // Of a contraction long enough for the tile's own clocks to be few.
    constexpr double stages = 64;
    return (stages * stage + rates.getTile()) / (rows * columns);
  }
  int64_t bytes = (*likely)[2] * gemm.getLhs().getType().getElementType().getIntOrFloatBitWidth() / 8;
  int64_t stages = llvm::divideCeil(bytes, contractionBytes);
  int64_t tiles = llvm::divideCeil((*likely)[0], rows) * llvm::divideCeil((*likely)[1], columns);
  // Processors that have no tile in the last round wait for the others.
  int64_t rounds = llvm::divideCeil(tiles, target.getLimits().getProcessors());
  return rounds * (stages * stage + rates.getTile());
}
