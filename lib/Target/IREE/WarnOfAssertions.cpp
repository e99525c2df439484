// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says which assertions of a graph IREE does not check.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEWARNOFASSERTIONSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

static void warn(func::FuncOp function) {
  SmallVector<cf::AssertOp> unchecked;
  function.walk([&](cf::AssertOp assertion) {
    if (assertion->getParentOfType<linalg::LinalgOp>())
      unchecked.push_back(assertion);
  });
  if (!unchecked.empty())
    unchecked.front().emitWarning() << "not checked by IREE, as it stands in the body of an op: \""
                                    << unchecked.front().getMsg() << "\", the first of " << unchecked.size()
                                    << " such assertions of '" << function.getName() << "'";
}

namespace {
struct WarnOfAssertions : fp8opt::impl::IREEWarnOfAssertionsPassBase<WarnOfAssertions> {
  using IREEWarnOfAssertionsPassBase::IREEWarnOfAssertionsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      warn(function);
  }
};
} // namespace
