// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of Formats.def as a value, and what follows from it.

#ifndef FP8_OPT_NUMERICS_FORMAT_H
#define FP8_OPT_NUMERICS_FORMAT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fp8opt::numerics {

enum class FormatId : uint8_t {
#define FP8OPT_FORMAT(Id, name, exponentBits, mantissaBits, bias, specials) Id,
#include "fp8-opt/Numerics/Formats.def"
};

/// Which codes of a format are not finite numbers.
///
/// | Specials          | infinity             | NaN                                  | -0  |
/// |-------------------|----------------------|--------------------------------------|-----|
/// | Ieee              | top exponent, 0      | top exponent, mantissa not 0         | yes |
/// | NanOnly           | none                 | all ones, either sign                | yes |
/// | NegativeZeroIsNan | none                 | only the code that would be -0       | no  |
/// | FiniteOnly        | none                 | none                                 | yes |
/// | PowerOfTwo        | none                 | 255; unsigned, no zero, no mantissa  | no  |
/// | Integer           | none                 | none; two's complement               | no  |
enum class Specials : uint8_t { Ieee, NanOnly, NegativeZeroIsNan, FiniteOnly, PowerOfTwo, Integer };

/// One number format. For Integer formats a code i stands for i * 2^-mantissaBits and `exponentBits` counts
/// the integer bits without the sign: int8 is 1.6 of OCP MXINT8 (largest code 127 = 1.984375), ternary is -1,
/// 0, 1. A code is always the low `bits()` bits of its word, the bits above are zero. The most negative two's
/// complement code is decoded but never produced, so that integer formats are symmetric.
struct Format {
  FormatId id;
  std::string_view name;
  int exponentBits;
  int mantissaBits;
  int bias;
  Specials specials;

  constexpr bool isSigned() const { return specials != Specials::PowerOfTwo; }
  constexpr bool isInteger() const { return specials == Specials::Integer; }
  constexpr bool hasInfinity() const { return specials == Specials::Ieee; }
  constexpr bool hasNan() const { return specials != Specials::FiniteOnly && specials != Specials::Integer; }
  /// Bits of one code as defined by the format: 2, 4, 6, 8, 12, 16, 19 or 32.
  constexpr int bits() const { return int(isSigned()) + exponentBits + mantissaBits; }
  /// Bits of the integer that holds one code where codes are not packed: 8, 16 or 32.
  constexpr int storageBits() const { return bits() <= 8 ? 8 : bits() <= 16 ? 16 : 32; }

  /// The bit of the sign; one above the whole code of an unsigned format.
  constexpr uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  /// The code of the largest finite number.
  constexpr uint32_t largestCode() const {
    switch (specials) {
    case Specials::Ieee:
      return (((1u << exponentBits) - 1) << mantissaBits) - 1;
    case Specials::NanOnly:
    case Specials::PowerOfTwo:
      return signBit() - 2;
    case Specials::NegativeZeroIsNan:
    case Specials::FiniteOnly:
    case Specials::Integer:
      break;
    }
    return signBit() - 1;
  }
  /// The NaN that encoding produces, where the format has one.
  constexpr uint32_t nanCode() const {
    return specials == Specials::NegativeZeroIsNan ? signBit() : signBit() - 1;
  }
  /// The largest finite number as f32 bits.
  constexpr uint32_t largestAsF32() const {
    if (!isInteger())
      return (largestCode() << (23 - mantissaBits)) + (uint32_t(127 - bias) << 23);
    int ones = exponentBits + mantissaBits - 1; // after the leading one
    return (uint32_t(127 + exponentBits - 1) << 23) + (((1u << ones) - 1) << (23 - ones));
  }
  /// floor(log2(largest)), OCP's emax.
  constexpr int largestExponent() const { return int(largestAsF32() >> 23) - 127; }
  /// Random bits that decide one stochastic rounding, as the hardware conversions have them.
  constexpr int randomBits() const { return bits() == 4 ? 8 : mantissaBits > 7 ? 23 - mantissaBits : 16; }
};

namespace detail {
inline constexpr Format kFormats[] = {
#define FP8OPT_FORMAT(Id, name, exponentBits, mantissaBits, bias, specials)                                  \
  {FormatId::Id, name, exponentBits, mantissaBits, bias, Specials::specials},
#include "fp8-opt/Numerics/Formats.def"
};
} // namespace detail

/// Every row, in the order of Formats.def.
constexpr const auto &allFormats() { return detail::kFormats; }
/// The row of `id`.
constexpr const Format &format(FormatId id) { return detail::kFormats[size_t(id)]; }
/// The row called `name` ("f8E4M3FN"), or nothing.
std::optional<FormatId> formatNamed(std::string_view name);

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_FORMAT_H
