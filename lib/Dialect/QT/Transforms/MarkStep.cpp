// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes on the module which step of the walk it has reached.

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_MARKSTEPPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace fp8opt::qt;

namespace {
struct MarkStep : fp8opt::qt::impl::MarkStepPassBase<MarkStep> {
  using MarkStepPassBase::MarkStepPassBase;

  void runOnOperation() override {
    QTDialect::StepAttrHelper(&getContext()).setAttr(getOperation(), StepAttr::get(&getContext(), step));
    // No analysis reads the attribute, and the ops need not be verified again for it: on a big graph that
    // takes as long as a step.
    markAllAnalysesPreserved();
  }
};
} // namespace
