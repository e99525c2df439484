// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of Formats.def as a value.

#ifndef FP8_OPT_NUMERICS_FORMAT_H
#define FP8_OPT_NUMERICS_FORMAT_H

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

/// One number format. For Integer formats a code i stands for i * 2^-mantissaBits and `exponentBits` counts the
/// integer bits without the sign: int8 is 1.6 of OCP MXINT8 (largest code 127 = 1.984375), ternary is -1, 0, 1.
struct Format {
  FormatId id;
  std::string_view name;
  int exponentBits;
  int mantissaBits;
  int bias;
  Specials specials;

  constexpr bool isSigned() const { return specials != Specials::PowerOfTwo; }
  constexpr bool isInteger() const { return specials == Specials::Integer; }
  /// Bits of one code as defined by the format: 4, 6, 8, 12, 16, 19 or 32.
  constexpr int bits() const { return int(isSigned()) + exponentBits + mantissaBits; }
  /// Bits of the integer that holds one code where codes are not packed: 8, 16 or 32.
  constexpr int storageBits() const { return bits() <= 8 ? 8 : bits() <= 16 ? 16 : 32; }
};

/// The row of `id`.
const Format &format(FormatId id);
/// The row called `name` ("f8E4M3FN"), or nothing.
std::optional<FormatId> formatNamed(std::string_view name);

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_FORMAT_H
