// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the threads of quantizers.

#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Kernels/Quantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_EXPANDQUANTIZEPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// The one op of a kernel that says what it computes, if a quantizer does.
static LogicalResult expand(KernelOp kernel, unsigned &count) {
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front())) {
    if (!isa<QuantizeOp, AmaxOp, RequantizeOp, DequantizeOp>(op))
      continue;
    if (kernel.isOfThreads())
      return op.emitOpError() << "expected one quantizer in a kernel, got a second";
    LogicalResult expanded = TypeSwitch<Operation *, LogicalResult>(&op)
                                 .Case([](QuantizeOp op) { return expandQuantize(op); })
                                 .Case([](AmaxOp op) { return expandAmax(op); })
                                 .Case([](RequantizeOp op) { return expandRequantize(op); })
                                 .Case([](DequantizeOp op) { return expandDequantize(op); });
    if (failed(expanded))
      return failure();
    ++count;
  }
  return success();
}

namespace {
struct ExpandQuantizePass : qtile::impl::ExpandQuantizePassBase<ExpandQuantizePass> {
  void runOnOperation() override {
    unsigned count = 0;
    for (auto kernel : getOperation().getOps<KernelOp>())
      if (failed(expand(kernel, count)))
        return signalPassFailure();
    numExpanded += count;
  }
};
} // namespace
