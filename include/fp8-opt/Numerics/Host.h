// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter that computes. Every operation is plain C++ on integers, so that loops over it vectorize.

#ifndef FP8_OPT_NUMERICS_HOST_H
#define FP8_OPT_NUMERICS_HOST_H

#include "fp8-opt/Numerics/Interpreter.h"

namespace fp8opt::numerics {

struct Host {
  using Word = uint32_t;
  using Bool = bool;

  static Word constant(uint32_t value) { return value; }
  static Word bitAnd(Word a, Word b) { return a & b; }
  static Word bitOr(Word a, Word b) { return a | b; }
  static Word bitXor(Word a, Word b) { return a ^ b; }
  static Word shiftLeft(Word a, unsigned amount) { return a << amount; }
  static Word shiftRight(Word a, unsigned amount) { return a >> amount; }
  static Word add(Word a, Word b) { return a + b; }
  static Word sub(Word a, Word b) { return a - b; }
  static Word umin(Word a, Word b) { return a < b ? a : b; }
  static Word umax(Word a, Word b) { return a < b ? b : a; }
  static Bool ult(Word a, Word b) { return a < b; }
  static Bool eq(Word a, Word b) { return a == b; }
  static Word select(Bool condition, Word ifTrue, Word ifFalse) { return condition ? ifTrue : ifFalse; }
  static Word addF(Word a, Word b) { return bitsOf(floatOf(a) + floatOf(b)); }
  static Word subF(Word a, Word b) { return bitsOf(floatOf(a) - floatOf(b)); }
  static Word mulF(Word a, Word b) { return bitsOf(floatOf(a) * floatOf(b)); }
  static Word divF(Word a, Word b) { return bitsOf(floatOf(a) / floatOf(b)); }
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_HOST_H
