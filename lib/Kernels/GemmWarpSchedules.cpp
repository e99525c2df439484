// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules of matrix products whose warps multiply alone, and what they cost. Nothing of this was measured
// here: the tiles are those that fit, and the clocks are others' published fit, of which the rank is used.

#include "GemmWarpSchedules.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Two stages are enough where a stage takes as long as its loads; more have no use.
constexpr int64_t fewestStages = 2, mostStages = 6;
/// Rows of tiles that are walked together.
constexpr int64_t groupOfTiles = 8;
/// Of a stage beside its products, of a tile beside its stages.
constexpr double clocksOfStage = 120, clocksOfTile = 2000;

namespace {
struct BlockShape {
  int64_t consumers, rows, columns;
  int64_t registers[2];
};
} // namespace

/// Two warps for each part of a processor hide each other's waits. Registers are what threads have without
/// handing any over: ptxas ignores that where warps multiply. Smaller tiles are for fewer rows or columns.
static constexpr BlockShape blockShapes[] = {
    {2, 128, 128, {168, 168}}, {1, 128, 128, {248, 248}}, {1, 64, 128, {248, 248}}, {1, 128, 64, {248, 248}}};

/// The schedule with as many stages as there is room for; null where the target cannot run it.
static ScheduleAttr fitSchedule(GemmOp gemm, TargetOp target, const BlockShape &shape) {
  auto silent = [](const Twine &) { return failure(); };
  for (int64_t stages = mostStages; stages >= fewestStages; --stages) {
    auto schedule = ScheduleAttr::get(gemm.getContext(), {shape.rows, shape.columns}, shape.consumers, stages,
                                      ArrayRef(shape.registers), groupOfTiles, /*inFlight=*/0, /*turns=*/0,
                                      Store::Consumers, ScaleCopy::Load, /*cluster=*/1, /*unroll=*/1);
    if (succeeded(verifyGemmSchedule(gemm, schedule, target, silent)))
      return schedule;
  }
  return {};
}

SmallVector<ScheduleAttr> fp8opt::warpGemmSchedules(GemmOp gemm, TargetOp target) {
  SmallVector<ScheduleAttr> schedules;
  for (const BlockShape &shape : blockShapes)
    if (ScheduleAttr schedule = fitSchedule(gemm, target, shape))
      schedules.push_back(schedule);
  return schedules;
}

double fp8opt::warpStageClocks(ScheduleAttr schedule, TargetOp target) {
  RatesAttr rates = *target.getRates();
  LimitsAttr limits = target.getLimits();
  double rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  WarpGrid grid = getWarpGrid(schedule);
  // Each warp reads its rows and columns, the copies write all of them once.
  double read = grid.down * grid.across * (grid.rows + warpColumns);
  double products = rows * columns * contractionBytes / rates.getProducts();
  double shared = (rows + columns + read) * contractionBytes / rates.getShared();
  double cache = (rows + columns) * contractionBytes * limits.getProcessors() / rates.getCache();
  return std::max({products, shared, cache}) + clocksOfStage;
}

double fp8opt::warpTileClocks() { return clocksOfTile; }
