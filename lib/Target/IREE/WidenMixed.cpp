// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the operands of a contraction one type of 16 or 32 bits.

#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEWIDENMIXEDPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

/// The type that holds the numbers of both and that IREE multiplies; null where it takes them as they are.
static Type commonType(Type a, Type b) {
  if (!isa<FloatType>(a) || !isa<FloatType>(b))
    return {};
  unsigned widthOfA = a.getIntOrFloatBitWidth(), widthOfB = b.getIntOrFloatBitWidth();
  bool isSmall = widthOfA <= 8 || widthOfB <= 8;
  if (widthOfA > 16 || widthOfB > 16 || (a == b && !isSmall))
    return isSmall ? (widthOfA > widthOfB ? a : b) : Type();
  // bf16 holds every number of eight bits, f16 does not.
  for (auto [small, other] : {std::pair(a, b), std::pair(b, a)})
    if (small.getIntOrFloatBitWidth() <= 8 && (other.isBF16() || other.getIntOrFloatBitWidth() <= 8))
      return BFloat16Type::get(a.getContext());
  return Float32Type::get(a.getContext());
}

namespace {
struct IREEWidenMixed : fp8opt::impl::IREEWidenMixedPassBase<IREEWidenMixed> {
  void runOnOperation() override {
    SmallVector<linalg::ContractOp> ops;
    getOperation().walk([&](linalg::ContractOp op) { ops.push_back(op); });
    for (linalg::ContractOp op : ops) {
      Type type =
          commonType(getElementTypeOrSelf(op.getInputs()[0]), getElementTypeOrSelf(op.getInputs()[1]));
      if (!type || !op.hasPureTensorSemantics())
        continue;
      OpBuilder builder(op);
      SmallVector<Value> inputs(op.getInputs());
      for (Value &input : inputs)
        if (getElementTypeOrSelf(input) != type)
          input = fp8opt::emitElementwise(builder, op.getLoc(), input, type,
                                          [&](OpBuilder &inner, Location at, ValueRange values) -> Value {
                                            return arith::ExtFOp::create(inner, at, type, values[0]);
                                          });
      auto wide = linalg::ContractOp::create(builder, op.getLoc(), op->getResultTypes(), inputs,
                                             ValueRange(op.getOutputs()), op.getIndexingMaps());
      op->replaceAllUsesWith(wide);
      op->erase();
    }
  }
};
} // namespace
