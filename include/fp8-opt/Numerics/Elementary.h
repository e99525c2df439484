// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, log and their like of f32, fixed once over an interpreter, so that no result depends on a host's libm.
//
// Everything is computed in f64 with an error far below half a unit of f32 and rounded once. The coefficients
// are those of the Taylor series (1/k!, 1/(2k+1)), cut where the next term is below 2^-40 of the result; erf
// above 1/2 is a polynomial through Chebyshev nodes. Special values are IEEE 754's (and C's for pow).

#ifndef FP8_OPT_NUMERICS_ELEMENTARY_H
#define FP8_OPT_NUMERICS_ELEMENTARY_H

#include "fp8-opt/Numerics/Interpreter.h"
#include <cstddef>

namespace fp8opt::numerics {

/// All functions take and give f32 bits. Their error is below 0.501 units in the last place, which the tests
/// bound by one; sin and cos are NaN from 2^28 on, where f32 numbers lie far more than a period apart.
template <class I> class Elementary {
public:
  using Word = typename I::Word;
  using Real = typename I::Real;

  explicit Elementary(I &i) : i(i) {}

  Word exp(Word x) { return i.narrow(expR(i.widen(x))); }
  Word log(Word x) { return i.narrow(logR(i.widen(x))); }
  Word sqrt(Word x) { return i.narrow(i.sqrtR(i.widen(x))); }
  Word rsqrt(Word x) { return i.narrow(i.divR(i.real(1), i.sqrtR(i.widen(x)))); }
  Word tanh(Word x) { return i.narrow(tanhR(i.widen(x))); }
  Word erf(Word x) { return i.narrow(erfR(i.widen(x))); }
  Word sin(Word x) { return i.narrow(sinR(i.widen(x), 0)); }
  Word cos(Word x) { return i.narrow(sinR(i.widen(x), 1)); }
  Word pow(Word x, Word y) { return i.narrow(powR(i.widen(x), i.widen(y))); }

private:
  using Bits64 = typename I::Bits64;
  using Bool = typename I::Bool;

  static constexpr double kInfinity = __builtin_inf();
  static constexpr double kNan = __builtin_nan("");
  static constexpr uint64_t kSignBit = uint64_t(1) << 63;
  /// Added to a number below 2^51 it leaves the nearest integer in the low bits of the sum, two's complement.
  static constexpr double kRounder = 0x1.8p52;

  Real absR(Real x) { return i.realOfBits(i.and64(i.bitsOfR(x), i.constant64(~kSignBit))); }
  /// `x`, which is not negative, with the sign of `of`.
  Real withSign(Real x, Real of) {
    return i.realOfBits(i.or64(i.bitsOfR(x), i.and64(i.bitsOfR(of), i.constant64(kSignBit))));
  }
  Real negated(Real x) { return i.mulR(x, i.real(-1)); }
  Bool isOddBit(Bits64 bits, unsigned bit) {
    return i.equal64(i.and64(i.shiftRight64(bits, bit), i.constant64(1)), i.constant64(1));
  }
  Real keepNan(Real x, Real otherwise) { return i.selectR(i.equalR(x, x), otherwise, x); }
  template <size_t N> Real polynomial(const double (&lowestFirst)[N], Real x) {
    Real sum = i.real(lowestFirst[N - 1]);
    for (size_t k = N - 1; k-- > 0;)
      sum = i.addR(i.mulR(sum, x), i.real(lowestFirst[k]));
    return sum;
  }

  /// 2^n * e^r with x = n ln 2 + r; results outside f32 on either side are outside it here too.
  Real expR(Real x) {
    Real bounded = i.selectR(i.lessR(x, i.real(-120)), i.real(-120), x);
    bounded = i.selectR(i.lessR(i.real(100), bounded), i.real(100), bounded);
    Real sum = i.addR(i.mulR(bounded, i.real(0x1.71547652b82fep+0)), i.real(kRounder)); // 1 / ln 2
    Real n = i.subR(sum, i.real(kRounder));
    Real r = i.subR(bounded, i.mulR(n, i.real(0x1.62e42feep-1))); // ln 2 in two parts, the first of 32 bits
    r = i.subR(r, i.mulR(n, i.real(0x1.a39ef35793c76p-33)));
    static constexpr double kCoefficients[] = {
        1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,      1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
    Bits64 power = i.shiftLeft64(i.bitsOfR(sum), 52);
    return keepNan(x, i.realOfBits(i.add64(i.bitsOfR(polynomial(kCoefficients, r)), power)));
  }

  /// e ln 2 + 2 artanh(s) with x = 2^e * m, m in [1/sqrt 2, sqrt 2), s = (m - 1) / (m + 1). `x` is no f64
  /// subnormal.
  Real logR(Real x) {
    // Subtracting the bits of 1/sqrt 2 leaves e in the exponent field, whatever the mantissa.
    const uint64_t low = 0x3FE6A09E667F3BCD;
    Bits64 moved = i.add64(i.bitsOfR(x), i.constant64(0 - low));
    Bits64 mantissa = i.and64(moved, i.constant64((uint64_t(1) << 52) - 1));
    Real m = i.realOfBits(i.add64(mantissa, i.constant64(low)));
    // e + 2048 in the mantissa of a number in [2^52, 2^53).
    Bits64 exponent = i.shiftRight64(i.add64(moved, i.constant64(kSignBit)), 52);
    Real e = i.subR(i.realOfBits(i.or64(exponent, i.constant64(0x4330000000000000))), i.real(0x1p52 + 2048));
    Real s = i.divR(i.subR(m, i.real(1)), i.addR(m, i.real(1)));
    static constexpr double kCoefficients[] = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9, 2.0 / 11,
                                               2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
    Real result =
        i.addR(i.mulR(e, i.real(0x1.62e42fefa39efp-1)), i.mulR(s, polynomial(kCoefficients, i.mulR(s, s))));
    result = i.selectR(i.equalR(x, i.real(0)), i.real(-kInfinity), result);
    result = i.selectR(i.lessR(x, i.real(0)), i.real(kNan), result);
    result = i.selectR(i.equalR(x, i.real(kInfinity)), x, result);
    return keepNan(x, result);
  }

  /// 1 - 2 / (e^2|x| + 1), which loses what is small beside one: near zero the series.
  Real tanhR(Real x) {
    Real magnitude = absR(x);
    Real power = expR(i.addR(magnitude, magnitude));
    Real far = i.subR(i.real(1), i.divR(i.real(2), i.addR(power, i.real(1))));
    static constexpr double kCoefficients[] = {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315};
    Real near = i.mulR(magnitude, polynomial(kCoefficients, i.mulR(x, x)));
    return keepNan(x, withSign(i.selectR(i.lessR(magnitude, i.real(0x1p-5)), near, far), x));
  }

  Real erfR(Real x) {
    Real magnitude = absR(x);
    magnitude = i.selectR(i.lessR(i.real(4), magnitude), i.real(4), magnitude); // where f32 has reached one
    Real square = i.mulR(magnitude, magnitude);
    // 2/sqrt(pi) * (-1)^k / (k! (2k+1))
    static constexpr double kRoot = 1.1283791670955126;
    static constexpr double kNear[] = {kRoot,          -kRoot / 3,      kRoot / 10,   -kRoot / 42,
                                       kRoot / 216,    -kRoot / 1320,   kRoot / 9360, -kRoot / 75600,
                                       kRoot / 685440, -kRoot / 6894720};
    Real near = i.mulR(magnitude, polynomial(kNear, square));
    // 1 - e^(-x^2) * Q(1 / (x + 2)), where Q interpolates e^(x^2) * erfc(x) on [1/2, 4] in the 11 Chebyshev
    // nodes of its argument, found with 50 digits: error 6e-13.
    static constexpr double kFar[] = {0x1.8f2a78a6894d1p-15, 0x1.1fcb27326fb07p-1,  0x1.2b78c3054cea2p+0,
                                      0x1.7d01336f84736p+0,  0x1.a451ecd6758a7p+2,  -0x1.10eb911c82819p+4,
                                      0x1.1cdae42f39b81p+6,  -0x1.678dee6a0c445p+7, 0x1.db036db59d247p+7,
                                      -0x1.46a3def836ea0p+7, 0x1.78eb165921a04p+5};
    Real q = polynomial(kFar, i.divR(i.real(1), i.addR(magnitude, i.real(2))));
    Real far = i.subR(i.real(1), i.mulR(expR(negated(square)), q));
    return keepNan(x, withSign(i.selectR(i.lessR(magnitude, i.real(0.5)), near, far), x));
  }

  /// sin(x + quarterTurns * pi/2).
  Real sinR(Real x, uint64_t quarterTurns) {
    Real usable = i.selectR(i.lessR(absR(x), i.real(0x1p28)), x, i.real(kNan));
    Real sum = i.addR(i.mulR(usable, i.real(0x1.45f306dc9c883p-1)), i.real(kRounder)); // 2 / pi
    Real n = i.subR(sum, i.real(kRounder));
    // pi/2 in four parts; the first three have 25 bits, so that their products with n are exact.
    static constexpr double kHalfPi[] = {0x1.921fb5p+0, 0x1.110b46p-26, 0x1.1a6263p-54,
                                         0x1.8a2e03707344ap-81};
    Real r = usable;
    for (double part : kHalfPi)
      r = i.subR(r, i.mulR(n, i.real(part)));
    static constexpr double kSine[] = {1.0,          -1.0 / 6,        1.0 / 120,        -1.0 / 5040,
                                       1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
    static constexpr double kCosine[] = {1.0,         -1.0 / 2,       1.0 / 24,        -1.0 / 720,
                                         1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200};
    Real square = i.mulR(r, r);
    Real sine = i.mulR(r, polynomial(kSine, square)), cosine = polynomial(kCosine, square);
    Bits64 quadrant = i.add64(i.bitsOfR(sum), i.constant64(quarterTurns));
    Real result = i.selectR(isOddBit(quadrant, 0), cosine, sine);
    result = i.selectR(isOddBit(quadrant, 1), negated(result), result);
    // The sum above turns -0 into +0.
    if (quarterTurns == 0)
      result = i.selectR(i.equalR(x, i.real(0)), x, result);
    return keepNan(usable, result);
  }

  /// e^(y log |x|), then the sign of an odd power, then what the product of zero and infinity hides.
  Real powR(Real x, Real y) {
    Real magnitude = absR(x), one = i.real(1), zero = i.real(0);
    Real result = expR(i.mulR(y, logR(magnitude)));
    // From 2^24 on every f32 is an even integer.
    Real exponent = absR(y);
    exponent = i.selectR(i.lessR(i.real(0x1p24), exponent), i.real(0x1p24), exponent);
    Real sum = i.addR(exponent, i.real(kRounder));
    Real whole = i.subR(sum, i.real(kRounder));
    Real odd = i.selectR(isOddBit(i.bitsOfR(sum), 0), withSign(result, x), result);
    // A fractional power of a finite negative number does not exist; of -0 and -inf it has no sign.
    Real fractional = i.selectR(i.lessR(x, zero), i.real(kNan), result);
    fractional = i.selectR(i.equalR(x, i.real(-kInfinity)), result, fractional);
    result = i.selectR(i.equalR(whole, exponent), odd, fractional);
    Real unit = i.selectR(i.equalR(absR(y), i.real(kInfinity)), one, result);
    result = i.selectR(i.equalR(magnitude, one), unit, result);
    result = keepNan(y, keepNan(x, result));
    result = i.selectR(i.equalR(x, one), one, result);
    return i.selectR(i.equalR(y, zero), one, result);
  }

  I &i;
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_ELEMENTARY_H
