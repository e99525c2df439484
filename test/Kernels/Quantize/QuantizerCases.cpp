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
#include <set>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;

static std::string spelled(std::string_view view) { return std::string(view); }

std::string Quantizer::amaxName() const {
  return (batch ? "amax_batch_" : "amax_") + spelled(format(source).name) +
         (scheme.levels.back().nan == NanAmax::Ignore ? "_ignore" : "");
}

namespace {
/// Matrices in a batch.
constexpr int64_t matricesOfBatch = 3;

/// Rows of a table: what a scheme is called in a kernel's name, and what it is.
struct Row {
  const char *name;
  FormatId code;
  std::vector<int64_t> block;
  ScaleRule rule;
  /// As IR spells them, and what they do.
  const char *options;
  void (*set)(Scheme &);
  FormatId scale = FormatId::F32;
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
      // Scales that are codes.
      {"mxfp8", FormatId::F8E4M3FN, {1, 32}, ScaleRule::RceilMul, "", nothing, FormatId::F8E8M0FNU},
      {"mxfp8_floor", FormatId::F8E5M2, {1, 32}, ScaleRule::Floor, "", nothing, FormatId::F8E8M0FNU},
      {"nvfp4", FormatId::F4E2M1FN, {1, 16}, ScaleRule::Nvfp4, "", nothing, FormatId::F8E4M3FN},
      {"nvfp4_weight", FormatId::F4E2M1FN, {16, 16}, ScaleRule::Nvfp4, "", nothing, FormatId::F8E4M3FN},
  };
  return *rows;
}

static std::string spell(const Row &row, const Scheme &scheme) {
  std::string block = "tensor";
  if (!row.block.empty()) {
    auto size = [](int64_t extent) { return extent < 0 ? std::string("*") : std::to_string(extent); };
    block = "block [" + size(row.block[0]) + ", " + size(row.block[1]) + "]";
  }
  std::string all = "#qt.scheme<" + spelled(format(row.code).name) + ", [#qt.scale<" +
                    spelled(format(row.scale).name) + " per " + block + " by " + spelled(name(row.rule)) +
                    row.options + ">";
  if (scheme.levels.size() > 1)
    all += ", #qt.scale<f32 per tensor by " + spelled(name(row.rule)) + ">";
  all += "]";
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
      scheme.levels = {defaultLevel(row.rule, row.scale, row.block)};
      if (familyOf(row.rule) == RuleFamily::TwoLevel)
        scheme.levels.push_back(defaultLevel(row.rule, FormatId::F32, {}));
      row.set(scheme);
      std::string schemeText = spell(row, scheme), suffix = "_" + spelled(format(source).name);
      auto add = [&](const std::string &prefix, bool columns, bool rows) {
        all.push_back({prefix + row.name + suffix, source, scheme, schemeText, columns, rows});
      };
      // What a thread does with scales that are codes depends little on where its numbers come from.
      // Nor does a batch on the numbers: one scheme of each layout.
      static const std::set<std::string> batched = {"tensor", "row",   "block",       "tile",
                                                    "mxfp8",  "nvfp4", "nvfp4_weight"};
      const bool isBatched = source == FormatId::BF16 && batched.count(row.name);
      const bool isFew = row.scale != FormatId::F32 && source != FormatId::BF16;
      if (!isFew)
        add("columns_", true, false);
      if (isBatched) {
        add("columns_batch_", true, false);
        all.back().batch = matricesOfBatch;
      }
      if (row.block == std::vector<int64_t>{1, -1})
        continue;
      add("both_", true, true);
      if (source == FormatId::BF16)
        add("rows_", false, true);
      if (isBatched) {
        add("both_batch_", true, true);
        all.back().batch = matricesOfBatch;
      }
      if (row.block.empty() &&
          (row.name == std::string("tensor") || row.name == std::string("tensor_ignore"))) {
        add("", false, false);
        all.back().name = all.back().amaxName();
        if (isBatched) {
          add("", false, false);
          all.back().batch = matricesOfBatch;
          all.back().name = all.back().amaxName();
        }
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
                scales = "!qtile.global<" + spelled(format(quantizer.scheme.levels[0].type).name) + ">",
                cell = "!qtile.global<f32>";
    std::string arguments = "%x: " + source, op = quantizer.isAmax() ? "qtile.amax" : "qtile.quantize",
                outputs;
    if (quantizer.isTensor())
      arguments += ", %amax: " + cell;
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
    all += "qtile.kernel @" + quantizer.name + "(" + arguments + (quantizer.batch ? ", %e: i32" : "") +
           ", %m: i32, %n: i32) on @sm_90a {\n  " + op + " %x sizes(%m, %n)" +
           (quantizer.batch ? " in batch(%e)" : "") + " by " + quantizer.text + outputs + " : " + source +
           "\n  qtile.return\n}\n";
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

static void putScale(Expected &expected, size_t offset, uint32_t word, size_t bytes) {
  std::memcpy(&expected.scales[offset * bytes], &word, bytes);
  std::fill_n(&expected.isScaleWritten[offset * bytes], bytes, 1);
}

/// Tiles of 128 rows and 4 scales of each; behind the last scale of a row come zeros. A scale of several rows
/// is that of each.
static void placeCodedScales(const Scheme &scheme, const Scales &scales, int64_t rows, Expected &expected) {
  const int64_t blocks = scales.shape[1], tiles = (blocks + 3) / 4;
  expected.hasF32Scales = false;
  expected.scales.resize((rows + 127) / 128 * tiles * 512);
  expected.isScaleWritten.resize(expected.scales.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < tiles * 4; ++b) {
      size_t offset = (r / 128 * tiles + b / 4) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + b % 4;
      const int64_t ofRow = r / scheme.levels[0].block[0];
      putScale(expected, offset, b < blocks ? scales.words[ofRow * blocks + b] : 0, 1);
    }
}

/// The stored shape of scales of f32, and which index of theirs is the inner one.
static void placeScales(const Scheme &scheme, const Scales &scales, Expected &expected) {
  const std::vector<int64_t> &block = scheme.levels[0].block;
  int64_t rows = scales.shape.empty() ? 1 : scales.shape[0],
          blocks = scales.shape.empty() ? 1 : scales.shape[1];
  bool isTensor = block.empty(), isByRow = !isTensor && block[0] == 1;
  int64_t inner = isTensor ? 1 : roundUp(isByRow ? rows : blocks, 4), outer = isByRow ? blocks : rows;
  expected.scales.resize(inner * outer * sizeof(uint32_t));
  expected.isScaleWritten.resize(expected.scales.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      putScale(expected, isByRow ? b * inner + r : r * inner + b, scales.words[r * blocks + b],
               sizeof(uint32_t));
}

static Expected expectOne(const Quantizer &quantizer, const Matrix &given, bool alongRows) {
  const Matrix matrix = alongRows ? transpose(quantizer.source, given) : given;
  QuantizedNumbers quantized =
      quantize(quantizer.scheme, {quantizer.source, {matrix.rows, matrix.columns}, matrix.bytes.data()});
  Expected expected;
  // Codes of 4 bits lie in pairs, the first one in the lower half of a byte.
  const int64_t bits = format(quantizer.scheme.code).bits(), inByte = 8 / bits, inPanel = 128 * inByte;
  const int64_t panels = roundUp(matrix.columns, inPanel) / inPanel, stored = roundUp(matrix.rows, 16);
  expected.codes.resize(panels * stored * 128);
  expected.isCodeWritten.resize(expected.codes.size());
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t k = 0; k < panels * inPanel; ++k) {
      const int64_t byte = k % inPanel / inByte;
      size_t offset = (k / inPanel * stored + r) * 128 + (((byte / 16) ^ (r % 8)) * 16) + byte % 16;
      const uint8_t code = k < matrix.columns ? quantized.codes[r * matrix.columns + k] : 0;
      expected.codes[offset] |= uint8_t(code << (k % inByte * bits));
      expected.isCodeWritten[offset] = 1;
    }
  if (quantizer.isCoded())
    placeCodedScales(quantizer.scheme, quantized.scales[0], matrix.rows, expected);
  else
    placeScales(quantizer.scheme, quantized.scales[0], expected);
  return expected;
}

Expected fp8opt::test::expect(const Quantizer &quantizer, const std::vector<Matrix> &matrices,
                              bool alongRows) {
  Expected all = expectOne(quantizer, matrices.front(), alongRows);
  for (size_t i = 1; i < matrices.size(); ++i) {
    const Expected next = expectOne(quantizer, matrices[i], alongRows);
    for (auto part :
         {&Expected::codes, &Expected::isCodeWritten, &Expected::scales, &Expected::isScaleWritten})
      (all.*part).insert((all.*part).end(), (next.*part).begin(), (next.*part).end());
  }
  return all;
}

size_t fp8opt::test::countDifferences(const Expected &expected, const std::vector<uint8_t> &codes,
                                      const std::vector<uint8_t> &scales) {
  size_t count = 0;
  for (size_t i = 0; i < expected.codes.size(); ++i)
    count += expected.isCodeWritten[i] && codes[i] != expected.codes[i];
  auto word = [](const std::vector<uint8_t> &bytes, size_t i, size_t size) {
    uint32_t value = 0;
    std::memcpy(&value, &bytes[i], size);
    return value;
  };
  auto isNan = [](uint32_t bits) { return (bits & f32::kMagnitude) > f32::kInfinity; };
  const size_t size = expected.hasF32Scales ? sizeof(uint32_t) : 1;
  for (size_t i = 0; i < expected.scales.size(); i += size) {
    const uint32_t wanted = word(expected.scales, i, size), got = word(scales, i, size);
    const bool areNan = expected.hasF32Scales && isNan(wanted) && isNan(got);
    count += expected.isScaleWritten[i] && wanted != got && !areNan;
  }
  return count;
}
