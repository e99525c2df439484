// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two-level rule: known blocks under known tensor amaxes, and the factors of a matrix product.

#include "Arithmetics.h"

#include <cfloat>
#include <gtest/gtest.h>

using namespace fp8opt;
using namespace fp8opt::numerics;

namespace {

constexpr float kInf = INFINITY, kNaN = NAN;

Scheme nvfp4(ScaleRule rule = ScaleRule::Nvfp4) {
  return schemeOf(FormatId::F4E2M1FN,
                  {defaultLevel(rule, FormatId::F8E4M3FN, {1, 16}), defaultLevel(rule, FormatId::F32, {})});
}

struct Row {
  float tensorAmax, blockAmax;
  uint32_t blockScale;
  float encodeFactor, x, code, dequantized;
};

TEST(Nvfp4, KnownBlocks) {
  const Row rows[] = {
      {10, 5.3f, 0x77, floatOf(0x3F8F5C28), 5.3f, 6, 5.357143f},
      {10, 5.3f, 0x77, floatOf(0x3F8F5C28), 1.0f, 1, 0.892857f},
      {10, 5.3f, 0x77, floatOf(0x3F8F5C28), -0.4f, -0.5f, -0.446429f},
      {10, 5.3f, 0x77, floatOf(0x3F8F5C28), 0.1f, 0, 0},
      {10, 10, 0x7E, 0.59999996f, 10, 6, 10},
      {5.3f, 5.3f, 0x7E, 1.1320754f, 5.3f, 6, 5.3f},
      {5.3f, 5.3f, 0x7E, 1.1320754f, 1, 1, 0.883333f},
      {2688, 5.3f, 0x36, 1.1428572f, 5.3f, 6, 5.25f},
      {2688, 5.3f, 0x36, 1.1428572f, 2, 2, 1.75f},
      {2688, 5.3f, 0x36, 1.1428572f, 4.375f, 4, 3.5f},
      {10, 0, 0x00, FLT_MAX, 0, 0, 0},
      {2688, 0.004f, 0x00, FLT_MAX, 0.004f, 6, 0},
      {2688, 0.0059f, 0x01, 512, 0.0059f, 3, 0.005859375f},
      {0, 0, 0x00, FLT_MAX, 0, 0, 0},
      {1e-38f, 1e-38f, 0x31, FLT_MAX, 1e-38f, 3, 6.2764e-42f},
      {kInf, 5.3f, 0x36, 1.1428572f, 5.3f, 6, kInf},
  };
  for (ScaleRule rule : {ScaleRule::Nvfp4, ScaleRule::Nvfp4Te})
    for (const Row &row : rows) {
      const Quantized result = quantized(nvfp4(rule), {row.blockAmax, row.tensorAmax}, row.x);
      EXPECT_EQ(result.stored[0], row.blockScale) << row.tensorAmax << " " << row.blockAmax;
      EXPECT_EQ(floatOf(result.stored[1]), row.tensorAmax);
      EXPECT_FLOAT_EQ(result.encodeFactor, row.encodeFactor);
      EXPECT_EQ(result.decodedCode, row.code) << row.x;
      if (std::isinf(row.dequantized))
        EXPECT_EQ(result.dequantized, row.dequantized);
      else
        EXPECT_NEAR(result.dequantized, row.dequantized, std::fabs(row.dequantized) * 1e-5);
    }
}

TEST(Nvfp4, EveryStepIsRoundedInTheOrderOfTheFormula) {
  // Block amaxes whose scale lies beside a tie between two E4M3 codes, where one rounding more decides.
  Host host;
  EXPECT_EQ(bitsOf(1.0f / 2688), 0x39C30C31u);
  uint32_t state = 7; // the seed
  for (int n = 0; n < 20000; ++n) {
    state = state * 1664525 + 1013904223;
    const float tensorAmax = floatOf(0x3F800000 + (state >> 6)); // 1 to 2^16
    const float encode = 2688.0f / tensorAmax, decode = 1.0f / encode;
    const float tie = floatOf(0x41080000 + (state >> 3) % 16 * 0x100000); // 8.5 to 30, halfway between codes
    const float product = encode * floatOf(0x3E2AAAAB);
    const float blockAmax = floatOf(bitsOf(tie / product) + state % 5 - 2);
    const float scale = blockAmax * product;
    const uint32_t code = numerics::encode(host, format(FormatId::F8E4M3FN), Conversion(), bitsOf(scale), 0u);
    const float block = floatOf(numerics::decode(host, format(FormatId::F8E4M3FN), code));
    const Quantized result = quantized(nvfp4(), {blockAmax, tensorAmax}, blockAmax);
    ASSERT_EQ(result.stored[0], code) << tensorAmax << " " << blockAmax << ", seed 7";
    ASSERT_EQ(result.encodeFactor, 1.0f / (block * decode)) << tensorAmax << " " << blockAmax << ", seed 7";
    ASSERT_EQ(result.decodeFactor, (block * tensorAmax) * floatOf(0x39C30C31)) << tensorAmax << ", seed 7";
  }
}

TEST(Nvfp4, InfiniteBlockSaturates) {
  const Quantized result = quantized(nvfp4(), {kInf, kInf}, kInf);
  EXPECT_EQ(result.stored[0], 0x7Eu);
  EXPECT_EQ(result.decodedCode, 6);
}

TEST(Nvfp4, NanReachesTheDequantizedTensorThoughFp4HasNone) {
  const Quantized result = quantized(nvfp4(), {kNaN, kNaN}, kNaN);
  EXPECT_EQ(result.stored[0], 0x7Fu);
  EXPECT_TRUE(std::isnan(result.dequantized));
  EXPECT_TRUE(std::isnan(quantized(nvfp4(), {1, kNaN}, 1).dequantized));
  // Transformer Engine leaves the NaN out of both amaxes; the element becomes 6.
  EXPECT_EQ(quantized(nvfp4(ScaleRule::Nvfp4Te), {5.3f, 10}, kNaN).decodedCode, 6);
}

TEST(Nvfp4, GivenScalesGiveTheSameEncodeFactor) {
  Host host;
  const Scheme scheme = nvfp4();
  SchemeArithmetic<Host> arithmetic(host, scheme, FormatId::BF16);
  for (uint32_t i = 1; i < 20000; ++i) {
    const std::vector<uint32_t> amaxes = {bitsOf(float(i) * 0.137f), bitsOf(float(i) * 0.731f)};
    const std::vector<uint32_t> stored = arithmetic.storedScales(amaxes);
    ASSERT_EQ(arithmetic.encodeFactor(amaxes, stored), arithmetic.givenEncodeFactor(stored));
  }
}

TEST(Nvfp4, OtherStoredTensorScalesDecodeToTheSameWithinRounding) {
  for (StoredScale stored : {StoredScale::Decode, StoredScale::Encode}) {
    Scheme scheme = nvfp4();
    scheme.levels[1].stored = stored;
    const Quantized result = quantized(scheme, {5.3f, 10}, 5.3f);
    EXPECT_EQ(result.stored[0], 0x77u);
    EXPECT_FLOAT_EQ(floatOf(result.stored[1]), stored == StoredScale::Decode ? 10.0f / 2688 : 2688.0f / 10);
    EXPECT_FLOAT_EQ(result.dequantized, 5.357143f);
  }
}

TEST(Nvfp4, TensorFactorOfAProduct) {
  Host host;
  const Scheme two = nvfp4();
  const Scheme one = schemeOf(FormatId::F8E4M3FN, {defaultLevel(ScaleRule::Fdiv, FormatId::F32, {})});
  const uint32_t a = bitsOf(10), b = bitsOf(5.3f);
  EXPECT_EQ(bitsOf(1.0f / (2688.0f * 2688.0f)), 0x34149B93u);
  EXPECT_EQ(floatOf(tensorFactor(host, two, a, two, b)), (10.0f * 5.3f) * floatOf(0x34149B93));
  EXPECT_EQ(floatOf(tensorFactor(host, two, a, one, b)), 10.0f * floatOf(0x39C30C31));
  EXPECT_EQ(floatOf(tensorFactor(host, one, a, one, b)), 1);
  EXPECT_TRUE(hasTensorFactor(one, two));
  EXPECT_FALSE(hasTensorFactor(one, one));
}

TEST(Nvfp4, BlockScaleOfAProductIsTheDecodedByte) {
  Host host;
  const Scheme two = nvfp4();
  const Scheme tensor = schemeOf(FormatId::F8E4M3FN, {defaultLevel(ScaleRule::Fdiv, FormatId::F32, {})});
  EXPECT_EQ(floatOf(SchemeArithmetic<Host>(host, two, FormatId::BF16).blockScale(0x77)), 240);
  EXPECT_EQ(floatOf(SchemeArithmetic<Host>(host, tensor, FormatId::BF16).blockScale(bitsOf(0.25f))), 0.25f);
}

} // namespace
