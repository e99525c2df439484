// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E8M0 scales of known amaxes, rule by rule.

#include "Arithmetics.h"

#include <cfloat>
#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr float kInf = INFINITY, kNaN = NAN;
const FormatId e4m3 = FormatId::F8E4M3FN, e5m2 = FormatId::F8E5M2, e2m1 = FormatId::F4E2M1FN;
constexpr ScaleRule kRules[] = {ScaleRule::Floor, ScaleRule::Ceil, ScaleRule::Even, ScaleRule::RceilMul};

Scheme microscaling(FormatId code, ScaleRule rule) {
  return schemeOf(code, {defaultLevel(rule, FormatId::F8E8M0FNU, {1, 32})});
}
uint32_t byte(FormatId code, ScaleRule rule, float amax) {
  return quantized(microscaling(code, rule), {amax}, amax).stored[0];
}

struct Row {
  FormatId code;
  float amax;
  uint32_t bytes[4]; // floor, ceil, even, round up
  float codes[4];    // what amax is encoded as; NaN where the block is NaN
};

TEST(Microscaling, BytesAndCodesOfKnownAmaxes) {
  const Row rows[] = {
      {e4m3, 1.0f, {119, 119, 119, 119}, {256, 256, 256, 256}},
      {e4m3, 1.75f, {119, 120, 119, 119}, {448, 224, 448, 448}},
      {e4m3, std::nextafter(1.75f, 2.0f), {119, 120, 119, 120}, {448, 224, 448, 224}},
      {e4m3, 5.3f, {121, 122, 121, 121}, {352, 176, 352, 352}},
      {e4m3, 448, {127, 128, 127, 127}, {448, 224, 448, 448}},
      {e4m3, 449, {127, 128, 127, 128}, {448, 224, 448, 224}},
      {e4m3, 0, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {e4m3, 0x1p-149f, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {e4m3, 0x1p-140f, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {e4m3, 1e-38f, {0, 0, 0, 0}, {1.75f, 1.75f, 1.75f, 1.75f}},
      {e4m3, 0x1.Cp-118f, {1, 2, 1, 1}, {448, 224, 448, 448}},
      {e4m3, 0x1.Cp-119f, {0, 1, 0, 0}, {448, 224, 448, 448}},
      {e4m3, FLT_MAX, {246, 247, 255, 247}, {448, 256, kNaN, 256}},
      {e4m3, 150, {126, 127, 126, 126}, {288, 144, 288, 288}},
      {e4m3, 255, {126, 127, 127, 127}, {448, 256, 256, 256}},
      {e4m3, 480, {127, 128, 127, 128}, {448, 240, 448, 240}},
      {e4m3, 500, {127, 128, 128, 128}, {448, 256, 256, 256}},
      {e5m2, 127.99999f, {118, 119, 119, 119}, {57344, 32768, 32768, 32768}},
      {e2m1, 3, {126, 127, 126, 126}, {6, 3, 6, 6}},
      {e2m1, 4, {127, 127, 127, 127}, {4, 4, 4, 4}},
      {e2m1, 5.3f, {127, 128, 127, 127}, {6, 3, 6, 6}},
      {e2m1, 6, {127, 128, 127, 127}, {6, 3, 6, 6}},
      {e2m1, 6.01f, {127, 128, 127, 128}, {6, 3, 6, 3}},
      {e2m1, 7, {127, 128, 128, 128}, {6, 4, 4, 4}},
      {e2m1, 7.9f, {127, 128, 128, 128}, {6, 4, 4, 4}},
  };
  for (const Row &row : rows)
    for (int i = 0; i < 4; ++i) {
      const Quantized result = quantized(microscaling(row.code, kRules[i]), {row.amax}, row.amax);
      EXPECT_EQ(result.stored[0], row.bytes[i]) << name(kRules[i]) << " " << row.amax;
      if (std::isnan(row.codes[i]))
        EXPECT_TRUE(std::isnan(result.dequantized)) << name(kRules[i]) << " " << row.amax;
      else
        EXPECT_EQ(result.decodedCode, row.codes[i]) << name(kRules[i]) << " " << row.amax;
    }
}

TEST(Microscaling, BlockUnderByte121) {
  const Scheme scheme = microscaling(e4m3, ScaleRule::RceilMul);
  const float x[] = {5.3f, 1, 0.01f, -0.002f}, expected[] = {5.5f, 1, 0.009765625f, -0.001953125f};
  for (int i = 0; i < 4; ++i) {
    const Quantized result = quantized(scheme, {5.3f}, x[i]);
    EXPECT_EQ(result.stored[0], 121u);
    EXPECT_EQ(result.dequantized, expected[i]);
  }
}

TEST(Microscaling, RoundUpEqualsTheExactCeilingBesideItsThreshold) {
  // 1.75 * 2^k and 40 neighbours on either side, where a float logarithm is off by one.
  for (int exponent = -100; exponent < 100; ++exponent)
    for (int beside = -40; beside <= 40; ++beside) {
      const float amax = floatOf(bitsOf(std::ldexp(1.75f, exponent)) + beside);
      const uint32_t expected = 127 + exponent - 8 + (beside > 0);
      EXPECT_EQ(byte(e4m3, ScaleRule::RceilMul, amax), expected) << amax;
      EXPECT_EQ(byte(e4m3, ScaleRule::RceilDiv, amax), expected) << amax;
    }
  EXPECT_EQ(byte(e4m3, ScaleRule::RceilMul, float(448 * (1 + 0x1p-20) * 0x1p100)), 127u + 101);
}

TEST(Microscaling, RoundUpConstantsBringMaxToOne) {
  for (const Format &code : allFormats()) {
    const float largest = floatOf(code.largestAsF32());
    if (whyInvalid(microscaling(code.id, ScaleRule::RceilMul)).empty() && largest < 1e30f)
      EXPECT_EQ(byte(code.id, ScaleRule::RceilMul, largest), 127u) << code.name;
  }
  EXPECT_EQ(bitsOf(1.0f / 448), 0x3B124925u);
  EXPECT_EQ(bitsOf(1.0f / 57344), 0x37924925u);
  EXPECT_EQ(bitsOf(1.0f / 6), 0x3E2AAAABu);
}

TEST(Microscaling, RceilDivNeverGivesTheSubnormalByte) {
  Scheme scheme = microscaling(e4m3, ScaleRule::RceilDiv);
  EXPECT_EQ(quantized(scheme, {0}, 0).stored[0], 1u);
  EXPECT_EQ(quantized(scheme, {1e-38f}, 0).stored[0], 1u);
  scheme.levels[0].floor = 1e-4f;
  const float amaxes[] = {5.3f, 0, 1e-6f, 448, 500}, codes[] = {352, 0, 4, 448, 256};
  const uint32_t bytes[] = {121, 105, 105, 127, 128};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(quantized(scheme, {amaxes[i]}, amaxes[i]).stored[0], bytes[i]) << amaxes[i];
    EXPECT_EQ(quantized(scheme, {amaxes[i]}, amaxes[i]).decodedCode, codes[i]) << amaxes[i];
  }
}

TEST(Microscaling, NonfiniteAmaxes) {
  for (ScaleRule rule : {ScaleRule::Floor, ScaleRule::Ceil, ScaleRule::Even})
    EXPECT_EQ(byte(e4m3, rule, kInf), 255u) << name(rule);
  for (ScaleRule rule : {ScaleRule::RceilMul, ScaleRule::RceilDiv, ScaleRule::RceilMulTe})
    EXPECT_EQ(byte(e4m3, rule, kInf), 254u) << name(rule);
  for (ScaleRule rule : {ScaleRule::Floor, ScaleRule::Ceil, ScaleRule::Even, ScaleRule::RceilMul,
                         ScaleRule::RceilDiv, ScaleRule::RceilMulTe}) {
    EXPECT_EQ(byte(e4m3, rule, kNaN), 255u) << name(rule);
    for (InfAmax inf : {InfAmax::One, InfAmax::SaturateScale, InfAmax::NanScale}) {
      Scheme scheme = microscaling(e4m3, rule);
      scheme.levels[0].inf = inf;
      EXPECT_EQ(quantized(scheme, {kInf}, 0).stored[0], inf == InfAmax::One             ? 127u
                                                        : inf == InfAmax::SaturateScale ? 254u
                                                                                        : 255u);
    }
  }
  // Inf saturates under byte 254 and finite elements vanish; under 255 everything is NaN, whatever the codes.
  EXPECT_EQ(quantized(microscaling(e4m3, ScaleRule::RceilMul), {kInf}, kInf).decodedCode, 448);
  EXPECT_TRUE(std::isnan(quantized(microscaling(e2m1, ScaleRule::RceilMul), {kNaN}, 1).dequantized));
}

TEST(Microscaling, ZeroAmaxIsSmallestOrOneAndNeverNan) {
  for (ScaleRule rule : kRules) {
    Scheme scheme = microscaling(e4m3, rule);
    EXPECT_EQ(quantized(scheme, {0}, 0).stored[0], 0u);
    EXPECT_EQ(quantized(scheme, {0}, 0).dequantized, 0);
    scheme.levels[0].zero = ZeroAmax::One;
    EXPECT_EQ(quantized(scheme, {0}, 0).stored[0], 127u);
  }
}

TEST(Microscaling, FactorsOfEveryByteAreExactReciprocals) {
  Host host;
  const Scheme scheme = microscaling(e4m3, ScaleRule::RceilMul);
  SchemeArithmetic<Host> arithmetic(host, scheme, FormatId::F32);
  for (uint32_t byte = 0; byte < 255; ++byte) {
    EXPECT_EQ(floatOf(arithmetic.decodeFactor({byte})), float(std::ldexp(1.0, int(byte) - 127)));
    EXPECT_EQ(floatOf(arithmetic.givenEncodeFactor({byte})), float(std::ldexp(1.0, 127 - int(byte))));
  }
  EXPECT_EQ(arithmetic.givenEncodeFactor({0}), bitsOf(0x1p127f));
  EXPECT_EQ(arithmetic.givenEncodeFactor({254}), 0x00400000u);
  EXPECT_TRUE(std::isnan(floatOf(arithmetic.givenEncodeFactor({255}))));
  EXPECT_TRUE(std::isnan(floatOf(arithmetic.decodeFactor({255}))));
}

TEST(Microscaling, NoFiniteAmaxGivesNanInAnyFormatExceptByEvensOverflow) {
  for (const Format &code : allFormats())
    for (ScaleRule rule : kRules) {
      if (!whyInvalid(microscaling(code.id, rule)).empty())
        continue;
      for (float amax : {FLT_MAX, 0x1.FFp127f, 0x1p127f, 0x1p-126f, 0x1.8p-127f, 0x1p-127f, 0x1p-128f})
        if (rule != ScaleRule::Even || amax < 0x1p127f)
          EXPECT_LT(byte(code.id, rule, amax), 255u) << code.name << " " << name(rule) << " " << amax;
    }
}

} // namespace
