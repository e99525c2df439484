// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stochastic rounding over all of its random bits.

#include "Arithmetics.h"

#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr Conversion kStochastic = {Rounding::Stochastic, Overflow::Saturate, NanCode::Max};

/// How many of the 256 random bytes give each magnitude code.
std::vector<int> stochasticCounts(float x) {
  std::vector<int> counts(8);
  for (uint32_t random = 0; random < 256; ++random)
    ++counts[codeOf(FormatId::F4E2M1FN, x, kStochastic, random | 0xABCDEF00) & 7];
  return counts;
}

TEST(Stochastic, E2M1CountsOverAllRandomBytes) {
  // Codes 0 to 7 are 0, 0.5, 1, 1.5, 2, 3, 4, 6.
  EXPECT_EQ(stochasticCounts(2.3f), (std::vector<int>{0, 0, 0, 0, 180, 76, 0, 0}));
  EXPECT_EQ(stochasticCounts(-2.3f), (std::vector<int>{0, 0, 0, 0, 180, 76, 0, 0}));
  EXPECT_EQ(stochasticCounts(5.5f), (std::vector<int>{0, 0, 0, 0, 0, 0, 64, 192}));
  EXPECT_EQ(stochasticCounts(0.1f), (std::vector<int>{205, 51, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(stochasticCounts(3.9f), (std::vector<int>{0, 0, 0, 0, 0, 26, 230, 0}));
  EXPECT_EQ(stochasticCounts(0.001f), (std::vector<int>{256, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(stochasticCounts(6.0f), (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 256}));
  EXPECT_EQ(stochasticCounts(6.7f), (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 256}));
}

TEST(Stochastic, MeanIsWithinOneRandomStepBelow) {
  for (float x : {1.03f, 0.007f, 0.0011f, 300.0f, 17.3f}) {
    double sum = 0;
    for (uint32_t random = 0; random < 0x10000; ++random)
      sum += valueOf(FormatId::F8E4M3FN, codeOf(FormatId::F8E4M3FN, x, kStochastic, random));
    const double step = std::max(0x1p-9, std::ldexp(1.0, std::ilogb(x) - 3));
    EXPECT_LE(sum / 0x10000, x);
    EXPECT_GT(sum / 0x10000, x - step / 0x10000 * 1.0001);
  }
}

/// Transformer Engine's emulation of the hardware's stochastic conversion to E2M1, as it is written there.
float emulatedE2M1(float x, uint32_t random) {
  const float a = std::fabs(x), step = a < 2 ? 0.5f : a < 4 ? 1.0f : 2.0f;
  const float t = std::fma((random & 0xFF) * 0x1p-8f, step, a), stepOfSum = t < 2   ? 0.5f
                                                                            : t < 4 ? 1.0f
                                                                                    : 2.0f;
  return std::copysign(std::fmin(std::floor(t / stepOfSum) * stepOfSum, 6.0f), x);
}

TEST(Stochastic, E2M1EqualsTheSoftwareForm) {
  for (uint32_t i = 0; i < 1u << 20; ++i) {
    const float x = floatOf(0x3A000000 + i * 63); // 2^-11 to above 6
    const uint32_t random = i * 0x9E3779B1u >> 24;
    ASSERT_EQ(valueOf(FormatId::F4E2M1FN, codeOf(FormatId::F4E2M1FN, x, kStochastic, random)),
              emulatedE2M1(x, random))
        << x << " " << random;
  }
}

} // namespace
