// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f64 arithmetic of the interpreter that writes arith ops.

#include "fp8-opt/Emit/ElementaryEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fp8opt;

Value ElementaryEmitter::real(double value) {
  return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
}
Value ElementaryEmitter::widen(Value a) {
  Value single = arith::BitcastOp::create(builder, loc, builder.getF32Type(), a);
  return arith::ExtFOp::create(builder, loc, builder.getF64Type(), single);
}
Value ElementaryEmitter::narrow(Value a) {
  Value single = arith::TruncFOp::create(builder, loc, builder.getF32Type(), a);
  return arith::BitcastOp::create(builder, loc, builder.getI32Type(), single);
}
Value ElementaryEmitter::addR(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
Value ElementaryEmitter::subR(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
Value ElementaryEmitter::mulR(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
Value ElementaryEmitter::divR(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
// IEEE 754 defines the root to the last bit, so every processor's is the same.
Value ElementaryEmitter::sqrtR(Value a) { return math::SqrtOp::create(builder, loc, a); }
Value ElementaryEmitter::lessR(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
}
Value ElementaryEmitter::equalR(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, a, b);
}
Value ElementaryEmitter::selectR(Value condition, Value ifTrue, Value ifFalse) {
  return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
}
Value ElementaryEmitter::bitsOfR(Value a) {
  return arith::BitcastOp::create(builder, loc, builder.getI64Type(), a);
}
Value ElementaryEmitter::realOfBits(Value a) {
  return arith::BitcastOp::create(builder, loc, builder.getF64Type(), a);
}
Value ElementaryEmitter::constant64(uint64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(int64_t(value)));
}
Value ElementaryEmitter::and64(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
Value ElementaryEmitter::or64(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
Value ElementaryEmitter::add64(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
Value ElementaryEmitter::shiftLeft64(Value a, unsigned amount) {
  return arith::ShLIOp::create(builder, loc, a, constant64(amount));
}
Value ElementaryEmitter::shiftRight64(Value a, unsigned amount) {
  return arith::ShRUIOp::create(builder, loc, a, constant64(amount));
}
Value ElementaryEmitter::equal64(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}
