// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions whose results are known from other implementations or worked out by hand.

#include "Arithmetics.h"

#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr Conversion kIeee = {Rounding::NearestEven, Overflow::Ieee, NanCode::Max};
constexpr Conversion kMinusZero = {Rounding::NearestEven, Overflow::Saturate, NanCode::NegativeZero};
constexpr float kTwoToMinus10 = 0x1p-10f, kInf = INFINITY, kNaN = NAN;

struct Vector {
  FormatId to;
  float x;
  uint32_t code;
};

TEST(ConversionVectors, NearestEvenSaturates) {
  const FormatId e4m3 = FormatId::F8E4M3FN, e5m2 = FormatId::F8E5M2, e2m1 = FormatId::F4E2M1FN,
                 e2m3 = FormatId::F6E2M3FN, e3m2 = FormatId::F6E3M2FN;
  const Vector vectors[] = {
      {e4m3, 0.1f, 0x1D},    {e4m3, 1.0625f, 0x38}, {e4m3, 1.1875f, 0x3A},
      {e4m3, 17, 0x58},      {e4m3, 19, 0x5A},      {e4m3, kTwoToMinus10, 0},
      {e4m3, 0x1.8p-10f, 1}, {e4m3, 0x3p-10f, 2},   {e4m3, 464, 0x7E},
      {e4m3, 465, 0x7E},     {e4m3, kInf, 0x7E},    {e4m3, -kInf, 0xFE},
      {e4m3, kNaN, 0x7F},    {e4m3, -0.3f, 0xAA},   {e5m2, 0.1f, 0x2E},
      {e5m2, 9, 0x48},       {e5m2, 1.125f, 0x3C},  {e5m2, 1.375f, 0x3E},
      {e5m2, 11, 0x4A},      {e5m2, 13, 0x4A},      {e5m2, 0x1p-16f, 1},
      {e5m2, 0x1p-17f, 0},   {e5m2, 0x1.8p-17f, 1}, {e5m2, 61439, 0x7B},
      {e5m2, 61440, 0x7B},   {e5m2, 65504, 0x7B},   {e5m2, kInf, 0x7B},
      {e5m2, kNaN, 0x7F},    {e2m1, 0.1f, 0},       {e2m1, 0.25f, 0},
      {e2m1, 0.75f, 2},      {e2m1, 1.25f, 2},      {e2m1, 1.75f, 4},
      {e2m1, 2.5f, 4},       {e2m1, 3.5f, 6},       {e2m1, 5, 6},
      {e2m1, 5.0001f, 7},    {e2m1, 7, 7},          {e2m1, kInf, 7},
      {e2m1, kNaN, 7},       {e2m1, -kNaN, 7},      {e2m1, -0.25f, 8},
      {e2m1, -kInf, 15},     {e2m1, -2.5f, 12},     {e2m3, 0.1f, 1},
      {e2m3, 0.0625f, 0},    {e2m3, 0.1875f, 2},    {e2m3, 7.25f, 0x1E},
      {e2m3, 7.75f, 0x1F},   {e2m3, 9, 0x1F},       {e2m3, 3.3f, 0x15},
      {e3m2, 0.1f, 2},       {e3m2, 26, 0x1E},      {e3m2, 30, 0x1F},
      {e3m2, 32, 0x1F},      {e3m2, 3.3f, 0x13},
  };
  for (const Vector &vector : vectors)
    EXPECT_EQ(codeOf(vector.to, vector.x), vector.code) << format(vector.to).name << " " << vector.x;
}

TEST(ConversionVectors, IeeeOverflowGivesInfinityOrNan) {
  const Vector vectors[] = {
      {FormatId::F8E4M3FN, 464, 0x7E},  {FormatId::F8E4M3FN, 465, 0x7F},   {FormatId::F8E4M3FN, 1000, 0x7F},
      {FormatId::F8E4M3FN, kInf, 0x7F}, {FormatId::F8E4M3FN, 61440, 0x7F}, {FormatId::F8E5M2, 61439, 0x7B},
      {FormatId::F8E5M2, 61440, 0x7C},  {FormatId::F8E5M2, kInf, 0x7C},    {FormatId::F8E5M2, -kInf, 0xFC},
      {FormatId::F8E4M3, 248, 0x78},    {FormatId::F8E4M3, 247, 0x77},     {FormatId::F8E4M3FNUZ, kInf, 0x80},
      {FormatId::F4E2M1FN, kInf, 7},    {FormatId::F4E2M1FN, 1e9f, 7},     {FormatId::F8E8M0FNU, kInf, 255},
      {FormatId::F16, 65520, 0x7C00},   {FormatId::BF16, 3.4e38f, 0x7F80},
  };
  for (const Vector &vector : vectors)
    EXPECT_EQ(codeOf(vector.to, vector.x, kIeee), vector.code) << format(vector.to).name << " " << vector.x;
}

TEST(ConversionVectors, SaturatedOverflowKeepsSpacing) {
  EXPECT_EQ(valueOf(FormatId::F8E5M2, codeOf(FormatId::F8E5M2, 464)), 448);
  EXPECT_EQ(valueOf(FormatId::F8E5M2, codeOf(FormatId::F8E5M2, 465)), 448);
  EXPECT_EQ(valueOf(FormatId::F8E5M2, codeOf(FormatId::F8E5M2, 1000)), 1024);
}

TEST(ConversionVectors, NanCanBecomeMinusZeroWhereThereIsNoNan) {
  EXPECT_EQ(codeOf(FormatId::F4E2M1FN, kNaN, kMinusZero), 8u);
  EXPECT_EQ(codeOf(FormatId::F6E3M2FN, kNaN, kMinusZero), 0x20u);
  EXPECT_EQ(codeOf(FormatId::F8E4M3FN, kNaN, kMinusZero), 0x7Fu);
}

TEST(ConversionVectors, MinusZeroAndTinyNegativesHaveTheSignOnlyWhereItExists) {
  for (float x : {-0.0f, -1e-5f}) {
    EXPECT_EQ(codeOf(FormatId::F8E4M3FN, x), 0x80u);
    EXPECT_EQ(codeOf(FormatId::F4E2M1FN, x), 0x8u);
    EXPECT_EQ(codeOf(FormatId::F8E4M3FNUZ, x), 0x00u);
    EXPECT_EQ(codeOf(FormatId::F8E4M3, x), 0x80u);
  }
}

TEST(ConversionVectors, DecodesTheTopCodesOfEachE4M3) {
  EXPECT_EQ(valueOf(FormatId::F8E4M3FN, 0x7E), 448);
  EXPECT_TRUE(std::isnan(valueOf(FormatId::F8E4M3FN, 0x7F)));
  EXPECT_TRUE(std::isnan(valueOf(FormatId::F8E4M3FN, 0xFF)));
  EXPECT_EQ(valueOf(FormatId::F8E4M3FN, 0x01), 0x1p-9f);
  EXPECT_EQ(valueOf(FormatId::F8E4M3FN, 0x08), 0x1p-6f);
  EXPECT_EQ(valueOf(FormatId::F8E5M2, 0x7B), 57344);
  EXPECT_EQ(valueOf(FormatId::F8E5M2, 0x7C), kInf);
  EXPECT_TRUE(std::isnan(valueOf(FormatId::F8E4M3FNUZ, 0x80)));
  EXPECT_EQ(valueOf(FormatId::F8E4M3FNUZ, 0x7F), 240);
  EXPECT_EQ(valueOf(FormatId::F8E5M2FNUZ, 0x7F), 57344);
  EXPECT_EQ(valueOf(FormatId::F8E4M3, 0x77), 240);
  EXPECT_EQ(valueOf(FormatId::F8E4M3, 0x78), kInf);
  EXPECT_EQ(valueOf(FormatId::F12E5M6, 0x7BF), 65024);
}

TEST(ConversionVectors, E8M0HasNoZeroAndItsEndsAreSubnormalAndNan) {
  const FormatId e8m0 = FormatId::F8E8M0FNU;
  EXPECT_EQ(bitsOf(valueOf(e8m0, 0)), 0x00400000u);
  EXPECT_EQ(valueOf(e8m0, 1), 0x1p-126f);
  EXPECT_EQ(valueOf(e8m0, 127), 1);
  EXPECT_EQ(valueOf(e8m0, 254), 0x1p127f);
  EXPECT_TRUE(std::isnan(valueOf(e8m0, 255)));
  EXPECT_EQ(codeOf(e8m0, 0), 0u);
  EXPECT_EQ(codeOf(e8m0, -0.0f), 0u);
  EXPECT_EQ(codeOf(e8m0, 0, kIeee), 255u);
  EXPECT_EQ(codeOf(e8m0, -1), 255u);
  EXPECT_EQ(codeOf(e8m0, kInf), 254u);
  EXPECT_EQ(codeOf(e8m0, kNaN), 255u);
}

TEST(ConversionVectors, ConstantOfOneOfEachKindFoldsToKnownBytes) {
  const float inputs[] = {0.1f, -0.3f, 448, 0, -0.0f, 1e-4f};
  const uint32_t bytes[] = {0x1D, 0xAA, 0x7E, 0x00, 0x80, 0x00};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(codeOf(FormatId::F8E4M3FN, inputs[i]), bytes[i]);
}

TEST(ConversionVectors, HalfAwayRoundsAsTheMicroscalingLibrary) {
  const Conversion away = {Rounding::HalfAway, Overflow::Saturate, NanCode::Max};
  const float inputs[] = {0.25f, 1.25f, 2.5f, 5, 0.75f, 3.5f}, expected[] = {0.5f, 1.5f, 3, 6, 1, 4};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(valueOf(FormatId::F4E2M1FN, codeOf(FormatId::F4E2M1FN, inputs[i], away)), expected[i]);
  EXPECT_EQ(valueOf(FormatId::F8E4M3FN, codeOf(FormatId::F8E4M3FN, 17, away)), 18);
}

TEST(ConversionVectors, IntegersAreSymmetricAndOfTheirWeights) {
  EXPECT_EQ(codeOf(FormatId::Int8, 1.984375f), 127u);
  EXPECT_EQ(codeOf(FormatId::Int8, -1.9999f), 0x81u);
  EXPECT_EQ(valueOf(FormatId::Int8, 0x80), -2);
  // Activations 0.5, -2, 1, 0.003 at 127 / 2: 31.75, -127, 63.5, 0.19.
  const float x[] = {0.5f, -2, 1, 0.003f};
  const uint32_t expected[] = {32, 0x81, 64, 0};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(codeOf(FormatId::Int8, x[i] * (127.0f / 64) / 2), expected[i]);
  // Weights 0.3, -0.05, 0.12, -0.6 over their mean magnitude.
  const float w[] = {0.3f, -0.05f, 0.12f, -0.6f};
  const uint32_t ternary[] = {1, 0, 0, 3};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(codeOf(FormatId::Ternary, w[i] / 0.2675f), ternary[i]);
  EXPECT_EQ(valueOf(FormatId::Ternary, 3), -1);
}

} // namespace
