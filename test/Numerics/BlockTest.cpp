// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole tensors: which elements share a scale, and that every element goes through the arithmetic of its
// block.

#include "Arithmetics.h"

#include "fp8-opt/Numerics/Block.h"

#include <gtest/gtest.h>
#include <random>

using namespace fp8opt::numerics;

namespace {

Scheme microscaling(std::vector<int64_t> block) {
  return schemeOf(FormatId::F8E4M3FN,
                  {defaultLevel(ScaleRule::RceilMul, FormatId::F8E8M0FNU, std::move(block))});
}
Scheme f32Scales(FormatId code, std::vector<int64_t> block) {
  return schemeOf(code, {defaultLevel(ScaleRule::Fdiv, FormatId::F32, std::move(block))});
}
Scheme nvfp4(std::vector<int64_t> block) {
  return schemeOf(FormatId::F4E2M1FN, {defaultLevel(ScaleRule::Nvfp4, FormatId::F8E4M3FN, std::move(block)),
                                       defaultLevel(ScaleRule::Nvfp4, FormatId::F32, {})});
}

std::vector<float> randomNumbers(size_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = normal(generator) * std::exp(3 * normal(generator));
  return numbers;
}
int64_t sizeOf(const Shape &shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}
uint32_t codeAt(const QuantizedNumbers &numbers, const Format &code, int64_t index) {
  if (code.storageBits() == 8)
    return numbers.codes[index];
  uint16_t word;
  std::memcpy(&word, &numbers.codes[2 * index], 2);
  return word;
}

/// The definition of quantization, element by element: the block of an element is everything with equal
/// quotients.
void expectDefinition(const Scheme &scheme, const Shape &shape, uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::vector<float> x = randomNumbers(sizeOf(shape), seed);
  const QuantizedNumbers result = quantize(scheme, {FormatId::F32, shape, x.data()});
  const std::vector<float> back = dequantize(scheme, FormatId::F32, result);
  auto blockOf = [&](size_t level, int64_t index) {
    const Shape block = fullBlock(scheme.levels[level], shape);
    Shape quotients(shape.size());
    for (size_t i = shape.size(); i-- > 0; index /= shape[i])
      quotients[i] = index % shape[i] / block[i];
    return quotients;
  };
  for (size_t i = 0; i < x.size(); ++i) {
    std::vector<float> amaxes(scheme.levels.size(), 0);
    for (size_t level = 0; level < amaxes.size(); ++level)
      for (size_t j = 0; j < x.size(); ++j)
        if (blockOf(level, j) == blockOf(level, i))
          amaxes[level] = std::fmax(amaxes[level], std::fabs(x[j]));
    const Quantized expected = quantized(scheme, amaxes, x[i], FormatId::F32);
    ASSERT_EQ(codeAt(result, format(scheme.code), i), expected.code) << "element " << i;
    ASSERT_EQ(bitsOf(back[i]), bitsOf(expected.dequantized)) << "element " << i;
  }
}

TEST(Block, ShapesOfScales) {
  const Shape shape = {4, 100, 70};
  const FormatId e4m3 = FormatId::F8E4M3FN;
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {1, 32}).levels[0], shape), (Shape{4, 100, 3}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {128, 128}).levels[0], shape), (Shape{4, 1, 1}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {1, -1}).levels[0], shape), (Shape{4, 100, 1}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {}).levels[0], shape), (Shape{4}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {}).levels[0], {7}), (Shape{}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {}).levels[0], {}), (Shape{}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {32}).levels[0], {0}), (Shape{0}));
  EXPECT_EQ(scaleShape(f32Scales(e4m3, {1, -1}).levels[0], {3, 0}), (Shape{3, 1}));
}

TEST(Block, ElementsGoThroughTheArithmeticOfTheirBlock) {
  expectDefinition(microscaling({1, 32}), {3, 70}, 1);
  expectDefinition(microscaling({32, 1}), {70, 3}, 2);
  expectDefinition(f32Scales(FormatId::F8E5M2, {}), {2, 5, 7}, 3);
  expectDefinition(f32Scales(FormatId::F8E4M3FN, {1, -1}), {2, 5, 7}, 4);
  expectDefinition(f32Scales(FormatId::F12E5M6, {4, 3}), {3, 10, 10}, 5);
  expectDefinition(f32Scales(FormatId::Int8, {2, 4, 3}), {3, 10, 10}, 6);
  expectDefinition(nvfp4({1, 16}), {3, 4, 40}, 7);
  expectDefinition(nvfp4({16, 16}), {2, 20, 20}, 8);
  expectDefinition(f32Scales(FormatId::F16, {5}), {17}, 9);
}

TEST(Block, RankZeroAndEmptyTensors) {
  const float one = 3.0f;
  QuantizedNumbers scalar = quantize(f32Scales(FormatId::F8E4M3FN, {}), {FormatId::F32, {}, &one});
  EXPECT_EQ(scalar.codes, (std::vector<uint8_t>{0x7E}));
  EXPECT_EQ(scalar.scales[0].words.size(), 1u);
  QuantizedNumbers empty = quantize(f32Scales(FormatId::F8E4M3FN, {1, -1}), {FormatId::F32, {3, 0}, nullptr});
  EXPECT_EQ(empty.scales[0].words, std::vector<uint32_t>(3, f32::kOne));
  EXPECT_TRUE(dequantize(f32Scales(FormatId::F8E4M3FN, {1, -1}), FormatId::F32, empty).empty());
  QuantizedNumbers none = quantize(nvfp4({1, 16}), {FormatId::F32, {0, 16}, nullptr});
  EXPECT_EQ(none.scales[1].words, std::vector<uint32_t>(1, 0));
}

TEST(Block, ZeroTensorsAreZeroInEveryScheme) {
  const std::vector<float> zeros(4 * 64, 0.0f);
  for (const Scheme &scheme : {microscaling({1, 32}), f32Scales(FormatId::F8E4M3FN, {}), nvfp4({1, 16})})
    for (float number :
         dequantize(scheme, FormatId::F32, quantize(scheme, {FormatId::F32, {4, 64}, zeros.data()})))
      ASSERT_EQ(bitsOf(number), 0u);
}

TEST(Block, SixteenBitSourcesEqualTheirF32Values) {
  const std::vector<float> x = randomNumbers(6 * 50, 10);
  Host host;
  for (FormatId type : {FormatId::F16, FormatId::BF16}) {
    std::vector<uint16_t> narrow;
    std::vector<float> wide;
    for (float number : x) {
      narrow.push_back(encode(host, format(type), Conversion(), bitsOf(number), 0u));
      wide.push_back(floatOf(decode(host, format(type), uint32_t(narrow.back()))));
    }
    const Scheme scheme = microscaling({1, 32});
    const QuantizedNumbers fromNarrow = quantize(scheme, {type, {6, 50}, narrow.data()});
    const QuantizedNumbers fromWide = quantize(scheme, {FormatId::F32, {6, 50}, wide.data()});
    EXPECT_EQ(fromNarrow.codes, fromWide.codes);
    EXPECT_EQ(fromNarrow.scales[0].words, fromWide.scales[0].words);
    const std::vector<float> back = dequantize(scheme, type, fromNarrow);
    for (float number : back)
      ASSERT_EQ(number, floatOf(decode(host, format(type),
                                       encode(host, format(type), Conversion(), bitsOf(number), 0u))));
  }
}

TEST(Block, GivenScalesAreUsedAsTheyAre) {
  const std::vector<float> x = randomNumbers(4 * 64, 11);
  const Scheme scheme = microscaling({1, 32});
  const Numbers input = {FormatId::F32, {4, 64}, x.data()};
  QuantizedNumbers derived = quantize(scheme, input);
  EXPECT_EQ(quantizeByScales(scheme, input, derived.scales).codes, derived.codes);
  for (uint32_t &word : derived.scales[0].words)
    ++word;
  const QuantizedNumbers given = quantizeByScales(scheme, input, derived.scales);
  EXPECT_EQ(given.scales[0].words, derived.scales[0].words);
  EXPECT_NE(given.codes, derived.codes);
}

TEST(Block, QuantizingAgainByTheSameScalesChangesNothing) {
  const std::vector<float> x = randomNumbers(4 * 64, 12);
  for (const Scheme &scheme : {microscaling({1, 32}), nvfp4({1, 16})}) {
    const QuantizedNumbers once = quantize(scheme, {FormatId::F32, {4, 64}, x.data()});
    const std::vector<float> back = dequantize(scheme, FormatId::F32, once);
    const QuantizedNumbers twice =
        quantizeByScales(scheme, {FormatId::F32, {4, 64}, back.data()}, once.scales);
    EXPECT_EQ(dequantize(scheme, FormatId::F32, twice), back);
  }
}

TEST(Block, NanPoisonsItsBlockAndNoOther) {
  std::vector<float> x(64, 2.0f);
  x[1] = NAN;
  const Scheme scheme = microscaling({1, 32});
  const QuantizedNumbers result = quantize(scheme, {FormatId::F32, {1, 64}, x.data()});
  EXPECT_EQ(result.scales[0].words[0], 255u);
  const std::vector<float> back = dequantize(scheme, FormatId::F32, result);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(std::isnan(back[i]), i < 32) << i;
}

TEST(Block, StochasticReadsOneWordForEachElement) {
  Scheme scheme = f32Scales(FormatId::F4E2M1FN, {});
  scheme.rounding = Rounding::Stochastic;
  const std::vector<float> x = {6, 2.3f, 2.3f, 2.3f};
  const std::vector<uint32_t> random = {0, 179, 180, 255};
  const QuantizedNumbers result = quantize(scheme, {FormatId::F32, {4}, x.data()}, random.data());
  EXPECT_EQ(result.codes, (std::vector<uint8_t>{7, 4, 5, 5}));
}

} // namespace
