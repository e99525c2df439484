// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter that computes. Every operation is plain C++ on integers, so that loops over it vectorize.

#ifndef FP8_OPT_NUMERICS_HOST_H
#define FP8_OPT_NUMERICS_HOST_H

#include "fp8-opt/Numerics/Interpreter.h"
#include <cmath>

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
  static Word fmaF(Word a, Word b, Word c) { return bitsOf(std::fma(floatOf(a), floatOf(b), floatOf(c))); }
  static Word negF(Word a) { return a ^ f32::kSign; }
  static Word reciprocalF(Word a) { return divF(f32::kOne, a); }
  static Word clampF(Word a, uint32_t limit) {
    const Word magnitude = a & f32::kMagnitude;
    return magnitude > limit && magnitude <= f32::kInfinity ? (a & f32::kSign) | limit : a;
  }

  using Real = double;
  using Bits64 = uint64_t;

  static Real real(double value) { return value; }
  static Real widen(Word a) { return floatOf(a); }
  static Word narrow(Real a) { return bitsOf(float(a)); }
  static Real addR(Real a, Real b) { return a + b; }
  static Real subR(Real a, Real b) { return a - b; }
  static Real mulR(Real a, Real b) { return a * b; }
  static Real divR(Real a, Real b) { return a / b; }
  static Real sqrtR(Real a) { return std::sqrt(a); }
  static Bool lessR(Real a, Real b) { return a < b; }
  static Bool equalR(Real a, Real b) { return a == b; }
  static Real selectR(Bool condition, Real ifTrue, Real ifFalse) { return condition ? ifTrue : ifFalse; }
  static Bits64 bitsOfR(Real a) {
    Bits64 bits;
    std::memcpy(&bits, &a, sizeof bits);
    return bits;
  }
  static Real realOfBits(Bits64 a) {
    Real value;
    std::memcpy(&value, &a, sizeof value);
    return value;
  }
  static Bits64 constant64(uint64_t value) { return value; }
  static Bits64 and64(Bits64 a, Bits64 b) { return a & b; }
  static Bits64 or64(Bits64 a, Bits64 b) { return a | b; }
  static Bits64 add64(Bits64 a, Bits64 b) { return a + b; }
  static Bits64 shiftLeft64(Bits64 a, unsigned amount) { return a << amount; }
  static Bits64 shiftRight64(Bits64 a, unsigned amount) { return a >> amount; }
  static Bool equal64(Bits64 a, Bits64 b) { return a == b; }
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_HOST_H
