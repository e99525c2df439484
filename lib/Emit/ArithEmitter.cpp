// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of Numerics that writes arith ops instead of computing.

#include "fp8-opt/Emit/ArithEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fp8opt;

Value ArithEmitter::constant(uint32_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
}
Value ArithEmitter::bitAnd(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
Value ArithEmitter::bitOr(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
Value ArithEmitter::bitXor(Value a, Value b) { return arith::XOrIOp::create(builder, loc, a, b); }
Value ArithEmitter::shiftLeft(Value a, unsigned amount) {
  return arith::ShLIOp::create(builder, loc, a, constant(amount));
}
Value ArithEmitter::shiftRight(Value a, unsigned amount) {
  return arith::ShRUIOp::create(builder, loc, a, constant(amount));
}
Value ArithEmitter::add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
Value ArithEmitter::sub(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
Value ArithEmitter::umin(Value a, Value b) { return arith::MinUIOp::create(builder, loc, a, b); }
Value ArithEmitter::umax(Value a, Value b) { return arith::MaxUIOp::create(builder, loc, a, b); }
Value ArithEmitter::ult(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}
Value ArithEmitter::eq(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}
Value ArithEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
}

/// A float op on f32 bit patterns.
template <typename OpT> static Value onFloats(OpBuilder &builder, Location loc, Value a, Value b) {
  auto f32 = builder.getF32Type();
  Value result = OpT::create(builder, loc, arith::BitcastOp::create(builder, loc, f32, a),
                             arith::BitcastOp::create(builder, loc, f32, b));
  return arith::BitcastOp::create(builder, loc, builder.getI32Type(), result);
}

Value ArithEmitter::addF(Value a, Value b) { return onFloats<arith::AddFOp>(builder, loc, a, b); }
Value ArithEmitter::subF(Value a, Value b) { return onFloats<arith::SubFOp>(builder, loc, a, b); }
Value ArithEmitter::mulF(Value a, Value b) { return onFloats<arith::MulFOp>(builder, loc, a, b); }
Value ArithEmitter::divF(Value a, Value b) { return onFloats<arith::DivFOp>(builder, loc, a, b); }

Value ArithEmitter::wordOfFloat(Value value) {
  auto f32 = builder.getF32Type();
  if (value.getType() != f32)
    value = arith::ExtFOp::create(builder, loc, f32, value);
  return arith::BitcastOp::create(builder, loc, builder.getI32Type(), value);
}

Value ArithEmitter::floatOfWord(Value word, Type type) {
  Value f32 = arith::BitcastOp::create(builder, loc, builder.getF32Type(), word);
  return type == f32.getType() ? f32 : arith::TruncFOp::create(builder, loc, type, f32).getResult();
}

Value ArithEmitter::wordOfStored(Value value) {
  if (value.getType().isF32())
    return wordOfFloat(value);
  if (value.getType().isInteger(32))
    return value;
  return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
}

Value ArithEmitter::storedOfWord(Value word, Type type) {
  if (type.isF32())
    return floatOfWord(word, type);
  if (type.isInteger(32))
    return word;
  return arith::TruncIOp::create(builder, loc, type, word);
}
