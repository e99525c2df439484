// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, defaults and refusals of schemes, and what follows from the rows of Formats.def.

#include "Arithmetics.h"

#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

std::string problemOf(FormatId code, std::vector<ScaleLevel> levels) {
  return whyInvalid(schemeOf(code, std::move(levels)));
}

TEST(Scheme, EveryNameIsReadBack) {
  for (const Format &format : allFormats())
    EXPECT_EQ(formatNamed(format.name), format.id);
  EXPECT_FALSE(formatNamed("f8"));
  for (int i = 0; i <= int(ScaleRule::Nvfp4Te); ++i)
    EXPECT_EQ(parseScaleRule(name(ScaleRule(i))), ScaleRule(i));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(parseRounding(name(Rounding(i))), Rounding(i));
  EXPECT_FALSE(parseScaleRule("nearest"));
}

TEST(Scheme, FormatsHaveTheKnownLimits) {
  const struct {
    FormatId id;
    float largest;
    int exponent;
  } rows[] = {{FormatId::F8E4M3FN, 448, 8},   {FormatId::F8E5M2, 57344, 15},
              {FormatId::F8E4M3, 240, 7},     {FormatId::F8E4M3FNUZ, 240, 7},
              {FormatId::F6E2M3FN, 7.5f, 2},  {FormatId::F6E3M2FN, 28, 4},
              {FormatId::F4E2M1FN, 6, 2},     {FormatId::F8E5M2FNUZ, 57344, 15},
              {FormatId::F16, 65504, 15},     {FormatId::Int8, 1.984375f, 0},
              {FormatId::Ternary, 1, 0},      {FormatId::F8E8M0FNU, 0x1p127f, 127},
              {FormatId::F12E5M6, 65024, 15}, {FormatId::F32, 3.40282347e38f, 127}};
  for (const auto &row : rows) {
    EXPECT_EQ(floatOf(format(row.id).largestAsF32()), row.largest) << format(row.id).name;
    EXPECT_EQ(format(row.id).largestExponent(), row.exponent) << format(row.id).name;
  }
  EXPECT_EQ(format(FormatId::BF16).largestAsF32(), 0x7F7F0000u);
}

TEST(Scheme, RandomBitsAreThoseOfTheHardware) {
  EXPECT_EQ(format(FormatId::F4E2M1FN).randomBits(), 8);
  for (FormatId id :
       {FormatId::F8E4M3FN, FormatId::F8E5M2, FormatId::F6E2M3FN, FormatId::F6E3M2FN, FormatId::BF16})
    EXPECT_EQ(format(id).randomBits(), 16);
  EXPECT_EQ(format(FormatId::F16).randomBits(), 13);
}

TEST(Scheme, RefusalsNameTheLevelAndBothSides) {
  const FormatId e4m3 = FormatId::F8E4M3FN, f32 = FormatId::F32, e8m0 = FormatId::F8E8M0FNU;
  EXPECT_EQ(problemOf(e4m3, {defaultLevel(ScaleRule::Fdiv, f32, {})}), "");
  EXPECT_EQ(problemOf(e4m3, {}), "expected one or two scale levels, got 0");
  EXPECT_EQ(problemOf(f32, {defaultLevel(ScaleRule::Fdiv, f32, {})}),
            "expected a code format of at most 16 bits with a sign, got f32");
  EXPECT_EQ(problemOf(e8m0, {defaultLevel(ScaleRule::Fdiv, f32, {})}),
            "expected a code format of at most 16 bits with a sign, got f8E8M0FNU");
  EXPECT_EQ(problemOf(e4m3, {defaultLevel(ScaleRule::RceilMul, f32, {1, 32})}),
            "expected scales of type f8E8M0FNU in scale level 0, as rule rceil_mul gives, got f32");
  EXPECT_EQ(problemOf(e4m3, {defaultLevel(ScaleRule::Fdiv, f32, {1, 0})}),
            "expected block sizes of at least 1 in scale level 0, got 0");
  ScaleLevel level = defaultLevel(ScaleRule::RceilMul, e8m0, {1, 32});
  level.stored = StoredScale::Amax;
  EXPECT_EQ(problemOf(e4m3, {level}), "expected scale level 0 to store the decode factor, as scales of type "
                                      "f8E8M0FNU do, got amax");
  level = defaultLevel(ScaleRule::Fdiv, f32, {});
  level.floor = -1;
  EXPECT_EQ(problemOf(e4m3, {level}),
            "expected a finite floor of at least 0 in scale level 0, got -1.000000");
  const ScaleLevel block = defaultLevel(ScaleRule::Nvfp4, e4m3, {1, 16});
  EXPECT_EQ(problemOf(FormatId::F4E2M1FN, {block}),
            "expected two scale levels of one rule with nvfp4, got 1");
  EXPECT_EQ(problemOf(e4m3, {block, defaultLevel(ScaleRule::Nvfp4, f32, {})}),
            "expected codes of type f4E2M1FN with nvfp4, got f8E4M3FN");
}

} // namespace
