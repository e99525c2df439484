// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On what numbers quantizers are tested, what Numerics makes of these, and how arrays lie in memory.

#include "QuantizerCases.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;

static uint32_t encodeNumber(FormatId source, float number) {
  Host host;
  return encode(host, format(source), Conversion(), bitsOf(number), 0u);
}

Matrix fp8opt::test::makeMatrix(FormatId source, int64_t rows, int64_t columns, Filling filling,
                                unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const unsigned bytes = format(source).bits() / 8;
  Matrix matrix = {rows, columns, filling, std::vector<uint8_t>(size_t(rows * columns) * bytes)};
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, -6e-8f, 65504.0f, 3e38f};
  for (int64_t i = 0; i < rows * columns; ++i) {
    // Every 64x64 has its own size, some are zero.
    unsigned place = unsigned(i / columns / 64 * 131 + i % columns / 64);
    float size = std::ldexp(1.0f, int(place * 7 % 29) - 14);
    uint32_t code = encodeNumber(source, normal(random) * (place % 11 == 5 ? 0.0f : size));
    if (filling == Filling::Special && random() % 500 == 0)
      code = encodeNumber(source, special[random() % std::size(special)]);
    if (filling == Filling::Patterns || filling == Filling::SmallPatterns)
      code = bytes == 2 ? uint32_t(i) & 0xFFFF : uint32_t(i) << 16;
    // Up to 2^seed: the sign, a smaller exponent and the rest stay.
    if (filling == Filling::SmallPatterns) {
      Host host;
      float value = floatOf(decode(host, format(source), code));
      if (!(std::fabs(value) <= std::ldexp(1.0f, int(seed))))
        code = encodeNumber(source, std::ldexp(1.0f, -int(seed)));
    }
    std::memcpy(matrix.bytes.data() + i * bytes, &code, bytes);
  }
  return matrix;
}

// What is expected.

static int64_t roundUp(int64_t a, int64_t multiple) { return (a + multiple - 1) / multiple * multiple; }

static Matrix transpose(FormatId source, const Matrix &matrix) {
  const size_t bytes = format(source).bits() / 8;
  Matrix result = {matrix.columns, matrix.rows, matrix.filling, std::vector<uint8_t>(matrix.bytes.size())};
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t c = 0; c < matrix.columns; ++c)
      std::memcpy(&result.bytes[size_t(c * matrix.rows + r) * bytes],
                  &matrix.bytes[size_t(r * matrix.columns + c) * bytes], bytes);
  return result;
}

static void put(Array &array, size_t offset, uint32_t word, size_t bytes) {
  std::memcpy(&array.bytes[offset * bytes], &word, bytes);
  std::fill_n(&array.isWritten[offset * bytes], bytes, 1);
}

/// Tiles of 128 rows and 4 scales of each; behind the last scale of a row come zeros. A scale of several rows
/// is that of each.
static Array placeCodedScales(const Scheme &scheme, const Scales &scales, int64_t rows) {
  const int64_t blocks = scales.shape[1], tiles = (blocks + 3) / 4;
  Array array((rows + 127) / 128 * tiles * 512);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < tiles * 4; ++b) {
      size_t offset = (r / 128 * tiles + b / 4) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + b % 4;
      const int64_t ofRow = r / scheme.levels[0].block[0];
      put(array, offset, b < blocks ? scales.words[ofRow * blocks + b] : 0, 1);
    }
  return array;
}

/// The stored shape of scales of f32, and which index of theirs is the inner one.
static Array placeScales(const Scheme &scheme, const Scales &scales) {
  const std::vector<int64_t> &block = scheme.levels[0].block;
  int64_t rows = scales.shape.empty() ? 1 : scales.shape[0],
          blocks = scales.shape.empty() ? 1 : scales.shape[1];
  bool isTensor = block.empty(), isByRow = !isTensor && block[0] == 1;
  int64_t inner = isTensor ? 1 : roundUp(isByRow ? rows : blocks, 4), outer = isByRow ? blocks : rows;
  Array array(inner * outer * sizeof(uint32_t), FormatId::F32);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      put(array, isByRow ? b * inner + r : r * inner + b, scales.words[r * blocks + b], sizeof(uint32_t));
  return array;
}

static Array placeCodes(const Scheme &scheme, const std::vector<uint8_t> &codes, const Matrix &matrix) {
  // Codes of 4 bits lie in pairs, the first one in the lower half of a byte.
  const int64_t bits = format(scheme.code).bits(), inByte = 8 / bits, inPanel = 128 * inByte;
  const int64_t panels = roundUp(matrix.columns, inPanel) / inPanel, stored = roundUp(matrix.rows, 16);
  Array array(panels * stored * 128);
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t k = 0; k < panels * inPanel; ++k) {
      const int64_t byte = k % inPanel / inByte;
      size_t offset = (k / inPanel * stored + r) * 128 + (((byte / 16) ^ (r % 8)) * 16) + byte % 16;
      const uint8_t code = k < matrix.columns ? codes[r * matrix.columns + k] : 0;
      array.bytes[offset] |= uint8_t(code << (k % inByte * bits));
      array.isWritten[offset] = 1;
    }
  return array;
}

static QuantizedNumbers quantized(const Quantizer &quantizer, const Matrix &matrix) {
  return quantize(quantizer.scheme, {quantizer.source, {matrix.rows, matrix.columns}, matrix.bytes.data()});
}

/// Codes and scales in the orientations of a quantizer.
static std::vector<Array> place(const Quantizer &quantizer, const Matrix &given) {
  std::vector<Array> arrays;
  for (bool alongRows : {false, true})
    if (alongRows ? quantizer.alongRows : quantizer.alongColumns) {
      const Matrix matrix = alongRows ? transpose(quantizer.source, given) : given;
      QuantizedNumbers all = quantized(quantizer, matrix);
      arrays.push_back(placeCodes(quantizer.scheme, all.codes, matrix));
      arrays.push_back(quantizer.isCoded() ? placeCodedScales(quantizer.scheme, all.scales[0], matrix.rows)
                                           : placeScales(quantizer.scheme, all.scales[0]));
    }
  return arrays;
}

static Array asArray(const Matrix &matrix, FormatId number) {
  Array array(matrix.bytes.size(), number);
  array.bytes = matrix.bytes;
  std::fill(array.isWritten.begin(), array.isWritten.end(), 1);
  return array;
}

/// The numbers that the codes of a quantizer of one orientation stand for.
static Matrix decoded(const Quantizer &quantizer, const Matrix &given) {
  Matrix matrix = quantizer.alongRows ? transpose(quantizer.source, given) : given;
  std::vector<float> numbers = dequantize(quantizer.scheme, quantizer.source, quantized(quantizer, matrix));
  const size_t bytes = format(quantizer.source).bits() / 8;
  Host host;
  Conversion exact;
  exact.overflow = Overflow::Ieee;
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint32_t code = encode(host, format(quantizer.source), exact, bitsOf(numbers[i]), 0u);
    std::memcpy(&matrix.bytes[i * bytes], &code, bytes);
  }
  return quantizer.alongRows ? transpose(quantizer.source, matrix) : matrix;
}

static std::vector<Array> inputsOfOne(const Quantizer &quantizer, const Matrix &matrix) {
  if (quantizer.from.empty())
    return {asArray(matrix, quantizer.source)};
  std::vector<Array> arrays = place(quantizer.from[0], matrix);
  for (Array &array : arrays)
    for (size_t i = 0; i < array.bytes.size(); ++i)
      if (!array.isWritten[i])
        array.bytes[i] = 0xFF;
  return arrays;
}

static std::vector<Array> expectOne(const Quantizer &quantizer, const Matrix &matrix) {
  if (quantizer.from.empty())
    return place(quantizer, matrix);
  const Matrix numbers = decoded(quantizer.from[0], matrix);
  if (quantizer.isDequantizer())
    return {asArray(numbers, quantizer.source)};
  return place(quantizer, numbers);
}

/// Each of the arrays of a matrix, after those of the matrices before.
template <typename F> static std::vector<Array> stack(const std::vector<Matrix> &matrices, F arraysOf) {
  std::vector<Array> all = arraysOf(matrices.front());
  for (size_t i = 1; i < matrices.size(); ++i) {
    const std::vector<Array> next = arraysOf(matrices[i]);
    for (size_t a = 0; a < all.size(); ++a)
      for (auto part : {&Array::bytes, &Array::isWritten})
        (all[a].*part).insert((all[a].*part).end(), (next[a].*part).begin(), (next[a].*part).end());
  }
  return all;
}

std::vector<Array> fp8opt::test::inputsOf(const Quantizer &quantizer, const std::vector<Matrix> &matrices) {
  return stack(matrices, [&](const Matrix &matrix) { return inputsOfOne(quantizer, matrix); });
}

std::vector<Array> fp8opt::test::expect(const Quantizer &quantizer, const std::vector<Matrix> &matrices) {
  return stack(matrices, [&](const Matrix &matrix) { return expectOne(quantizer, matrix); });
}

size_t fp8opt::test::countDifferences(const Array &expected, const std::vector<uint8_t> &bytes) {
  const size_t size = expected.number ? format(*expected.number).bits() / 8 : 1;
  Host host;
  auto word = [&](const std::vector<uint8_t> &from, size_t i) {
    uint32_t value = 0;
    std::memcpy(&value, &from[i], size);
    return value;
  };
  auto isNan = [&](uint32_t value) {
    return expected.number && std::isnan(floatOf(decode(host, format(*expected.number), value)));
  };
  size_t count = 0;
  for (size_t i = 0; i < expected.bytes.size(); i += size) {
    const uint32_t wanted = word(expected.bytes, i), got = word(bytes, i);
    count += expected.isWritten[i] && wanted != got && !(isNan(wanted) && isNan(got));
  }
  return count;
}
