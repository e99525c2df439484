// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions against the host's libm in double, and their special values.

#include "fp8-opt/Numerics/Elementary.h"
#include "fp8-opt/Numerics/Host.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

constexpr float kInf = INFINITY, kNaN = NAN;

class ElementaryFunctions : public testing::Test {
protected:
  using Function = uint32_t (Elementary<Host>::*)(uint32_t);
  float call(Function function, float x) { return floatOf((elementary.*function)(bitsOf(x))); }
  float pow(float x, float y) { return floatOf(elementary.pow(bitsOf(x), bitsOf(y))); }

  /// Distance in units of the last place of the exact result's f32.
  static double unitsBetween(float got, double exact) {
    if (std::isnan(exact) || std::isnan(got))
      return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
    const float rounded = float(exact);
    if (std::isinf(rounded) || std::isinf(got) || rounded == 0)
      return got == rounded && std::signbit(got) == std::signbit(rounded) ? 0 : INFINITY;
    const double unit = std::ldexp(1.0, std::max(std::ilogb(rounded), -126) - 23);
    return std::fabs(got - exact) / unit;
  }

  /// Over every 509th f32 pattern of magnitude below `limit`, 8.4 million of them: the error in units.
  void expectClose(Function function, double (*exact)(double), float limit = kInf) {
    double worst = 0;
    float where = 0;
    for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 509) {
      const float x = floatOf(uint32_t(bits));
      if (!(std::fabs(x) < limit))
        continue;
      const double units = unitsBetween(call(function, x), exact(x));
      if (units > worst)
        worst = units, where = x;
    }
    EXPECT_LT(worst, 0.501) << "at " << where << ": got " << call(function, where) << ", expected "
                            << exact(where);
  }

  Host host;
  Elementary<Host> elementary{host};
};

double inverseRoot(double x) { return 1 / std::sqrt(x); }

TEST_F(ElementaryFunctions, ExpIsClose) { expectClose(&Elementary<Host>::exp, std::exp); }
TEST_F(ElementaryFunctions, LogIsClose) { expectClose(&Elementary<Host>::log, std::log); }
TEST_F(ElementaryFunctions, SqrtIsClose) { expectClose(&Elementary<Host>::sqrt, std::sqrt); }
TEST_F(ElementaryFunctions, RsqrtIsClose) { expectClose(&Elementary<Host>::rsqrt, inverseRoot); }
TEST_F(ElementaryFunctions, TanhIsClose) { expectClose(&Elementary<Host>::tanh, std::tanh); }
TEST_F(ElementaryFunctions, ErfIsClose) { expectClose(&Elementary<Host>::erf, std::erf); }
TEST_F(ElementaryFunctions, SinIsClose) { expectClose(&Elementary<Host>::sin, std::sin, 0x1p28f); }
TEST_F(ElementaryFunctions, CosIsClose) { expectClose(&Elementary<Host>::cos, std::cos, 0x1p28f); }

TEST_F(ElementaryFunctions, PowIsClose) {
  double worst = 0;
  uint32_t state = 1; // the seed
  for (int n = 0; n < 1 << 22; ++n) {
    state = state * 1664525 + 1013904223;
    const float x = floatOf(0x38000000 + state % 0x10000000); // 2^-15 to 2^17
    state = state * 1664525 + 1013904223;
    const float y = float(int32_t(state)) * 0x1p-27f;
    const double units = unitsBetween(pow(x, y), std::pow(double(x), double(y)));
    if (units > worst) {
      worst = units;
      ASSERT_LT(worst, 0.501) << x << " to the power of " << y << ", seed 1";
    }
  }
}

TEST_F(ElementaryFunctions, PowHasTheSpecialValuesOfC) {
  const float values[] = {0,    -0.0f,    1,     -1,       0.5f,      -0.5f,  2,       -2,      3,
                          -3,   2.5f,     -2.5f, kInf,     -kInf,     kNaN,   1e30f,   -1e30f,  1e-30f,
                          4e7f, 16777216, 3e38f, 16777215, -16777215, 1e-45f, -1e-45f, 33554432};
  for (float x : values)
    for (float y : values)
      EXPECT_LT(unitsBetween(pow(x, y), std::pow(double(x), double(y))), 0.501)
          << x << " to the power of " << y << ": " << pow(x, y);
}

TEST_F(ElementaryFunctions, SpecialValues) {
  using E = Elementary<Host>;
  EXPECT_EQ(call(&E::exp, -kInf), 0);
  EXPECT_EQ(call(&E::exp, kInf), kInf);
  EXPECT_EQ(call(&E::exp, 0), 1);
  EXPECT_EQ(call(&E::log, 0), -kInf);
  EXPECT_EQ(call(&E::log, -0.0f), -kInf);
  EXPECT_EQ(call(&E::log, kInf), kInf);
  EXPECT_TRUE(std::isnan(call(&E::log, -1)));
  EXPECT_EQ(call(&E::log, 1), 0);
  EXPECT_EQ(call(&E::rsqrt, 0), kInf);
  EXPECT_EQ(call(&E::rsqrt, -0.0f), -kInf);
  EXPECT_EQ(call(&E::rsqrt, kInf), 0);
  EXPECT_TRUE(std::isnan(call(&E::rsqrt, -1)));
  EXPECT_EQ(call(&E::tanh, kInf), 1);
  EXPECT_EQ(call(&E::tanh, -kInf), -1);
  EXPECT_EQ(call(&E::erf, kInf), 1);
  EXPECT_EQ(call(&E::erf, -kInf), -1);
  EXPECT_TRUE(std::isnan(call(&E::sin, kInf)));
  EXPECT_TRUE(std::isnan(call(&E::cos, -kInf)));
  EXPECT_TRUE(std::isnan(call(&E::sin, 0x1p28f)));
  for (auto function : {&E::sin, &E::tanh, &E::erf, &E::sqrt})
    EXPECT_EQ(bitsOf(call(function, -0.0f)), f32::kSign);
  for (auto function : {&E::exp, &E::log, &E::sqrt, &E::rsqrt, &E::tanh, &E::erf, &E::sin, &E::cos})
    EXPECT_TRUE(std::isnan(call(function, kNaN)));
}

} // namespace
