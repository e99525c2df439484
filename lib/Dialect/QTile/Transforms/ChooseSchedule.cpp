// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each kernel a schedule.

#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Kernels/Gemm.h"

#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_CHOOSESCHEDULEPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// A kernel for each of the schedules, called as the first one and numbered, in place of it.
static void copyForSchedules(KernelOp kernel, ArrayRef<ScheduleAttr> schedules) {
  OpBuilder builder(kernel);
  for (auto [number, schedule] : llvm::enumerate(schedules)) {
    auto copy = cast<KernelOp>(builder.clone(*kernel));
    copy.setSymName((kernel.getSymName() + "_" + Twine(number)).str());
    copy.setScheduleAttr(schedule);
  }
  kernel.erase();
}

static LogicalResult chooseSchedule(KernelOp kernel, unsigned copies) {
  auto gemms = kernel.getBody().getOps<GemmOp>();
  if (gemms.empty())
    return success();
  TargetOp target = kernel.getTargetOp();
  if (!target)
    return kernel.emitOpError() << "expected " << kernel.getTargetAttr()
                                << " to name a qtile.target of the module; run qtile-load-target first";
  FailureOr<SmallVector<ScheduleAttr>> schedules = rankGemmSchedules(*gemms.begin(), target);
  if (failed(schedules))
    return failure();
  if (copies)
    copyForSchedules(kernel, ArrayRef(*schedules).take_front(copies));
  else
    kernel.setScheduleAttr(schedules->front());
  return success();
}

namespace {
struct ChooseSchedulePass : qtile::impl::ChooseSchedulePassBase<ChooseSchedulePass> {
  using ChooseSchedulePassBase::ChooseSchedulePassBase;

  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (!kernel.getSchedule() && failed(chooseSchedule(kernel, copies)))
        return signalPassFailure();
  }
};
} // namespace
