// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients by a shared divisor have the codes of those of a division.

#include "fp8-opt/Numerics/SharedDivisor.h"

#include "Arithmetics.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace fp8opt::numerics;

namespace {
/// A chip whose reciprocals are so many units off.
struct Coarse : Host {
  explicit Coarse(int off) : off(off) {}
  Word reciprocalF(Word a) const { return Host::reciprocalF(a) + off; }
  int off;
};

const Format &f32Numbers = format(FormatId::F32), &f16Numbers = format(FormatId::F16),
             &bf16Numbers = format(FormatId::BF16), &e4m3 = format(FormatId::F8E4M3FN),
             &e5m2 = format(FormatId::F8E5M2);

uint32_t next(uint32_t &state) { return state = state * 1664525 + 1013904223; }

int sideOf(uint32_t quotient, uint32_t border) { return (quotient > border) - (quotient < border); }
} // namespace

TEST(SharedDivisor, EqualsADivisionForF32) {
  Host host;
  uint32_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    uint32_t divisor = f32::kOne | next(state) >> 9;
    SharedDivisor<Host> shared(host, divisor, f32Numbers, e4m3);
    for (int j = 0; j < 64; ++j) {
      uint32_t x = f32::kOne | next(state) >> 9;
      ASSERT_EQ(shared.divide(x), Host::divF(x, divisor)) << divisor << " " << x;
    }
  }
}

// Of few bits. A quotient's bits depend on the mantissas alone, where nothing leaves the range of f32.

/// All of f32 by all of bf16.
TEST(SharedDivisor, IsANeighbourOfADivisionForAllMantissasOfBF16) {
  Host host;
  for (uint32_t mantissa = 0; mantissa < 1 << 23; ++mantissa) {
    const uint32_t divisor = f32::kOne | mantissa;
    SharedDivisor<Host> shared(host, divisor, bf16Numbers, e4m3);
    uint32_t furthest = 0;
    for (uint32_t i = 0; i < 128; ++i) {
      const uint32_t x = f32::kOne | i << 16;
      furthest = std::max(furthest, shared.divide(x) - Host::divF(x, divisor) + 1);
    }
    ASSERT_LE(furthest, 2u) << divisor;
  }
}

/// Where a code changes is a number of at most 6 bits. A quotient is less than 2^-23 of itself from the true
/// one, so that only divisors next to x / border matter: all of these, for all mantissas of f16, among which
/// are those of bf16.
TEST(SharedDivisor, LiesWhereADivisionLiesForAllMantissasOfF16) {
  for (int off = -2; off <= 2; ++off) {
    Coarse chip(off);
    for (uint32_t i = 0; i < 1 << 10; ++i)
      for (uint32_t j = 0; j < 1 << 5; ++j) {
        const uint32_t x = f32::powerOfTwo(1) | i << 13, border = f32::kOne | j << 18;
        for (int away = -6; away <= 6; ++away) {
          const uint32_t divisor = Host::divF(x, border) + away;
          SharedDivisor<Coarse> shared(chip, divisor, f16Numbers, e4m3);
          ASSERT_EQ(sideOf(shared.divide(x), border), sideOf(Host::divF(x, divisor), border))
              << off << " " << x << " " << divisor;
        }
      }
  }
}

/// All of f16 and bf16: zeros of both signs, subnormals, infinities, NaN; codes that are subnormal or zero.
TEST(SharedDivisor, HasTheCodesOfADivisionWhereItIsExact) {
  const Conversion how;
  uint32_t state = 2;
  Host host;
  for (int exponent = -60; exponent < 60; ++exponent) {
    Coarse chip(exponent % 3);
    const uint32_t divisor = f32::powerOfTwo(exponent) | next(state) >> 9;
    for (const Format *source : {&bf16Numbers, &f16Numbers, &f32Numbers})
      for (const Format *code : {&e4m3, &e5m2}) {
        SharedDivisor<Coarse> shared(chip, divisor, *source, *code);
        EXPECT_TRUE(shared.isExact());
        int others = 0;
        for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
          const uint32_t x = source == &f16Numbers ? decode(host, *source, bits) : bits << 16;
          others += encode(host, *code, how, shared.divide(x), 0) !=
                    encode(host, *code, how, Host::divF(x, divisor), 0);
        }
        EXPECT_EQ(others, 0) << exponent << " " << source->name << " " << code->name;
      }
  }
}

TEST(SharedDivisor, IsNotExactFarFromOne) {
  Host host;
  auto isExact = [&](float divisor) {
    return SharedDivisor<Host>(host, bitsOf(divisor), bf16Numbers, e4m3).isExact();
  };
  for (float divisor : {0.0f, 0x1p-149f, 0x1p-61f, 0x1p60f, 0x1p127f, INFINITY, NAN, -1.0f})
    EXPECT_FALSE(isExact(divisor)) << divisor;
  EXPECT_TRUE(isExact(0x1p-60f));
}
