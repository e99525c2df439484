// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands elementary functions into the fixed formulas of Numerics.

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Emit/ElementaryEmitter.h"
#include "fp8-opt/Numerics/Elementary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fp8opt {
#define GEN_PASS_DEF_CONVERTMATHTOREFERENCEPASS
#include "fp8-opt/Conversion/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

// Up to this exponent a power is a product of its factors; beyond, it is e^(y log x) like any other.
static constexpr int64_t kMostFactors = 64;

namespace {
using Elementary = numerics::Elementary<ElementaryEmitter>;

/// Writes one function of f32 words.
class FunctionWriter {
public:
  FunctionWriter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), emit(builder, loc), formulas(emit) {}

  /// The result of `op`, or null where there is no formula for it.
  Value write(Operation *op);

private:
  Value word(Value operand) { return emit.wordOfFloat(operand); }
  Value constant(float value) { return emit.constant(numerics::bitsOf(value)); }
  Value log1p(Value x);
  Value expm1(Value x);
  Value powerOfInteger(math::FPowIOp op);

  OpBuilder &builder;
  Location loc;
  ElementaryEmitter emit;
  Elementary formulas;
};
} // namespace

/// log(u) * x / (u - 1) with u = 1 + x: the error of u cancels.
Value FunctionWriter::log1p(Value x) {
  Value one = constant(1), u = emit.addF(one, x);
  Value corrected = emit.divF(emit.mulF(formulas.log(u), x), emit.subF(u, one));
  Value isInfinite = emit.eq(u, emit.constant(numerics::f32::kInfinity));
  return emit.select(emit.eq(u, one), x, emit.select(isInfinite, u, corrected));
}

/// (u - 1) * x / log(u) with u = e^x: the error of u cancels. Where u is 0 or infinite there is none.
Value FunctionWriter::expm1(Value x) {
  Value one = constant(1), u = formulas.exp(x), difference = emit.subF(u, one);
  Value corrected = emit.divF(emit.mulF(difference, x), formulas.log(u));
  Value isInfinite = emit.eq(u, emit.constant(numerics::f32::kInfinity));
  corrected = emit.select(emit.eq(u, emit.constant(0)), constant(-1), emit.select(isInfinite, u, corrected));
  return emit.select(emit.eq(u, one), x, corrected);
}

/// ((x * x) * x) * ..., its reciprocal for a negative exponent.
Value FunctionWriter::powerOfInteger(math::FPowIOp op) {
  Value x = word(op.getLhs());
  APInt exponent;
  if (!matchPattern(op.getRhs(), m_ConstantInt(&exponent)) || exponent.abs().ugt(kMostFactors)) {
    Value real = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), op.getRhs());
    return formulas.pow(x, word(real));
  }
  int64_t factors = exponent.abs().getSExtValue();
  if (factors == 0)
    return constant(1);
  Value product = x;
  for (int64_t i = 1; i < factors; ++i)
    product = emit.mulF(product, x);
  return exponent.isNegative() ? emit.divF(constant(1), product) : product;
}

Value FunctionWriter::write(Operation *op) {
  Value operand = op->getOperand(0);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return formulas.exp(word(operand)); })
      .Case([&](math::Exp2Op) { return formulas.pow(constant(2), word(operand)); })
      .Case([&](math::ExpM1Op) { return expm1(word(operand)); })
      .Case([&](math::LogOp) { return formulas.log(word(operand)); })
      .Case([&](math::Log1pOp) { return log1p(word(operand)); })
      .Case([&](math::Log2Op) { return emit.divF(formulas.log(word(operand)), formulas.log(constant(2))); })
      .Case([&](math::Log10Op) { return emit.divF(formulas.log(word(operand)), formulas.log(constant(10))); })
      .Case([&](math::RsqrtOp) { return formulas.rsqrt(word(operand)); })
      .Case([&](math::TanhOp) { return formulas.tanh(word(operand)); })
      .Case([&](math::ErfOp) { return formulas.erf(word(operand)); })
      .Case([&](math::SinOp) { return formulas.sin(word(operand)); })
      .Case([&](math::CosOp) { return formulas.cos(word(operand)); })
      .Case([&](math::TanOp) { return emit.divF(formulas.sin(word(operand)), formulas.cos(word(operand))); })
      .Case([&](math::PowFOp power) { return formulas.pow(word(operand), word(power.getRhs())); })
      .Case([&](math::FPowIOp power) { return powerOfInteger(power); })
      .Default([](Operation *) { return Value(); });
}

/// Ops that are exact, or that IEEE 754 defines to the last bit: every machine's result is the same.
static bool isExact(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::ClampFOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp, math::FmaOp,
             math::IPowIOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp,
             math::RoundEvenOp, math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

static LogicalResult convert(Operation *op, bool keepsOthers) {
  Type type = op->getResult(0).getType();
  const bool hasFormulas = type.isF32() || type.isBF16() || type.isF16();
  if (isExact(op) || (keepsOthers && !hasFormulas))
    return success();
  if (!hasFormulas)
    return op->emitOpError(
               "expected a scalar of f32, bf16 or f16, for which there are reference formulas, got ")
           << type;
  OpBuilder builder(op);
  FunctionWriter writer(builder, op->getLoc());
  Value word = writer.write(op);
  if (!word && keepsOthers)
    return success();
  if (!word)
    return op->emitOpError("expected a function that has a reference formula, got one without");
  ArithEmitter emit(builder, op->getLoc());
  op->getResult(0).replaceAllUsesWith(emit.floatOfWord(word, type));
  op->erase();
  return success();
}

namespace {
struct ConvertMathToReference : fp8opt::impl::ConvertMathToReferencePassBase<ConvertMathToReference> {
  using ConvertMathToReferencePassBase::ConvertMathToReferencePassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(convert(op, keepOthers)))
        return signalPassFailure();
  }
};
} // namespace
