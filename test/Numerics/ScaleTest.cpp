// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of known amaxes: f32 factors and E8M0 bytes.

#include "Arithmetics.h"

#include <cfloat>
#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr float kInf = INFINITY, kNaN = NAN;
const FormatId e4m3 = FormatId::F8E4M3FN, e5m2 = FormatId::F8E5M2, e2m1 = FormatId::F4E2M1FN;

Scheme division(FormatId code, ScaleRule rule, std::vector<int64_t> block = {}) {
  return schemeOf(code, {defaultLevel(rule, FormatId::F32, std::move(block))});
}
Scheme powerOfTwo(FormatId code, ScaleRule rule) {
  return schemeOf(code, {defaultLevel(rule, FormatId::F8E8M0FNU, {1, 32})});
}

TEST(Scale, FdivIsMaxOverAmax) {
  const Scheme scheme = division(e4m3, ScaleRule::Fdiv), masked = division(e4m3, ScaleRule::FdivPow2);
  struct {
    float amax;
    uint32_t factor;
    float mask, code, maskedCode;
  } vectors[] = {{3.0f, 0x43155555, 128, 448, 384},
                 {5.3f, 0x42A90E7D, 64, 448, 352},
                 {0.02f, 0x46AF0000, 16384, 448, 320},
                 {1000, 0x3EE56042, 0.25f, 448, 256},
                 {0, f32::kOne, 1, 0, 0},
                 {1e-40f, f32::kLargest, 0x1p127f, 0.03515625f, 0.017578125f}};
  for (const auto &vector : vectors) {
    const Quantized plain = quantized(scheme, {vector.amax}, vector.amax);
    EXPECT_EQ(plain.encodeFactor, floatOf(vector.factor)) << vector.amax;
    EXPECT_EQ(floatOf(plain.stored[0]), 1.0f / floatOf(vector.factor)) << vector.amax;
    EXPECT_EQ(plain.decodedCode, vector.code) << vector.amax;
    const Quantized power = quantized(masked, {vector.amax}, vector.amax);
    EXPECT_EQ(power.encodeFactor, vector.mask) << vector.amax;
    EXPECT_EQ(power.decodedCode, vector.maskedCode) << vector.amax;
  }
  EXPECT_EQ(quantized(division(e5m2, ScaleRule::Fdiv), {3.0f}, 3).encodeFactor, 57344 / 3.0f);
  EXPECT_EQ(quantized(scheme, {1e-37f}, 1e-37f).code, 0x61u);
}

TEST(Scale, InfiniteAmaxScalesByOneAndSaturates) {
  for (ScaleRule rule : {ScaleRule::Fdiv, ScaleRule::FdivDec, ScaleRule::FdivPow2, ScaleRule::FdivTe}) {
    const Quantized result = quantized(division(e4m3, rule), {kInf}, kInf);
    EXPECT_EQ(result.encodeFactor, 1);
    EXPECT_EQ(result.decodedCode, 448);
  }
}

TEST(Scale, NanAmaxReachesEveryElementExceptByTransformerEnginesRules) {
  for (ScaleRule rule : {ScaleRule::Fdiv, ScaleRule::FdivDec, ScaleRule::FdivF64, ScaleRule::FdivPow2}) {
    const Quantized result = quantized(division(e4m3, rule), {kNaN}, 1.0f);
    EXPECT_TRUE(std::isnan(result.dequantized)) << name(rule);
    EXPECT_TRUE(std::isnan(floatOf(result.stored[0]))) << name(rule);
  }
  for (ScaleRule rule : {ScaleRule::FdivTe, ScaleRule::FdivPow2Te}) {
    EXPECT_EQ(quantized(division(e4m3, rule), {kNaN}, 1.0f).encodeFactor, 1);
    EXPECT_EQ(quantized(division(e4m3, rule), {kNaN}, kNaN).code, 0x7Fu);
  }
}

TEST(Scale, NanElementIsLeftOutOfAmaxByTransformerEnginesRules) {
  Host host;
  SchemeArithmetic<Host> ours(host, division(e4m3, ScaleRule::Fdiv), FormatId::BF16);
  SchemeArithmetic<Host> theirs(host, division(e4m3, ScaleRule::FdivTe), FormatId::BF16);
  EXPECT_GT(ours.amaxOf(0, bitsOf(kNaN)), f32::kInfinity);
  EXPECT_EQ(theirs.amaxOf(0, bitsOf(kNaN)), 0u);
  EXPECT_EQ(theirs.amaxOf(0, bitsOf(-kInf)), f32::kInfinity);
  EXPECT_EQ(theirs.amaxOf(0, bitsOf(-2.5f)), bitsOf(2.5f));
}

TEST(Scale, BlockFactorsArePowersOfTwoBoundedByTheExpressedType) {
  const Scheme scheme = division(e4m3, ScaleRule::FdivPow2Te, {1, 128});
  const float amaxes[] = {5.3f, 448, 450, 0, 0x1p-130f, 1e-36f, kInf};
  const float factors[] = {64, 1, 0.5f, 1, 0x1p127f, 0x1p127f, 1};
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(quantized(scheme, {amaxes[i]}, amaxes[i]).encodeFactor, factors[i]) << amaxes[i];
  EXPECT_EQ(bitsOf(1.0f / 0x1p127f), quantized(scheme, {1e-36f}, 0).stored[0]);
  EXPECT_EQ(quantized(scheme, {5.3f}, 5.3f).dequantized, 5.5f);
  EXPECT_EQ(quantized(scheme, {450}, 450).dequantized, 448);
  // f16's largest number is 65504, of which 2^15 is left.
  EXPECT_EQ(quantized(scheme, {0x1p-130f}, 0, FormatId::F16).encodeFactor, 32768);
}

TEST(Scale, FdivDecRaisesAmaxAndStoresAmaxOverMax) {
  Scheme scheme = division(e4m3, ScaleRule::FdivDec, {1, 128});
  scheme.levels[0].floor = 1e-4f;
  scheme.levels[0].apply = ApplyScale::MulReciprocal;
  struct {
    float amax, scale, code;
  } vectors[] = {{5.3f, 5.3f / 448, 448},
                 {0, 1e-4f / 448, 0},
                 {1e-6f, 1e-4f / 448, 4.5f},
                 {448, 1, 448},
                 {500, 500.0f / 448, 448}};
  for (const auto &vector : vectors) {
    const Quantized result = quantized(scheme, {vector.amax}, vector.amax);
    EXPECT_EQ(floatOf(result.stored[0]), vector.scale) << vector.amax;
    EXPECT_EQ(result.decodedCode, vector.code) << vector.amax;
    EXPECT_EQ(result.encodeFactor, 1.0f / vector.scale) << vector.amax;
  }
  scheme.levels[0].apply = ApplyScale::DivDecode;
  EXPECT_EQ(quantized(scheme, {5.3f}, 5.3f).encodeFactor, 5.3f / 448);
}

TEST(Scale, FdivF64EqualsTheQuotientOfDoubles) {
  Scheme scheme = division(e4m3, ScaleRule::FdivF64);
  for (const Format &code : allFormats()) {
    scheme.code = code.id;
    if (!whyInvalid(scheme).empty())
      continue;
    for (uint32_t bits = 1; bits < f32::kInfinity; bits += 0x4003) {
      const float amax = floatOf(bits);
      const double quotient = double(floatOf(code.largestAsF32())) / double(amax);
      const float expected = std::isinf(float(quotient)) ? FLT_MAX : float(quotient);
      if (expected >= 0x1p-127f)
        ASSERT_EQ(quantized(scheme, {amax}, 0).encodeFactor, expected) << code.name << " " << amax;
    }
  }
}

TEST(Scale, FdivF64WithItsFloorHasTheKnownFactors) {
  Scheme scheme = division(e4m3, ScaleRule::FdivF64);
  scheme.levels[0].floor = 1e-12f;
  EXPECT_EQ(bitsOf(quantized(scheme, {0}, 0).encodeFactor), 0x57CBBA10u);
  EXPECT_EQ(bitsOf(quantized(scheme, {1e-13f}, 0).encodeFactor), 0x57CBBA10u);
  EXPECT_EQ(quantized(scheme, {1e-13f}, 1e-13f).decodedCode, 44);
  // The floor is 1e-12 in double there and in float here; no factor tells them apart.
  for (FormatId code : {e4m3, e5m2, FormatId::F8E4M3FNUZ, e2m1}) {
    scheme.code = code;
    const double largest = floatOf(format(code).largestAsF32());
    EXPECT_EQ(quantized(scheme, {0}, 0).encodeFactor, float(largest / 1e-12));
  }
}

TEST(Scale, FiniteAmaxesGiveFiniteFactors) {
  for (FormatId code : {e4m3, e5m2, e2m1, FormatId::Int8, FormatId::Ternary})
    for (ScaleRule rule : {ScaleRule::Fdiv, ScaleRule::FdivDec, ScaleRule::FdivF64, ScaleRule::FdivPow2})
      for (ApplyScale apply : {ApplyScale::MulEncode, ApplyScale::DivDecode, ApplyScale::MulReciprocal})
        for (ZeroAmax zero : {ZeroAmax::One, ZeroAmax::Smallest})
          for (float amax : {0.0f, 0x1p-149f, 1e-40f, 0x1p-127f, 1e-37f, 1.0f, FLT_MAX}) {
            Scheme scheme = division(code, rule);
            scheme.levels[0].apply = apply;
            scheme.levels[0].zero = zero;
            const Quantized result = quantized(scheme, {amax}, amax);
            EXPECT_TRUE(std::isfinite(result.encodeFactor)) << name(rule) << " " << amax;
            EXPECT_TRUE(std::isfinite(result.decodeFactor)) << name(rule) << " " << amax;
            EXPECT_GT(result.decodeFactor, 0) << name(rule) << " " << amax;
            // The largest number may round up to infinity.
            EXPECT_TRUE(amax == FLT_MAX || std::isfinite(result.dequantized)) << name(rule) << " " << amax;
          }
}

TEST(Scale, OverflowCanBeInfinite) {
  Scheme scheme = division(e4m3, ScaleRule::Fdiv);
  scheme.levels[0].overflow = ScaleOverflow::Inf;
  EXPECT_EQ(quantized(scheme, {1e-40f}, 0).encodeFactor, kInf);
}

TEST(Scale, WhatIsStoredGivesTheSameDecodeFactor) {
  Scheme scheme = division(e4m3, ScaleRule::Fdiv);
  const float decode = quantized(scheme, {5.3f}, 0).decodeFactor;
  scheme.levels[0].stored = StoredScale::Encode;
  EXPECT_EQ(floatOf(quantized(scheme, {5.3f}, 0).stored[0]), 448 / 5.3f);
  EXPECT_EQ(quantized(scheme, {5.3f}, 0).decodeFactor, decode);
  scheme.levels[0].stored = StoredScale::Amax;
  EXPECT_EQ(floatOf(quantized(scheme, {5.3f}, 0).stored[0]), 5.3f);
  EXPECT_EQ(quantized(scheme, {5.3f}, 0).decodeFactor, decode);
}

TEST(Scale, RequantizationToAPowerOfTwoChangesTheCodes) {
  // A block of 336, -0.75, 3 with scale 0.75 has codes 448, -1, 4; with scale 1 it has codes 320, -0.75, 3.
  Host host;
  Scheme f32Scales = division(e4m3, ScaleRule::FdivDec), powers = powerOfTwo(e4m3, ScaleRule::RceilMul);
  SchemeArithmetic<Host> from(host, f32Scales, FormatId::F32), to(host, powers, FormatId::F32);
  const float values[] = {336, -0.75f, 3}, codes[] = {448, -1, 4}, requantized[] = {320, -0.75f, 3};
  const uint32_t factor = from.givenEncodeFactor({bitsOf(0.75f)}), power = to.givenEncodeFactor({127});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(decode(host, format(e4m3), from.encodeElement(bitsOf(values[i]), factor, 0)), bitsOf(codes[i]));
    EXPECT_EQ(decode(host, format(e4m3), to.encodeElement(bitsOf(values[i]), power, 0)),
              bitsOf(requantized[i]));
  }
}

} // namespace
