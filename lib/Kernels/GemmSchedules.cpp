// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which schedules of a matrix product its target's tables have, and the choice among them.

#include "fp8-opt/Kernels/Gemm.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// The row with so many columns and as many stages as there is room for; null where the target cannot run it,
/// and then `reason` says why.
static ScheduleAttr fitSchedule(GemmOp gemm, TargetOp target, ScheduleAttr row, int64_t columns,
                                int64_t fewestStages, std::string &reason) {
  auto refuse = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  for (int64_t stages = row.getStages(); stages >= fewestStages; --stages) {
    auto schedule = ScheduleAttr::get(row.getContext(), {row.getTile()[0], columns}, row.getConsumers(),
                                      stages, row.getRegisters(), row.getGroup(), row.getInFlight(),
                                      row.getTurns(), row.getStore(), row.getScales(), row.getOrder());
    if (succeeded(verifyGemmSchedule(gemm, schedule, target, refuse)))
      return schedule;
  }
  return {};
}

/// Visits the schedules of the target's tables that it can run the product under, in their order, as long as
/// it is told to. `reason` is why it cannot run it under the last one that it refused.
static void visitSchedules(GemmOp gemm, TargetOp target, std::string &reason,
                           function_ref<WalkResult(ScheduleAttr)> visit) {
  reason = "no table is for these scalings";
  for (auto table : target.getBody().getOps<SchedulesOp>()) {
    if (table.getLhs() != gemm.getLhsScaling() || table.getRhs() != gemm.getRhsScaling() ||
        table.getPromoted() != gemm.getPromoted() || table.getRowMajor() != static_cast<bool>(gemm.getMaps()))
      continue;
    for (auto row : table.getRows().getAsRange<ScheduleAttr>()) {
      int64_t widest = row.getTile()[1], narrowest = table.getColumns().value_or(widest);
      for (int64_t columns = widest; columns >= narrowest; columns -= table.getStep().value_or(1))
        if (ScheduleAttr schedule = fitSchedule(gemm, target, row, columns, table.getStages(), reason))
          if (visit(schedule).wasInterrupted())
            return;
    }
  }
}

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult refuse(GemmOp gemm, TargetOp target, StringRef reason, EmitError emitError) {
  return emitError() << "expected a schedule that target " << target.getSymNameAttr()
                     << " can run, got none for " << gemm.getLhs().getType().getElementType() << " as "
                     << stringifyScaling(gemm.getLhsScaling()) << " and "
                     << gemm.getRhs().getType().getElementType() << " as "
                     << stringifyScaling(gemm.getRhsScaling()) << " into "
                     << gemm.getInto().getType().getElementType() << ": " << reason;
}

static LogicalResult verifyRates(TargetOp target, EmitError emitError) {
  if (!target.getRates())
    return emitError() << "expected rates, which schedules are compared by, got none";
  return success();
}

LogicalResult fp8opt::verifyGemmKernel(GemmOp gemm, TargetOp target, EmitError emitError) {
  if (failed(verifyRates(target, emitError)))
    return failure();
  bool exists = false;
  std::string reason;
  visitSchedules(gemm, target, reason, [&](ScheduleAttr) {
    exists = true;
    return WalkResult::interrupt();
  });
  return exists ? success() : refuse(gemm, target, reason, emitError);
}

FailureOr<SmallVector<ScheduleAttr>> fp8opt::rankGemmSchedules(GemmOp gemm, TargetOp target) {
  if (failed(verifyRates(target, [&] { return target.emitOpError(); })))
    return failure();
  SmallVector<ScheduleAttr> schedules;
  auto isKnown = [&](ScheduleAttr schedule) {
    return llvm::any_of(schedules, [&](ScheduleAttr other) {
      return other.getTile() == schedule.getTile() && other.getConsumers() == schedule.getConsumers() &&
             other.getOrder() == schedule.getOrder();
    });
  };
  std::string reason;
  visitSchedules(gemm, target, reason, [&](ScheduleAttr schedule) {
    if (!isKnown(schedule))
      schedules.push_back(schedule);
    return WalkResult::advance();
  });
  if (schedules.empty())
    return refuse(gemm, target, reason, [&] { return gemm.emitOpError(); });
  // By clocks, then by the order of enumeration.
  SmallVector<std::pair<double, size_t>> ranked;
  for (auto [number, schedule] : llvm::enumerate(schedules))
    ranked.emplace_back(gemmClocks(gemm, schedule, target), number);
  llvm::sort(ranked);
  return llvm::map_to_vector(ranked, [&](const auto &pair) { return schedules[pair.second]; });
}
