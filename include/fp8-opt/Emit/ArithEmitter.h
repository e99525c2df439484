// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of Numerics that writes arith ops instead of computing.

#ifndef FP8_OPT_EMIT_ARITHEMITTER_H
#define FP8_OPT_EMIT_ARITHEMITTER_H

#include "fp8-opt/Numerics/Format.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace fp8opt {

/// Words are scalars of type i32, booleans of type i1. Every op is written at the builder's insertion point;
/// nothing is folded here. fp8opt/Numerics/Interpreter.h says what each member means.
class ArithEmitter {
public:
  using Word = mlir::Value;
  using Bool = mlir::Value;

  ArithEmitter(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  Word constant(uint32_t value);
  Word bitAnd(Word a, Word b);
  Word bitOr(Word a, Word b);
  Word bitXor(Word a, Word b);
  Word shiftLeft(Word a, unsigned amount);
  Word shiftRight(Word a, unsigned amount);
  Word add(Word a, Word b);
  Word sub(Word a, Word b);
  Word umin(Word a, Word b);
  Word umax(Word a, Word b);
  Bool ult(Word a, Word b);
  Bool eq(Word a, Word b);
  Word select(Bool condition, Word ifTrue, Word ifFalse);
  Word addF(Word a, Word b);
  Word subF(Word a, Word b);
  Word mulF(Word a, Word b);
  Word divF(Word a, Word b);

  // Between words and the elements of tensors.

  /// The f32 bits of a float scalar of f32 or a narrower type.
  Word wordOfFloat(mlir::Value value);
  /// The bits of a float scalar of `type` (f32, bf16 or f16), rounded once to nearest even from the f32 bits.
  mlir::Value floatOfWord(Word word, mlir::Type type);
  /// A stored code or scale: an integer scalar widened with zeros, or the bits of an f32.
  Word wordOfStored(mlir::Value value);
  /// A code or scale as it is stored in elements of `type`.
  mlir::Value storedOfWord(Word word, mlir::Type type);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace fp8opt

#endif // FP8_OPT_EMIT_ARITHEMITTER_H
