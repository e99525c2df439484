// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the error measures count, on elements where that is known.

#include "Arithmetics.h"

#include "fp8-opt/Numerics/Error.h"

#include <gtest/gtest.h>

using namespace fp8opt::numerics;

namespace {

QuantizationError errorOf(const Scheme &scheme, const std::vector<float> &x, std::vector<Scales> scales) {
  const Numbers input = {FormatId::F32, {int64_t(x.size())}, x.data()};
  return measureError(scheme, FormatId::F32, x, quantizeByScales(scheme, input, std::move(scales)));
}
std::vector<Scales> unitScale() { return {{{}, {f32::kOne}}}; }

TEST(Error, CountsSaturatedFlushedAndNonfinite) {
  Scheme scheme = schemeOf(FormatId::F8E4M3FN, {defaultLevel(ScaleRule::Fdiv, FormatId::F32, {})});
  const QuantizationError error =
      errorOf(scheme, {448, 463, 465, -1000, 0x1p-11f, 0, -0.0f, NAN, INFINITY, 0x1p-9f}, unitScale());
  EXPECT_EQ(error.count, 10);
  EXPECT_EQ(error.saturated, 2);
  EXPECT_EQ(error.flushed, 1);
  EXPECT_EQ(error.nonfinite, 2);
  scheme.code = FormatId::Int8;
  EXPECT_EQ(errorOf(scheme, {-1.99f, -1.9999f, 3, 1.984375f}, unitScale()).saturated, 2);
  scheme.code = FormatId::F12E5M6;
  EXPECT_EQ(errorOf(scheme, {65024, -65279, -65281}, unitScale()).saturated, 1);
}

TEST(Error, RatioIsOfSquaresInDecibels) {
  const Scheme scheme = schemeOf(FormatId::F4E2M1FN, {defaultLevel(ScaleRule::Fdiv, FormatId::F32, {})});
  const QuantizationError error = errorOf(scheme, {5, 5, 5, 5}, unitScale());
  EXPECT_DOUBLE_EQ(error.decibels(), 10 * std::log10(25.0));
  EXPECT_TRUE(std::isinf(errorOf(scheme, {1, 2}, unitScale()).decibels()));
}

} // namespace
