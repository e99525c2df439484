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

static LogicalResult chooseSchedule(KernelOp kernel) {
  for (auto gemm : kernel.getBody().getOps<GemmOp>()) {
    FailureOr<ScheduleAttr> schedule = chooseGemmSchedule(gemm, kernel.getTargetOp());
    if (failed(schedule))
      return failure();
    kernel.setScheduleAttr(*schedule);
  }
  return success();
}

namespace {
struct ChooseSchedulePass : qtile::impl::ChooseSchedulePassBase<ChooseSchedulePass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      if (!kernel.getSchedule() && failed(chooseSchedule(kernel)))
        return signalPassFailure();
  }
};
} // namespace
