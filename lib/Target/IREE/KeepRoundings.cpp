// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes bf16 arithmetic so that no rounding can be folded away.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEKEEPROUNDINGSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

static bool isBF16(Value value) { return value.getType().isBF16(); }

/// The same number as f32, through its bits. An extf would be folded with a truncf before it, and IREE makes
/// an extf of the plain way to write it, which widens with zeros; the sign bits that are shifted out say the
/// same.
static Value extend(OpBuilder &builder, Location loc, Value value) {
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI16Type(), value);
  Value wide = arith::ExtSIOp::create(builder, loc, builder.getI32Type(), bits);
  Value half = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(16));
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(),
                                  arith::ShLIOp::create(builder, loc, wide, half));
}

/// The operation on f32, rounded.
static void computeWide(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isBF16(operand))
      mapping.map(operand, extend(builder, loc, operand));
  Operation *wide = builder.clone(*op, mapping);
  for (auto [narrow, result] : llvm::zip_equal(op->getResults(), wide->getResults())) {
    Value replacement = result;
    if (isBF16(result)) {
      result.setType(builder.getF32Type());
      replacement = arith::TruncFOp::create(builder, loc, builder.getBF16Type(), result);
    }
    narrow.replaceAllUsesWith(replacement);
  }
  op->erase();
}

static void extendThroughBits(arith::ExtFOp op) {
  OpBuilder builder(op);
  Value f32 = extend(builder, op.getLoc(), op.getIn());
  op.replaceAllUsesWith(
      op.getType().isF32() ? f32 : Value(arith::ExtFOp::create(builder, op.getLoc(), op.getType(), f32)));
  op.erase();
}

/// Whether the op is text of a scalar computation that this pass writes anew.
static bool isOurs(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp, arith::TruncFOp>(op))
    return false;
  if (!llvm::any_of(op->getOperands(), isBF16) && !llvm::any_of(op->getResults(), isBF16))
    return false;
  auto structured = dyn_cast<linalg::LinalgOp>(op->getParentOp());
  // What a contraction reads comes from memory, and engines know contractions by their bodies.
  return !structured ||
         (isa<linalg::GenericOp>(structured) && !linalg::isaContractionOpInterface(structured));
}

namespace {
struct KeepRoundings : fp8opt::impl::IREEKeepRoundingsPassBase<KeepRoundings> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isOurs(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto extension = dyn_cast<arith::ExtFOp>(op); extension && isBF16(extension.getIn()))
        extendThroughBits(extension);
      else
        computeWide(op);
    }
  }
};
} // namespace
