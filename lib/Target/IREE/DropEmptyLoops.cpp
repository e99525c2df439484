// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces ops whose loops have no step by what they start from.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEDROPEMPTYLOOPSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

namespace {
struct IREEDropEmptyLoops : fp8opt::impl::IREEDropEmptyLoopsPassBase<IREEDropEmptyLoops> {
  void runOnOperation() override {
    getOperation().walk([](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics() || !llvm::is_contained(op.getStaticLoopRanges(), 0))
        return;
      op->replaceAllUsesWith(op.getDpsInits());
      op->erase();
    });
  }
};
} // namespace
