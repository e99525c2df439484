// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which schedules of a matrix product are worth comparing, and the choice among them.
//
// What counting can tell apart is enumerated: tile, consumers, stages. What only measuring can is set by the
// kind of product: the storers, the warp for scales, turns, products in flight, the size of groups.

#include "GemmWarpSchedules.h"
#include "fp8-opt/Kernels/Gemm.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Fewer stages leave loads no time; more have no use. Row-major operands of few rows had use for 16.
constexpr int64_t fewestStages = 3, mostStages = 8, mostRowMajorStages = 16;
/// Columns that one store of a fragment to shared memory takes.
constexpr int64_t columnStep = 16, mostColumns = 256;

namespace {
/// A shape of the block, and what registers a thread may have: of the producer, of a consumer.
struct BlockShape {
  int64_t consumers, waves;
  int64_t registers[2];
};
} // namespace

/// Three consumers were slower than two on every shape measured. The first registers that suffice are taken:
/// a producer's thread that stores has use for 40.
static constexpr BlockShape blockShapes[] = {
    {1, 1, {40, 248}}, {2, 1, {40, 232}}, {2, 1, {24, 240}}, {2, 2, {40, 232}}, {2, 2, {24, 240}}};

/// The schedule with as many stages as there is room for; null where the target cannot run it.
static ScheduleAttr fitSchedule(GemmOp gemm, TargetOp target, const BlockShape &shape, int64_t columns) {
  // Column scales keep a consumer promoting for half the time of its products: two that alternate strictly
  // hide that. With row scales alone turns cost more than they gave.
  constexpr int64_t turnsOfColumnScales = 3;
  bool promoted = isPromoted(gemm);
  // Rows of tiles that are walked together: 4 to 16 are within 1 %, in this order.
  int64_t group = promoted ? 8 : 16;
  int64_t turns = hasColumnScales(gemm) && shape.consumers == 2 ? turnsOfColumnScales : 0;
  // A warp of its own copies scales 3 % faster where both operands have some, and 2 % slower where one has.
  auto scales = hasColumnScales(gemm) || isScaledByRow(gemm) ? ScaleCopy::Warp : ScaleCopy::Load;
  auto silent = [](const Twine &) { return failure(); };
  int64_t most = gemm.isInPanels() ? mostStages : mostRowMajorStages;
  for (int64_t stages = most; stages >= fewestStages; --stages) {
    auto schedule = ScheduleAttr::get(gemm.getContext(), {waveRows * shape.consumers * shape.waves, columns},
                                      shape.consumers, stages, ArrayRef(shape.registers), group,
                                      /*inFlight=*/promoted ? 0 : 1, turns, Store::Storers, scales,
                                      /*cluster=*/1, /*unroll=*/1);
    if (succeeded(verifyGemmSchedule(gemm, schedule, target, silent)))
      return schedule;
  }
  return {};
}

SmallVector<ScheduleAttr> fp8opt::gemmSchedules(GemmOp gemm, TargetOp target) {
  if (isScaledByInstruction(gemm))
    return warpGemmSchedules(gemm, target);
  SmallVector<ScheduleAttr> schedules;
  auto isKnown = [&](ScheduleAttr schedule) {
    return llvm::any_of(schedules, [&](ScheduleAttr other) {
      return other.getTile() == schedule.getTile() && other.getConsumers() == schedule.getConsumers();
    });
  };
  for (const BlockShape &shape : blockShapes)
    for (int64_t columns = mostColumns; columns >= 2 * columnStep; columns -= columnStep)
      if (ScheduleAttr schedule = fitSchedule(gemm, target, shape, columns))
        if (!isKnown(schedule))
          schedules.push_back(schedule);
  return schedules;
}

FailureOr<SmallVector<ScheduleAttr>> fp8opt::rankGemmSchedules(GemmOp gemm, TargetOp target) {
  if (!target.getRates())
    return target.emitOpError() << "expected rates, which schedules are compared by, got none";
  SmallVector<ScheduleAttr> schedules = gemmSchedules(gemm, target);
  // By clocks, then by the order of enumeration.
  SmallVector<std::pair<double, size_t>> ranked;
  for (auto [number, schedule] : llvm::enumerate(schedules))
    ranked.emplace_back(gemmClocks(gemm, schedule, target), number);
  if (ranked.empty())
    return gemm.emitOpError() << "expected a schedule that target " << target.getSymNameAttr()
                              << " can run, got none for " << gemm.getLhs().getType().getElementType()
                              << " and " << gemm.getRhs().getType().getElementType() << " into "
                              << gemm.getInto().getType().getElementType();
  llvm::sort(ranked);
  return llvm::map_to_vector(ranked, [&](const auto &pair) { return schedules[pair.second]; });
}
