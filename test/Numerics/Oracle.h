// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions by their definition: the value of every code is written down in a table from the fields of the
// code, and encoding searches the table. Shares nothing with Arithmetic.h but the description of a format.

#ifndef FP8_OPT_TEST_NUMERICS_ORACLE_H
#define FP8_OPT_TEST_NUMERICS_ORACLE_H

#include "fp8-opt/Numerics/Arithmetic.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

namespace fp8opt::numerics {

inline void PrintTo(const Format &format, std::ostream *stream) { *stream << format.name; }

class Oracle {
public:
  explicit Oracle(const Format &of) : format(of) {
    // One entry more than there are finite codes: where the next one would be.
    for (uint32_t code = 0; code <= of.largestCode() + 1; ++code)
      values.push_back(magnitude(code));
  }

  /// The value of any code.
  double decode(uint32_t code) const {
    if (format.isInteger())
      return std::ldexp(double(int32_t(code << (32 - format.bits())) >> (32 - format.bits())),
                        -format.mantissaBits);
    if (format.specials == Specials::PowerOfTwo)
      return code == 255 ? NAN : values[code];
    const uint32_t signBit = format.signBit();
    const double sign = code & signBit ? -1 : 1;
    const uint32_t rest = code & (signBit - 1);
    if (format.specials == Specials::NegativeZeroIsNan && code == signBit)
      return NAN;
    if (rest <= format.largestCode())
      return sign * values[rest];
    return format.hasInfinity() && rest == format.largestCode() + 1 ? sign * INFINITY : NAN;
  }

  uint32_t encode(float x, const Conversion &how, uint32_t random) const {
    const bool powers = format.specials == Specials::PowerOfTwo;
    const bool saturates = how.overflow == Overflow::Saturate;
    if (std::isnan(x))
      return nan(how);
    if (powers && x == 0)
      return saturates ? 0 : 255;
    if (powers && x < 0)
      return 255;
    uint32_t code = round(std::fabs(double(x)), how, random);
    const bool clamped = how.rounding == Rounding::TowardZero && !std::isinf(x);
    const bool beyondExists = format.hasInfinity() || format.hasNan();
    if (code > format.largestCode())
      code = saturates || clamped || !beyondExists ? format.largestCode()
             : format.hasInfinity()                ? format.largestCode() + 1
                                                   : format.nanCode();
    if (!std::signbit(x))
      return code;
    if (format.isInteger())
      return (0 - code) & (2 * format.signBit() - 1);
    if (code == 0 && format.specials == Specials::NegativeZeroIsNan)
      return 0;
    return code | format.signBit();
  }

  std::vector<double> values;

private:
  /// The magnitude of a code without sign bit, as if none of them were special.
  double magnitude(uint32_t code) const {
    if (format.isInteger())
      return std::ldexp(double(code), -format.mantissaBits);
    const int mantissaBits = format.mantissaBits;
    const uint32_t mantissa = code & ((1u << mantissaBits) - 1), exponent = code >> mantissaBits;
    if (exponent == 0 && format.specials != Specials::PowerOfTwo)
      return std::ldexp(double(mantissa), 1 - format.bias - mantissaBits);
    return std::ldexp(double(mantissa + (1u << mantissaBits)), int(exponent) - format.bias - mantissaBits);
  }

  uint32_t nan(const Conversion &how) const {
    switch (format.specials) {
    case Specials::Ieee:
    case Specials::NanOnly:
      return format.signBit() - 1;
    case Specials::NegativeZeroIsNan:
      return format.signBit();
    case Specials::PowerOfTwo:
      return 255;
    case Specials::FiniteOnly:
      return how.nan == NanCode::Max ? format.signBit() - 1 : format.signBit();
    case Specials::Integer:
      return how.nan == NanCode::Max ? format.signBit() - 1 : 0;
    }
    return 0;
  }

  /// The code, or one above the largest. All comparisons are of numbers that double holds exactly.
  uint32_t round(double x, const Conversion &how, uint32_t random) const {
    if (x >= values.back())
      return values.size() - 1;
    if (x < values.front())
      return 0;
    const uint32_t below = std::upper_bound(values.begin(), values.end(), x) - values.begin() - 1;
    const double low = values[below], step = values[below + 1] - low;
    const double middle = low + step / 2;
    switch (how.rounding) {
    case Rounding::NearestEven:
      return x > middle || (x == middle && below % 2 == 1) ? below + 1 : below;
    case Rounding::TowardZero:
      return below;
    case Rounding::HalfAway:
      return x >= middle ? below + 1 : below;
    case Rounding::Stochastic:
      break;
    }
    const double chances = std::ldexp(1.0, format.randomBits());
    const double threshold = low + step * (chances - (random & (uint32_t(chances) - 1))) / chances;
    return x >= threshold ? below + 1 : below;
  }

  const Format &format;
};

} // namespace fp8opt::numerics

#endif // FP8_OPT_TEST_NUMERICS_ORACLE_H
