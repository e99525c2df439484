// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of floats narrower than f32 as f32 arithmetic and integer conversions, the same on every
// machine.

#include "Lowering.h"

#include "fp8-opt/Emit/CodeCasts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

// Hardware conversions flush subnormals (bf16 of AVX-512) or are calls (where there are none), so neither is
// used. f32 has more than twice the significand bits of both formats, so rounding an f32 sum, product,
// quotient or root once more gives the correctly rounded one.

static bool isSmallFloat(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 16; }

namespace {
/// Integer arithmetic on 32-bit words.
struct Words {
  OpBuilder &builder;
  Location loc;

  Type word() { return builder.getI32Type(); }
  Value constant(uint32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value bitAnd(Value a, uint32_t b) { return arith::AndIOp::create(builder, loc, a, constant(b)); }
  Value bitOr(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value left(Value a, unsigned by) { return arith::ShLIOp::create(builder, loc, a, constant(by)); }
  Value right(Value a, unsigned by) { return arith::ShRUIOp::create(builder, loc, a, constant(by)); }
  Value right(Value a, Value by) { return arith::ShRUIOp::create(builder, loc, a, by); }
  Value less(Value a, uint32_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, constant(b));
  }
  Value greater(Value a, uint32_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, a, constant(b));
  }
  Value select(Value c, Value a, Value b) { return arith::SelectOp::create(builder, loc, c, a, b); }
  Value ofFloat(Value value) { return arith::BitcastOp::create(builder, loc, word(), value); }
  Value asFloat(Value bits) { return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits); }
  Value ofSmall(Value value) {
    Value bits = arith::BitcastOp::create(builder, loc, builder.getI16Type(), value);
    return arith::ExtUIOp::create(builder, loc, word(), bits);
  }
  Value asSmall(Value bits, Type type) {
    Value narrow = arith::TruncIOp::create(builder, loc, builder.getI16Type(), bits);
    return arith::BitcastOp::create(builder, loc, type, narrow);
  }
};
} // namespace

static Value extendBF16(Words w, Value value) { return w.asFloat(w.left(w.ofSmall(value), 16)); }

static Value truncateBF16(Words w, Value value) {
  Value bits = w.ofFloat(value);
  // Half of the last place less one, and one more if the kept part is odd: ties go to even.
  Value rounded = w.add(bits, w.add(w.bitAnd(w.right(bits, 16), 1), w.constant(0x7fff)));
  Value isNan = w.greater(w.bitAnd(bits, 0x7fffffff), 0x7f800000);
  // The carry could turn a NaN into an infinity; its quiet bit is set, sign and upper payload stay.
  Value nan = w.bitOr(bits, w.constant(0x00400000));
  return w.asSmall(w.right(w.select(isNan, nan, rounded), 16), w.builder.getBF16Type());
}

static Value extendF16(Words w, Value value) {
  Value bits = w.ofSmall(value);
  Value sign = w.left(w.bitAnd(bits, 0x8000), 16);
  Value magnitude = w.bitAnd(bits, 0x7fff);
  Value shifted = w.left(magnitude, 13);
  Value normal = w.add(shifted, w.constant(112u << 23));
  Value special = w.bitOr(shifted, w.constant(0xffu << 23));
  // A subnormal is its mantissa times 2^-24, which is exact.
  Value count = arith::UIToFPOp::create(w.builder, w.loc, w.builder.getF32Type(), magnitude);
  Value unit = arith::ConstantOp::create(w.builder, w.loc, w.builder.getF32FloatAttr(0x1p-24f));
  Value subnormal = w.ofFloat(arith::MulFOp::create(w.builder, w.loc, count, unit));
  Value finite = w.select(w.less(magnitude, 0x0400), subnormal, normal);
  return w.asFloat(w.bitOr(sign, w.select(w.less(magnitude, 0x7c00), finite, special)));
}

static Value truncateF16(Words w, Value value) {
  Value bits = w.ofFloat(value);
  Value sign = w.bitAnd(w.right(bits, 16), 0x8000);
  Value magnitude = w.bitAnd(bits, 0x7fffffff);
  Value odd = w.bitAnd(w.right(magnitude, 13), 1);
  Value rebiased = w.subtract(magnitude, w.constant(112u << 23));
  // A carry out of the largest finite value gives the infinity, as it should.
  Value normal = w.right(w.add(rebiased, w.add(odd, w.constant(0xfff))), 13);
  // Adding 0.5 leaves exactly the subnormal's bits in the last places of the sum, rounded to even by the
  // addition.
  Value half = arith::ConstantOp::create(w.builder, w.loc, w.builder.getF32FloatAttr(0.5f));
  Value sum = arith::AddFOp::create(w.builder, w.loc, w.asFloat(magnitude), half);
  Value subnormal = w.bitAnd(w.ofFloat(sum), 0xffff);
  Value finite = w.select(w.less(magnitude, 113u << 23), subnormal, normal);
  Value bounded = w.select(w.less(magnitude, 0x47800000), finite, w.constant(0x7c00));
  Value nan = w.bitOr(w.constant(0x7e00), w.bitAnd(w.right(magnitude, 13), 0x03ff));
  Value result = w.select(w.greater(magnitude, 0x7f800000), nan, bounded);
  return w.asSmall(w.bitOr(sign, result), w.builder.getF16Type());
}

/// f64 to f32 so that a second rounding gives what one would: an inexact result gets an odd last bit.
static Value truncateToOdd(Words w, Value value) {
  Value nearest = arith::TruncFOp::create(w.builder, w.loc, w.builder.getF32Type(), value);
  Value back = arith::ExtFOp::create(w.builder, w.loc, value.getType(), nearest);
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(w.builder, w.loc, predicate, a, b);
  };
  Value exactSize = math::AbsFOp::create(w.builder, w.loc, value);
  Value size = math::AbsFOp::create(w.builder, w.loc, back);
  Value bits = w.ofFloat(nearest);
  Value tooLarge = compare(arith::CmpFPredicate::OGT, size, exactSize);
  Value towardZero = w.select(tooLarge, w.subtract(bits, w.constant(1)), bits);
  Value inexact = compare(arith::CmpFPredicate::ONE, back, value);
  return w.asFloat(w.select(inexact, w.bitOr(towardZero, w.constant(1)), bits));
}

static Value extend(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  Words w = {builder, loc};
  if (type.isBF16() || type.isF16())
    return type.isBF16() ? extendBF16(w, value) : extendF16(w, value);
  return emitDecode(builder, loc, value);
}

static Value truncate(OpBuilder &builder, Location loc, Value value, Type type) {
  Words w = {builder, loc};
  if (value.getType().isF64())
    value = truncateToOdd(w, value);
  if (type.isBF16() || type.isF16())
    return type.isBF16() ? truncateBF16(w, value) : truncateF16(w, value);
  return emitEncode(builder, loc, value, type);
}

static bool isConversion(Operation *op) { return isa<arith::ExtFOp, arith::TruncFOp>(op); }

/// Conversions between a small format and a wider one. f16 and bf16 meet in f32.
static Value expandConversion(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value value = op->getOperand(0);
  Type type = op->getResult(0).getType();
  if (isSmallFloat(value.getType()))
    value = extend(builder, loc, value);
  if (isSmallFloat(type))
    return truncate(builder, loc, value, type);
  return value.getType() == type ? value : Value(arith::ExtFOp::create(builder, loc, type, value));
}

/// The same operation on f32; integers come in through f64, which holds 53 of their bits.
static SmallVector<Value> computeWide(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isSmallFloat(operand.getType()))
      mapping.map(operand, extend(builder, loc, operand));
  Operation *wide = builder.clone(*op, mapping);
  bool fromInteger = isa<arith::SIToFPOp, arith::UIToFPOp>(op);
  SmallVector<Value> results;
  for (Value result : wide->getResults()) {
    Type type = result.getType();
    if (isSmallFloat(type)) {
      result.setType(fromInteger ? Type(builder.getF64Type()) : Type(builder.getF32Type()));
      results.push_back(truncate(builder, loc, result, type));
    } else {
      results.push_back(result);
    }
  }
  return results;
}

/// An error for a type without a definition to compute with.
static LogicalResult checkFormats(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (isSmallFloat(type) && !type.isBF16() && !type.isF16() && !isCodeFloat(type))
      return op->emitOpError() << "expected floats of a format that Numerics defines, got " << type;
  return success();
}

LogicalResult fp8opt::run::expandSmallFloats(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op))
      return;
    auto isSmall = [](Value value) { return isSmallFloat(value.getType()); };
    if (llvm::any_of(op->getOperands(), isSmall) || llvm::any_of(op->getResults(), isSmall))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    if (failed(checkFormats(op)))
      return failure();
    if (isConversion(op))
      op->replaceAllUsesWith(ValueRange(expandConversion(builder, op)));
    else
      op->replaceAllUsesWith(computeWide(builder, op));
    op->erase();
  }
  return success();
}
