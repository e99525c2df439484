// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that the arithmetic of this room is written in, and the f32 bit patterns it names.
//
// Arithmetic.h, ScaleRule.h and Elementary.h are written once over an interpreter `I`. `Host` computes;
// another interpreter builds the same operations as IR. An interpreter is any class with these members and
// nothing else is asked of it:
//
//   Word                        32 bits: an f32 bit pattern, a code, an integer
//   Bool                        the result of a comparison
//   Word constant(uint32_t)
//   Word bitAnd(Word, Word)     bitOr, bitXor
//   Word shiftLeft(Word, unsigned)   shiftRight (zeros come in); the amount is in [0, 31]
//   Word add(Word, Word)        sub; both modulo 2^32
//   Word umin(Word, Word)       umax; unsigned
//   Bool ult(Word, Word)        unsigned less than
//   Bool eq(Word, Word)
//   Word select(Bool, Word ifTrue, Word ifFalse)
//   Word addF(Word, Word)       subF, mulF, divF: IEEE f32 on the bit patterns
//
// SharedDivisor.h alone also asks for:
//
//   Word fmaF(Word a, Word b, Word c)    a * b + c, rounded once
//   Word negF(Word)
//   Word reciprocalF(Word a)    at most 2 units from the rounded 1 / a, of normal numbers
//   Word clampF(Word, uint32_t limit)    brings a magnitude to the limit at most; a NaN stays one
//
// Elementary.h alone also asks for f64:
//
//   Real                        an f64 number
//   Bits64                      64 bits
//   Real real(double)           a constant
//   Real widen(Word)            f32 bits to f64; exact
//   Word narrow(Real)           f64 to f32 bits
//   Real addR(Real, Real)       subR, mulR, divR; Real sqrtR(Real): IEEE f64
//   Bool lessR(Real, Real)      equalR; false where an operand is NaN
//   Real selectR(Bool, Real ifTrue, Real ifFalse)
//   Bits64 bitsOfR(Real)        Real realOfBits(Bits64): the pattern, unchanged
//   Bits64 constant64(uint64_t)
//   Bits64 and64(Bits64, Bits64)     or64, add64
//   Bits64 shiftLeft64(Bits64, unsigned)   shiftRight64 (zeros come in); the amount is in [0, 63]
//   Bool equal64(Bits64, Bits64)
//
// All floating point rounds to nearest even, keeps subnormals on both sides and is never contracted. Where an
// operand is NaN, only that the result is a NaN is relied on. There are no branches and no loops over data:
// format, scheme and rounding are C++ values, so an `if` on them chooses which operations there are.

#ifndef FP8_OPT_NUMERICS_INTERPRETER_H
#define FP8_OPT_NUMERICS_INTERPRETER_H

#include <cstdint>
#include <cstring>

namespace fp8opt::numerics {

/// The bit pattern of a float, and back.
inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// f32 bit patterns.
namespace f32 {
inline constexpr uint32_t kSign = 0x80000000;
inline constexpr uint32_t kMagnitude = 0x7FFFFFFF;
inline constexpr uint32_t kOne = 0x3F800000;
inline constexpr uint32_t kLargest = 0x7F7FFFFF;
inline constexpr uint32_t kInfinity = 0x7F800000;
inline constexpr uint32_t kNan = 0x7FC00000;
inline constexpr uint32_t kSmallestNormal = 0x00800000;
inline constexpr uint32_t kMantissa = 0x007FFFFF;
inline constexpr int kMantissaBits = 23;
inline constexpr int kBias = 127;
/// 2^exponent, which must be a normal number.
constexpr uint32_t powerOfTwo(int exponent) { return uint32_t(kBias + exponent) << kMantissaBits; }
} // namespace f32

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_INTERPRETER_H
