// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of Numerics that writes arith ops, with the f64 part that Elementary.h asks for.

#ifndef FP8_OPT_EMIT_ELEMENTARYEMITTER_H
#define FP8_OPT_EMIT_ELEMENTARYEMITTER_H

#include "fp8-opt/Emit/ArithEmitter.h"

namespace fp8opt {

/// Reals are scalars of type f64, Bits64 of type i64. fp8-opt/Numerics/Interpreter.h says what each member
/// means.
class ElementaryEmitter : public ArithEmitter {
public:
  using Real = mlir::Value;
  using Bits64 = mlir::Value;

  ElementaryEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : ArithEmitter(builder, loc), builder(builder), loc(loc) {}

  Real real(double value);
  Real widen(Word a);
  Word narrow(Real a);
  Real addR(Real a, Real b);
  Real subR(Real a, Real b);
  Real mulR(Real a, Real b);
  Real divR(Real a, Real b);
  Real sqrtR(Real a);
  Bool lessR(Real a, Real b);
  Bool equalR(Real a, Real b);
  Real selectR(Bool condition, Real ifTrue, Real ifFalse);
  Bits64 bitsOfR(Real a);
  Real realOfBits(Bits64 a);
  Bits64 constant64(uint64_t value);
  Bits64 and64(Bits64 a, Bits64 b);
  Bits64 or64(Bits64 a, Bits64 b);
  Bits64 add64(Bits64 a, Bits64 b);
  Bits64 shiftLeft64(Bits64 a, unsigned amount);
  Bits64 shiftRight64(Bits64 a, unsigned amount);
  Bool equal64(Bits64 a, Bits64 b);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace fp8opt

#endif // FP8_OPT_EMIT_ELEMENTARYEMITTER_H
