// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every format of Formats.def against the oracle.

#include "Oracle.h"

#include "fp8-opt/Numerics/Host.h"

#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr Rounding kRoundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::HalfAway,
                                   Rounding::Stochastic};
constexpr Overflow kOverflows[] = {Overflow::Saturate, Overflow::Ieee};
constexpr NanCode kNanCodes[] = {NanCode::Max, NanCode::NegativeZero};

/// A different word for each index, so that random bits and low mantissa bits are spread.
uint32_t scrambled(uint32_t index) {
  uint32_t word = index * 0x9E3779B1u;
  word = (word ^ (word >> 15)) * 0x85EBCA77u;
  return word ^ (word >> 13);
}

class EveryFormat : public testing::TestWithParam<Format> {
protected:
  EveryFormat() : format(GetParam()), oracle(fp8opt::numerics::format(format.id)) {}

  uint32_t encodeBits(uint32_t bits, const Conversion &how, uint32_t random = 0) {
    return encode(host, format, how, bits, random);
  }
  /// Whether one input is encoded as the oracle does; told in words where it is not.
  bool agrees(uint32_t bits, const Conversion &how, uint32_t random = 0) {
    const uint32_t got = encodeBits(bits, how, random), expected = oracle.encode(floatOf(bits), how, random);
    if (got == expected)
      return true;
    ADD_FAILURE() << format.name << ": " << floatOf(bits) << " (bits " << std::hex << bits
                  << ") expected code " << expected << ", got " << got << ", " << name(how.rounding) << " "
                  << name(how.overflow) << " random " << random;
    return false;
  }
  bool agreesInAllWays(uint32_t bits, uint32_t random) {
    for (Rounding rounding : kRoundings)
      for (Overflow overflow : kOverflows)
        for (NanCode nan : kNanCodes)
          if (!agrees(bits, {rounding, overflow, nan}, random))
            return false;
    return true;
  }

  Host host;
  const Format format;
  const Oracle oracle;
};

TEST_P(EveryFormat, DecodesEveryCode) {
  for (uint32_t code = 0; code >> format.bits() == 0; ++code) {
    const double expected = oracle.decode(code);
    const uint32_t bits = decode(host, format, code);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(floatOf(bits))) << code;
    else
      ASSERT_EQ(bits, bitsOf(float(expected))) << code;
  }
}

TEST_P(EveryFormat, ReturnsEveryCodeFromItsValue) {
  for (uint32_t code = 0; code >> format.bits() == 0; ++code) {
    const uint32_t value = decode(host, format, code);
    uint32_t expected = code;
    if (std::isnan(floatOf(value)))
      expected = format.nanCode();
    if (format.isInteger() && code == format.signBit())
      expected = code + 1; // the most negative code is never produced
    for (Rounding rounding : kRoundings)
      ASSERT_EQ(encodeBits(value, {rounding, Overflow::Ieee, NanCode::Max}), expected) << name(rounding);
  }
}

TEST_P(EveryFormat, RoundsAtAndBesideValuesAndMidpoints) {
  for (size_t i = 0; i + 1 < oracle.values.size(); ++i) {
    const double low = oracle.values[i], high = oracle.values[i + 1];
    for (double point : {low, (low + high) / 2, high}) {
      const uint32_t bits = bitsOf(float(point));
      for (uint32_t beside : {bits - 1, bits, bits + 1})
        for (uint32_t sign : {0u, f32::kSign})
          if ((beside & f32::kSign) == 0 && !agreesInAllWays(beside | sign, scrambled(beside)))
            return;
    }
  }
}

TEST_P(EveryFormat, EncodesEvery16BitInput) {
  for (FormatId source : {FormatId::F16, FormatId::BF16})
    for (uint32_t code = 0; code < 0x10000; ++code)
      if (!agreesInAllWays(decode(host, fp8opt::numerics::format(source), code), scrambled(code)))
        return;
}

TEST_P(EveryFormat, EncodesSpreadInputsToNearest) {
  // All signs, exponents and 15 mantissa bits; the low 8 bits are scrambled.
  for (uint32_t high = 0; high < 1u << 24; ++high)
    if (!agrees(high << 8 | (scrambled(high) & 0xFF), Conversion()))
      return;
}

TEST_P(EveryFormat, EncodesSpreadInputsInOtherRoundings) {
  for (uint32_t high = 0; high < 1u << 20; ++high) {
    const uint32_t bits = high << 12 | (scrambled(high) & 0xFFF);
    for (Rounding rounding : {Rounding::TowardZero, Rounding::HalfAway, Rounding::Stochastic})
      if (!agrees(bits, {rounding, Overflow::Ieee, NanCode::Max}, scrambled(bits)))
        return;
  }
}

std::vector<Format> narrowFormats() {
  std::vector<Format> formats;
  for (const Format &format : allFormats())
    if (format.id != FormatId::F32 && format.id != FormatId::TF32)
      formats.push_back(format);
  return formats;
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, testing::ValuesIn(narrowFormats()),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Encode, KeepsF32AsItIs) {
  Host host;
  for (uint32_t high = 0; high < 1u << 16; ++high)
    ASSERT_EQ(encode(host, format(FormatId::F32), Conversion(), high << 16 | high, 0u), high << 16 | high);
}

TEST(Encode, RoundsTf32AsBitsOfF32) {
  Host host;
  const Format &tf32 = format(FormatId::TF32);
  for (uint32_t high = 0; high < 1u << 20; ++high) {
    const uint32_t bits = high << 12 | (scrambled(high) & 0xFFF);
    if (std::isnan(floatOf(bits)))
      continue;
    const uint32_t even = (bits + 0xFFF + (bits >> 13 & 1)) >> 13;
    ASSERT_EQ(encode(host, tf32, {Rounding::NearestEven, Overflow::Ieee, NanCode::Max}, bits, 0u), even);
    ASSERT_EQ(decode(host, tf32, even), even << 13);
  }
}

} // namespace
