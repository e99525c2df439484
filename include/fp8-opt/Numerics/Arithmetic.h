// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding f32 into a format and decoding it again: the only definitions, over an interpreter
// (Interpreter.h).

#ifndef FP8_OPT_NUMERICS_ARITHMETIC_H
#define FP8_OPT_NUMERICS_ARITHMETIC_H

#include "fp8-opt/Numerics/Format.h"
#include "fp8-opt/Numerics/Interpreter.h"
#include "fp8-opt/Numerics/Scheme.h"

namespace fp8opt::numerics {

/// How a number is brought into a format.
struct Conversion {
  Rounding rounding = Rounding::NearestEven;
  Overflow overflow = Overflow::Saturate;
  NanCode nan = NanCode::Max;
};

namespace detail {

/// magnitude / 2^stepExponent as an integer, to nearest even or rounded down. Holds for magnitudes of up to
/// 2^23 steps: added to 2^23 steps, a number keeps exactly its whole steps, in the low bits of the sum.
template <class I>
typename I::Word countSteps(I &i, typename I::Word magnitude, int stepExponent, bool nearest) {
  auto offset = i.constant(f32::powerOfTwo(stepExponent + f32::kMantissaBits));
  auto sum = i.addF(magnitude, offset);
  auto steps = i.sub(sum, offset);
  if (nearest)
    return steps;
  auto tooFar = i.ult(magnitude, i.subF(sum, offset));
  return i.select(tooFar, i.sub(steps, i.constant(1)), steps);
}

/// Moves f32 subnormals so that 2^-127 is a pattern of exponent 0 without mantissa, as E8M0 has it; below it:
/// 0.
template <class I> typename I::Word rebaseSubnormals(I &i, typename I::Word magnitude) {
  auto normal = i.constant(f32::kSmallestNormal);
  auto moved = i.sub(i.umax(i.shiftLeft(magnitude, 1), normal), normal);
  return i.select(i.ult(magnitude, normal), moved, magnitude);
}

/// The magnitude's code, not yet bounded, for all roundings. `guard` bits are kept below the code; what is
/// added to them decides. Only NearestEven needs to know the bits below those too.
template <class I>
typename I::Word roundMagnitude(I &i, const Format &to, Rounding rounding, typename I::Word magnitude,
                                typename I::Word random) {
  const bool nearest = rounding == Rounding::NearestEven;
  const int guard = rounding == Rounding::Stochastic ? to.randomBits()
                    : rounding == Rounding::HalfAway ? 1
                                                     : 0;
  const int kept = to.mantissaBits + guard;
  auto code = magnitude;
  if (to.isInteger()) {
    auto bounded = i.umin(magnitude, i.constant(f32::powerOfTwo(to.exponentBits)));
    code = countSteps(i, bounded, -kept, nearest);
  } else {
    const unsigned drop = f32::kMantissaBits - kept;
    if (to.specials == Specials::PowerOfTwo)
      code = rebaseSubnormals(i, magnitude);
    if (nearest) {
      auto lowest = i.bitAnd(i.shiftRight(code, drop), i.constant(1));
      code = i.add(i.add(code, i.constant((1u << (drop - 1)) - 1)), lowest);
    }
    code = i.shiftRight(code, drop);
    if (to.bias != f32::kBias) {
      code = i.sub(code, i.constant(uint32_t(f32::kBias - to.bias) << kept));
      auto subnormal = countSteps(i, magnitude, 1 - to.bias - kept, nearest);
      code = i.select(i.ult(magnitude, i.constant(f32::powerOfTwo(1 - to.bias))), subnormal, code);
    }
  }
  if (guard == 0)
    return code;
  auto addend =
      rounding == Rounding::HalfAway ? i.constant(1) : i.bitAnd(random, i.constant((1u << guard) - 1));
  return i.shiftRight(i.add(code, addend), guard);
}

/// Bounds a magnitude's code by the largest one, or makes it what IEEE arithmetic makes of an overflow.
template <class I>
typename I::Word bound(I &i, const Format &to, const Conversion &how, typename I::Word code,
                       typename I::Word magnitude) {
  auto largest = i.constant(to.largestCode());
  if (how.overflow == Overflow::Saturate || (!to.hasInfinity() && !to.hasNan()))
    return i.umin(code, largest);
  auto beyond = i.constant(to.hasInfinity() ? to.largestCode() + 1 : to.nanCode());
  // Rounded toward zero, a finite number never leaves the finite ones.
  if (how.rounding == Rounding::TowardZero)
    return i.select(i.eq(magnitude, i.constant(f32::kInfinity)), beyond, i.umin(code, largest));
  return i.select(i.ult(largest, code), beyond, code);
}

/// Gives a magnitude's code the sign of `x`.
template <class I>
typename I::Word applySign(I &i, const Format &to, const Conversion &how, typename I::Word code,
                           typename I::Word x) {
  auto zero = i.constant(0);
  if (to.specials == Specials::PowerOfTwo) {
    auto nan = i.constant(to.nanCode());
    auto ofZero = how.overflow == Overflow::Saturate ? zero : nan;
    auto isZero = i.eq(i.bitAnd(x, i.constant(f32::kMagnitude)), zero);
    return i.select(isZero, ofZero, i.select(i.ult(x, i.constant(f32::kSign)), code, nan));
  }
  if (to.isInteger()) {
    auto flip = i.sub(zero, i.shiftRight(x, 31));
    return i.bitAnd(i.sub(i.bitXor(code, flip), flip), i.constant(2 * to.signBit() - 1));
  }
  auto sign = i.bitAnd(i.shiftRight(x, 32 - to.bits()), i.constant(to.signBit()));
  auto withSign = i.bitOr(code, sign);
  if (to.specials == Specials::NegativeZeroIsNan)
    return i.select(i.eq(code, zero), zero, withSign);
  return withSign;
}

} // namespace detail

/// The code of `x` (f32 bits) in `to`; Spec, encode.R1 to R6. `random` is read by Rounding::Stochastic only:
/// its low `to.randomBits()` bits. f32 itself is kept as it is.
template <class I>
typename I::Word encode(I &i, const Format &to, const Conversion &how, typename I::Word x,
                        typename I::Word random) {
  if (to.mantissaBits == f32::kMantissaBits)
    return x;
  auto magnitude = i.bitAnd(x, i.constant(f32::kMagnitude));
  auto code = detail::roundMagnitude(i, to, how.rounding, magnitude, random);
  code = detail::bound(i, to, how, code, magnitude);
  code = detail::applySign(i, to, how, code, x);
  uint32_t nan = to.hasNan()               ? to.nanCode()
                 : how.nan == NanCode::Max ? to.largestCode()
                 : to.isInteger()          ? 0
                                           : to.signBit();
  return i.select(i.ult(i.constant(f32::kInfinity), magnitude), i.constant(nan), code);
}

/// The number that `code` of `from` stands for, as f32 bits; exact. Spec, decode.R1.
template <class I> typename I::Word decode(I &i, const Format &from, typename I::Word code) {
  const int widen = f32::kMantissaBits - from.mantissaBits;
  auto nan = i.constant(f32::kNan);
  if (from.specials == Specials::PowerOfTwo) {
    // 2^-127 is no normal f32: without this select, byte 0 would become 0.
    auto finite = i.select(i.eq(code, i.constant(0)), i.constant(f32::kSmallestNormal >> 1),
                           i.shiftLeft(code, f32::kMantissaBits));
    return i.select(i.eq(code, i.constant(from.nanCode())), nan, finite);
  }
  if (from.isInteger()) {
    // Half as much again as 2^23 steps, so that negative steps do not leave the binade either.
    auto offset = i.constant(f32::powerOfTwo(widen) + (f32::kSmallestNormal >> 1));
    auto sign = i.constant(from.signBit());
    return i.subF(i.add(offset, i.sub(i.bitXor(code, sign), sign)), offset);
  }
  if (from.bias == f32::kBias)
    return i.shiftLeft(code, widen);
  auto magnitude = i.bitAnd(code, i.constant(from.signBit() - 1));
  auto normal = i.add(i.shiftLeft(magnitude, widen), i.constant(uint32_t(f32::kBias - from.bias) << 23));
  auto offset = i.constant(f32::powerOfTwo(1 - from.bias + widen));
  auto subnormal = i.subF(i.bitOr(offset, magnitude), offset);
  auto value = i.select(i.ult(magnitude, i.constant(1u << from.mantissaBits)), subnormal, normal);
  auto largest = i.constant(from.largestCode());
  if (from.hasInfinity()) {
    auto isInfinity = i.eq(magnitude, i.constant(from.largestCode() + 1));
    value = i.select(i.ult(largest, magnitude), i.select(isInfinity, i.constant(f32::kInfinity), nan), value);
  }
  if (from.specials == Specials::NanOnly)
    value = i.select(i.ult(largest, magnitude), nan, value);
  auto sign = i.shiftLeft(i.bitAnd(code, i.constant(from.signBit())), 32 - from.bits());
  value = i.bitOr(value, sign);
  if (from.specials == Specials::NegativeZeroIsNan)
    value = i.select(i.eq(code, i.constant(from.nanCode())), nan, value);
  return value;
}

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_ARITHMETIC_H
