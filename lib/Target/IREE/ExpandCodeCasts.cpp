// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of floats of at most eight bits as integer arithmetic.

#include "fp8-opt/Emit/CodeCasts.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEEXPANDCODECASTSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

/// A wider or narrower float.
static Value castBetween(OpBuilder &builder, Location loc, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

namespace {
struct IREEExpandCodeCasts : fp8opt::impl::IREEExpandCodeCastsPassBase<IREEExpandCodeCasts> {
  void runOnOperation() override {
    SmallVector<Operation *> casts;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          (fp8opt::isCodeFloat(op->getOperand(0).getType()) ||
           fp8opt::isCodeFloat(op->getResult(0).getType())) &&
          !op->getOperand(0).getType().isF64())
        casts.push_back(op);
    });
    for (Operation *op : casts) {
      OpBuilder builder(op);
      Location loc = op->getLoc();
      Value value = op->getOperand(0);
      Type type = op->getResult(0).getType();
      value = fp8opt::isCodeFloat(value.getType()) ? fp8opt::emitDecode(builder, loc, value)
                                                   : castBetween(builder, loc, value, builder.getF32Type());
      value = fp8opt::isCodeFloat(type) ? fp8opt::emitEncode(builder, loc, value, type)
                                        : castBetween(builder, loc, value, type);
      op->replaceAllUsesWith(ValueRange(value));
      op->erase();
    }
  }
};
} // namespace
