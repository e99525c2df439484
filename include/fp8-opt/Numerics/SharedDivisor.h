// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many numbers by one divisor, without a division for each, over an interpreter (Interpreter.h).

#ifndef FP8_OPT_NUMERICS_SHAREDDIVISOR_H
#define FP8_OPT_NUMERICS_SHAREDDIVISOR_H

#include "fp8-opt/Numerics/Format.h"
#include "fp8-opt/Numerics/Interpreter.h"

namespace fp8opt::numerics {

/// Quotients by one f32, for the codes of a format. Where `isExact`, each code is that of divF's quotient.
///
/// Of numbers of f32, a quotient is rounded to f32 as divF rounds it, from the rounded reciprocal r
/// (P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990):
/// q = x * r is corrected once by what x - q * divisor leaves, which a fused multiply-add has exactly. Only
/// quotients of which both are below 2^-38, or both beyond 2^24, may differ: these are one code of all
/// formats of 8 bits, saturated.
///
/// Of numbers of at most 11 significant bits, for codes of at most 5, two products are enough: by a number
/// below the reciprocal, of which a coarse one will do, and by what that lacks of the reciprocal. Such a
/// quotient may be the neighbour of divF's, but lies where divF's does: below, at or above any number of
/// at most 6 bits, and where codes change is at such numbers. SharedDivisorTest.cpp proves it.
template <class I> class SharedDivisor {
public:
  using Word = typename I::Word;

  /// Of numbers of format `source`.
  SharedDivisor(I &i, Word divisor, const Format &source, const Format &code)
      : i(i), divisor(divisor), isOfFewBits(source.mantissaBits <= 10 && code.mantissaBits <= 4),
        reciprocal(isOfFewBits ? i.sub(i.reciprocalF(divisor), i.constant(3))
                               : i.divF(i.constant(f32::kOne), divisor)),
        low(isOfFewBits ? lowOfReciprocal() : Word()) {}

  /// From 2^-60 to 2^60, so that what is left of a number is no subnormal, unless its code is zero.
  typename I::Bool isExact() {
    constexpr uint32_t least = f32::powerOfTwo(-60), most = f32::powerOfTwo(60);
    return i.ult(i.sub(divisor, i.constant(least)), i.constant(most - least));
  }

  Word divide(Word x) {
    // Both products have the sign of x, zeros and infinities too.
    if (isOfFewBits)
      return i.fmaF(x, reciprocal, i.mulF(x, low));
    // An infinite quotient would leave a NaN.
    Word quotient = i.clampF(i.mulF(x, reciprocal), f32::powerOfTwo(25));
    // What there is too much, so that a quotient of -0 keeps its sign.
    Word beyond = i.fmaF(quotient, divisor, i.negF(x));
    return i.fmaF(beyond, i.negF(reciprocal), quotient);
  }

private:
  /// With e = 1 - divisor * r, the reciprocal is r + r * e + r * e * e and so on. Of r * (e + e * e) a little
  /// more, since a quotient in the middle of two of f32 is one that is slightly larger.
  Word lowOfReciprocal() {
    Word left = i.fmaF(i.negF(divisor), reciprocal, i.constant(f32::kOne));
    Word first = i.mulF(left, reciprocal);
    return i.add(i.fmaF(first, left, first), i.constant(2));
  }

  I &i;
  Word divisor;
  bool isOfFewBits;
  /// The rounded reciprocal; of few bits a number below it.
  Word reciprocal;
  /// Of few bits alone: what that lacks of the reciprocal.
  Word low;
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_SHAREDDIVISOR_H
