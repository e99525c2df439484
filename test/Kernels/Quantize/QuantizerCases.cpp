// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers that are tested, on what numbers, and what Numerics makes of those.

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

static std::string spelled(std::string_view view) { return std::string(view); }

std::string Quantizer::amaxName() const {
  return "amax_" + spelled(format(source).name) + (scheme.levels[0].nan == NanAmax::Ignore ? "_ignore" : "");
}

namespace {
/// Rows of a table: what a scheme is called in a kernel's name, and what it is.
struct Row {
  const char *name;
  FormatId code;
  std::vector<int64_t> block;
  ScaleRule rule;
  /// As IR spells them, and what they do.
  const char *options;
  void (*set)(Scheme &);
};
} // namespace

static void nothing(Scheme &) {}

static const std::vector<Row> &schemes() {
  static const auto *rows = new std::vector<Row>{
      {"tensor", FormatId::F8E4M3FN, {}, ScaleRule::Fdiv, "", nothing},
      {"tensor_e5m2", FormatId::F8E5M2, {}, ScaleRule::Fdiv, "", nothing},
      {"tensor_pow2", FormatId::F8E4M3FN, {}, ScaleRule::FdivPow2, "", nothing},
      {"tensor_ignore",
       FormatId::F8E4M3FN,
       {},
       ScaleRule::Fdiv,
       ", nan = ignore",
       [](Scheme &scheme) { scheme.levels[0].nan = NanAmax::Ignore; }},
      {"row",
       FormatId::F8E4M3FN,
       {1, -1},
       ScaleRule::FdivPow2,
       ", floor = 1.0e-12",
       [](Scheme &scheme) { scheme.levels[0].floor = 1e-12f; }},
      {"block", FormatId::F8E4M3FN, {1, 128}, ScaleRule::FdivPow2, "", nothing},
      {"block_fdiv", FormatId::F8E5M2, {1, 128}, ScaleRule::Fdiv, "", nothing},
      {"cached",
       FormatId::F8E4M3FN,
       {1, 128},
       ScaleRule::FdivPow2,
       ", floor = 1.0e-04",
       [](Scheme &scheme) { scheme.levels[0].floor = 1e-4f; }},
      {"gradient",
       FormatId::F8E4M3FN,
       {1, 128},
       ScaleRule::FdivDec,
       ", apply = div_decode",
       [](Scheme &scheme) { scheme.levels[0].apply = ApplyScale::DivDecode; }},
      {"tile", FormatId::F8E4M3FN, {128, 128}, ScaleRule::FdivPow2, "", nothing},
      {"weight",
       FormatId::F8E4M3FN,
       {128, 128},
       ScaleRule::FdivDec,
       ", floor = 1.0e-04, apply = div_decode",
       [](Scheme &scheme) {
         scheme.levels[0].floor = 1e-4f;
         scheme.levels[0].apply = ApplyScale::DivDecode;
       }},
      // The chip has no instruction for these.
      {"toward_zero",
       FormatId::F8E4M3FN,
       {1, 128},
       ScaleRule::Fdiv,
       "",
       [](Scheme &scheme) { scheme.rounding = Rounding::TowardZero; }},
      {"ieee",
       FormatId::F8E5M2,
       {1, 128},
       ScaleRule::Fdiv,
       "",
       [](Scheme &scheme) { scheme.overflow = Overflow::Ieee; }},
  };
  return *rows;
}

static std::string spell(const Row &row, const Scheme &scheme) {
  std::string block = "tensor";
  if (!row.block.empty()) {
    auto size = [](int64_t extent) { return extent < 0 ? std::string("*") : std::to_string(extent); };
    block = "block [" + size(row.block[0]) + ", " + size(row.block[1]) + "]";
  }
  std::string all = "#qt.scheme<" + spelled(format(row.code).name) + ", [#qt.scale<f32 per " + block +
                    " by " + spelled(name(row.rule)) + row.options + ">]";
  if (scheme.rounding != Rounding::NearestEven)
    all += ", rounding = " + spelled(name(scheme.rounding));
  if (scheme.overflow != Overflow::Saturate)
    all += ", overflow = " + spelled(name(scheme.overflow));
  return all + ">";
}

std::vector<Quantizer> fp8opt::test::allQuantizers() {
  std::vector<Quantizer> all;
  for (const Row &row : schemes())
    for (FormatId source : {FormatId::BF16, FormatId::F16, FormatId::F32}) {
      Scheme scheme;
      scheme.code = row.code;
      scheme.levels = {defaultLevel(row.rule, FormatId::F32, row.block)};
      row.set(scheme);
      std::string schemeText = spell(row, scheme), suffix = "_" + spelled(format(source).name);
      auto add = [&](const std::string &prefix, bool columns, bool rows) {
        all.push_back({prefix + row.name + suffix, source, scheme, schemeText, columns, rows});
      };
      add("columns_", true, false);
      if (row.block == std::vector<int64_t>{1, -1})
        continue;
      add("both_", true, true);
      if (source == FormatId::BF16)
        add("rows_", false, true);
      if (row.block.empty() &&
          (row.name == std::string("tensor") || row.name == std::string("tensor_ignore"))) {
        add("", false, false);
        all.back().name = all.back().amaxName();
      }
    }
  return all;
}

std::string fp8opt::test::moduleText() {
  std::string all =
      "qtile.target @sm_90a chip \"sm_90a\" features \"+ptx88\"\n"
      "  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, "
      "barriers = 16>\n  instructions []\n";
  for (const Quantizer &quantizer : allQuantizers()) {
    std::string source = "!qtile.global<" + spelled(format(quantizer.source).name) + ">",
                codes = "!qtile.global<" + spelled(format(quantizer.scheme.code).name) + ">",
                scales = "!qtile.global<f32>";
    std::string arguments = "%x: " + source, op = quantizer.isAmax() ? "qtile.amax" : "qtile.quantize",
                outputs;
    if (quantizer.isTensor())
      arguments += ", %amax: " + scales;
    if (quantizer.isAmax())
      outputs = " into %amax";
    else if (quantizer.isTensor())
      outputs = " amax %amax";
    if (quantizer.alongColumns) {
      arguments += ", %c: " + codes + ", %s: " + scales;
      outputs += " along_columns(%c, %s : " + codes + ")";
    }
    if (quantizer.alongRows) {
      arguments += ", %ct: " + codes + ", %st: " + scales;
      outputs += " along_rows(%ct, %st : " + codes + ")";
    }
    all += "qtile.kernel @" + quantizer.name + "(" + arguments + ", %m: i32, %n: i32) on @sm_90a {\n  " + op +
           " %x sizes(%m, %n) by " + quantizer.text + outputs + " : " + source + "\n  qtile.return\n}\n";
  }
  return all;
}

// Numbers.

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

/// The stored shape of scales, and which index of theirs is the inner one.
static void placeScales(const Scheme &scheme, const Scales &scales, Expected &expected) {
  const std::vector<int64_t> &block = scheme.levels[0].block;
  int64_t rows = scales.shape.empty() ? 1 : scales.shape[0],
          blocks = scales.shape.empty() ? 1 : scales.shape[1];
  bool isTensor = block.empty(), isByRow = !isTensor && block[0] == 1;
  int64_t inner = isTensor ? 1 : roundUp(isByRow ? rows : blocks, 4), outer = isByRow ? blocks : rows;
  expected.scales.resize(inner * outer);
  expected.isScaleWritten.resize(inner * outer);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < blocks; ++b) {
      size_t offset = isByRow ? b * inner + r : r * inner + b;
      expected.scales[offset] = scales.words[r * blocks + b];
      expected.isScaleWritten[offset] = 1;
    }
}

Expected fp8opt::test::expect(const Quantizer &quantizer, const Matrix &given, bool alongRows) {
  const Matrix matrix = alongRows ? transpose(quantizer.source, given) : given;
  QuantizedNumbers quantized =
      quantize(quantizer.scheme, {quantizer.source, {matrix.rows, matrix.columns}, matrix.bytes.data()});
  Expected expected;
  const int64_t panels = roundUp(matrix.columns, 128) / 128, stored = roundUp(matrix.rows, 16);
  expected.codes.resize(panels * stored * 128);
  expected.isCodeWritten.resize(expected.codes.size());
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t k = 0; k < panels * 128; ++k) {
      size_t offset = (k / 128 * stored + r) * 128 + (((k % 128 / 16) ^ (r % 8)) * 16) + k % 16;
      expected.codes[offset] = k < matrix.columns ? quantized.codes[r * matrix.columns + k] : 0;
      expected.isCodeWritten[offset] = 1;
    }
  placeScales(quantizer.scheme, quantized.scales[0], expected);
  return expected;
}

size_t fp8opt::test::countDifferences(const Expected &expected, const std::vector<uint8_t> &codes,
                                      const std::vector<uint32_t> &scales) {
  size_t count = 0;
  for (size_t i = 0; i < expected.codes.size(); ++i)
    count += expected.isCodeWritten[i] && codes[i] != expected.codes[i];
  auto isNan = [](uint32_t bits) { return (bits & f32::kMagnitude) > f32::kInfinity; };
  for (size_t i = 0; i < expected.scales.size(); ++i)
    count += expected.isScaleWritten[i] && scales[i] != expected.scales[i] &&
             !(isNan(scales[i]) && isNan(expected.scales[i]));
  return count;
}
