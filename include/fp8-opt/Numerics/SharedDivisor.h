// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many numbers by one divisor, without a division for each, over an interpreter (Interpreter.h).

#ifndef FP8_OPT_NUMERICS_SHAREDDIVISOR_H
#define FP8_OPT_NUMERICS_SHAREDDIVISOR_H

#include "fp8-opt/Numerics/Interpreter.h"

namespace fp8opt::numerics {

/// Quotients by one f32, rounded to f32 as divF rounds them, from its rounded reciprocal r (P. Markstein,
/// Computation of elementary functions on the IBM RISC System/6000 processor, 1990): q = x * r is corrected
/// once by what x - q * divisor leaves, which a fused multiply-add has exactly.
///
/// Where `isExact`, divide(x) is divF(x, divisor) or, with the same sign, both are below 2^-38, or both
/// beyond 2^24: one code for all formats of 8 bits, saturated, whose numbers lie between.
template <class I> class SharedDivisor {
public:
  using Word = typename I::Word;

  SharedDivisor(I &i, Word divisor)
      : i(i), divisor(divisor), reciprocal(i.divF(i.constant(f32::kOne), divisor)) {}

  /// From 2^-60 to 2^60, so that what is left of a number is no subnormal, unless its code is zero.
  typename I::Bool isExact() {
    constexpr uint32_t least = f32::powerOfTwo(-60), most = f32::powerOfTwo(60);
    return i.ult(i.sub(divisor, i.constant(least)), i.constant(most - least));
  }

  Word divide(Word x) {
    // An infinite quotient would leave a NaN.
    Word quotient = i.clampF(i.mulF(x, reciprocal), f32::powerOfTwo(25));
    // What there is too much, so that a quotient of -0 keeps its sign.
    Word beyond = i.fmaF(quotient, divisor, i.negF(x));
    return i.fmaF(beyond, i.negF(reciprocal), quotient);
  }

private:
  I &i;
  Word divisor, reciprocal;
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_SHAREDDIVISOR_H
