// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients by a shared divisor are those of a division, bit for bit where a code depends on them.

#include "fp8-opt/Numerics/SharedDivisor.h"

#include "Arithmetics.h"
#include "gtest/gtest.h"

using namespace fp8opt::numerics;

namespace {
constexpr float kNegligible = 0x1p-38f, kSaturated = 0x1p24f;

/// Whether no code of 8 bits tells the quotients apart.
bool areAlike(float quotient, float exact) {
  if (bitsOf(quotient) == bitsOf(exact) || (std::isnan(quotient) && std::isnan(exact)))
    return true;
  if (std::signbit(quotient) != std::signbit(exact))
    return false;
  float a = std::fabs(quotient), b = std::fabs(exact);
  return (a < kNegligible && b < kNegligible) || (a > kSaturated && b > kSaturated);
}

/// How many of the numbers are divided otherwise than by a division.
template <typename NumberOf> int64_t countOther(uint32_t divisor, uint32_t count, NumberOf numberOf) {
  Host host;
  SharedDivisor<Host> shared(host, divisor);
  int64_t others = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t x = numberOf(i);
    others += !areAlike(floatOf(shared.divide(x)), floatOf(x) / floatOf(divisor));
  }
  return others;
}

uint32_t next(uint32_t &state) { return state = state * 1664525 + 1013904223; }
} // namespace

/// A quotient's bits depend on the mantissas alone, where nothing leaves the range of f32: all of f32 by all
/// of bf16.
TEST(SharedDivisor, EqualsADivisionForAllMantissasOfBF16) {
  for (uint32_t mantissa = 0; mantissa < 1 << 23; ++mantissa)
    ASSERT_EQ(countOther(f32::kOne | mantissa, 128, [](uint32_t i) { return f32::kOne | i << 16; }), 0)
        << mantissa;
}

TEST(SharedDivisor, EqualsADivisionForF32) {
  uint32_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    uint32_t divisor = f32::kOne | next(state) >> 9;
    ASSERT_EQ(countOther(divisor, 64, [&](uint32_t) { return f32::kOne | next(state) >> 9; }), 0) << divisor;
  }
}

/// All of bf16: zeros of both signs, subnormals, infinities, NaN.
TEST(SharedDivisor, HasTheCodesOfADivisionWhereItIsExact) {
  Host host;
  uint32_t state = 2;
  for (int exponent = -60; exponent < 60; ++exponent) {
    uint32_t divisor = f32::powerOfTwo(exponent) | next(state) >> 9;
    EXPECT_TRUE(SharedDivisor<Host>(host, divisor).isExact());
    EXPECT_EQ(countOther(divisor, 1 << 16, [](uint32_t i) { return i << 16; }), 0) << exponent;
  }
}

TEST(SharedDivisor, IsNotExactFarFromOne) {
  Host host;
  for (float divisor : {0.0f, 0x1p-149f, 0x1p-61f, 0x1p60f, 0x1p127f, INFINITY, NAN, -1.0f})
    EXPECT_FALSE(SharedDivisor<Host>(host, bitsOf(divisor)).isExact()) << divisor;
  EXPECT_TRUE(SharedDivisor<Host>(host, bitsOf(0x1p-60f)).isExact());
}
