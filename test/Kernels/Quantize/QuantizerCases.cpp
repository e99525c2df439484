// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers that are tested, as kernels.

#include "QuantizerCases.h"

#include <cstdlib>
#include <set>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;

static std::string spelled(std::string_view view) { return std::string(view); }

int64_t Quantizer::countAmaxes(int64_t rows, int64_t columns) const {
  if (from.empty() && isTensor())
    return 1;
  return from.empty() && isByRow() && (alongRows || isAmax()) ? rows + columns : 0;
}

std::string Quantizer::amaxName() const {
  return std::string("amax_") + (isByRow() ? "row_" : "") + (batch ? "batch_" : "") +
         spelled(format(source).name) + (scheme.levels.back().nan == NanAmax::Ignore ? "_ignore" : "");
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
      {"row_ignore",
       FormatId::F8E5M2,
       {1, -1},
       ScaleRule::Fdiv,
       ", nan = ignore",
       [](Scheme &scheme) { scheme.levels[0].nan = NanAmax::Ignore; }},
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

static Quantizer makeQuantizer(const Row &row, FormatId source) {
  Scheme scheme;
  scheme.code = row.code;
  scheme.levels = {defaultLevel(row.rule, row.scale, row.block)};
  if (familyOf(row.rule) == RuleFamily::TwoLevel)
    scheme.levels.push_back(defaultLevel(row.rule, FormatId::F32, {}));
  row.set(scheme);
  return {row.name, source, scheme, spell(row, scheme), false, false};
}

static Quantizer findQuantizer(const std::string &name, FormatId source, bool alongColumns, bool alongRows) {
  for (const Row &row : schemes())
    if (row.name == name) {
      Quantizer quantizer = makeQuantizer(row, source);
      quantizer.alongColumns = alongColumns;
      quantizer.alongRows = alongRows;
      return quantizer;
    }
  std::abort();
}

/// What is read, what is made, and along what. The first is what `deepseek_v3` does with activations.
static void addRequantizers(std::vector<Quantizer> &all) {
  struct Pair {
    const char *from, *to;
    FormatId source;
    bool alongColumns, alongRows;
  };
  const Pair pairs[] = {{"cached", "cached", FormatId::BF16, false, true},
                        {"cached", "cached", FormatId::F16, false, true},
                        {"cached", "cached", FormatId::F32, false, true},
                        {"gradient", "block", FormatId::BF16, true, true},
                        {"block_fdiv", "block_fdiv", FormatId::BF16, false, true},
                        {"tensor", "block", FormatId::BF16, false, true},
                        {"row", "mxfp8", FormatId::BF16, false, true},
                        {"weight", "gradient", FormatId::BF16, true, false},
                        {"ieee", "tile", FormatId::BF16, true, true}};
  for (const Pair &pair : pairs) {
    Quantizer made = findQuantizer(pair.to, pair.source, pair.alongColumns, pair.alongRows);
    const std::string along = !pair.alongRows     ? "columns_"
                              : pair.alongColumns ? "both_"
                                                  : "rows_",
                      schemes = std::string(pair.from) + "_" + pair.to + "_";
    made.name = "requantize_" + along + schemes + spelled(format(pair.source).name);
    made.from = {findQuantizer(pair.from, pair.source, true, false)};
    all.push_back(made);
    if (pair.source == FormatId::BF16) {
      made.name = "requantize_" + along + "batch_" + schemes + spelled(format(pair.source).name);
      made.batch = matricesOfBatch;
      all.push_back(made);
    }
  }
}

static void addDequantizers(std::vector<Quantizer> &all) {
  for (const char *name : {"tensor", "row", "block", "gradient", "weight", "block_fdiv", "ieee"})
    for (FormatId source : {FormatId::BF16, FormatId::F16, FormatId::F32})
      for (bool alongRows : {false, true}) {
        // Which type the numbers have matters once.
        if (source != FormatId::BF16 && name != std::string("block"))
          continue;
        Quantizer from = findQuantizer(name, source, !alongRows, alongRows), made = from;
        made.alongColumns = made.alongRows = false;
        const std::string along = alongRows ? "rows_" : "columns_",
                          suffix = std::string(name) + "_" + spelled(format(source).name);
        made.name = "dequantize_" + along + suffix;
        made.from = {from};
        all.push_back(made);
        static const std::set<std::string> batched = {"tensor", "row", "block", "weight"};
        if (source == FormatId::BF16 && batched.count(name)) {
          made.name = "dequantize_" + along + "batch_" + suffix;
          made.batch = matricesOfBatch;
          all.push_back(made);
        }
      }
}

std::vector<Quantizer> fp8opt::test::allQuantizers() {
  std::vector<Quantizer> all;
  for (const Row &row : schemes())
    for (FormatId source : {FormatId::BF16, FormatId::F16, FormatId::F32}) {
      auto add = [&](const std::string &prefix, bool columns, bool rows) {
        Quantizer quantizer = makeQuantizer(row, source);
        quantizer.name = prefix + row.name + "_" + spelled(format(source).name);
        quantizer.alongColumns = columns;
        quantizer.alongRows = rows;
        all.push_back(quantizer);
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
      add("both_", true, true);
      if (source == FormatId::BF16)
        add("rows_", false, true);
      if (isBatched) {
        add("both_batch_", true, true);
        all.back().batch = matricesOfBatch;
      }
      static const std::set<std::string> withAmax = {"tensor", "tensor_ignore", "row", "row_ignore"};
      if (withAmax.count(row.name)) {
        add("", false, false);
        all.back().name = all.back().amaxName();
        if (isBatched) {
          add("", false, false);
          all.back().batch = matricesOfBatch;
          all.back().name = all.back().amaxName();
        }
      }
    }
  addRequantizers(all);
  addDequantizers(all);
  return all;
}

static std::string global(FormatId id) { return "!qtile.global<" + spelled(format(id).name) + ">"; }

/// The op with its operands up to the sizes, and what of its schemes follows them; and the arguments for
/// these.
static std::pair<std::string, std::string> beginOp(const Quantizer &quantizer) {
  const std::string sizes = std::string(" sizes(%m, %n)") + (quantizer.batch ? " in batch(%e)" : "");
  if (quantizer.from.empty()) {
    const char *name = quantizer.isAmax() ? "qtile.amax" : "qtile.quantize";
    return {name + (" %x" + sizes) + " by " + quantizer.text, "%x: " + global(quantizer.source)};
  }
  const Quantizer &from = quantizer.from[0];
  std::string arguments = "%x: " + global(from.scheme.code) + ", %sx: " + global(FormatId::F32);
  std::string operands = " %x by %sx as " + from.text;
  if (quantizer.isDequantizer())
    return {"qtile.dequantize" + operands + " along " + (from.alongRows ? "rows" : "columns") + sizes +
                " into %y",
            arguments + ", %y: " + global(quantizer.source)};
  return {"qtile.requantize" + operands + " of " + spelled(format(quantizer.source).name) + sizes + " by " +
              quantizer.text,
          arguments};
}

static std::string kernelText(const Quantizer &quantizer) {
  auto [op, arguments] = beginOp(quantizer);
  std::string codes = global(quantizer.scheme.code), scales = global(quantizer.scheme.levels[0].type);
  std::string type = global(quantizer.from.empty() ? quantizer.source : quantizer.from[0].scheme.code);
  if (quantizer.countAmaxes(1, 1)) {
    arguments += ", %amax: " + global(FormatId::F32);
    op += quantizer.isAmax() ? " into %amax" : " amax %amax";
  }
  if (quantizer.alongColumns) {
    arguments += ", %c: " + codes + ", %s: " + scales;
    op += " along_columns(%c, %s : " + codes + ")";
  }
  if (quantizer.alongRows) {
    arguments += ", %ct: " + codes + ", %st: " + scales;
    op += " along_rows(%ct, %st : " + codes + ")";
  }
  if (quantizer.isDequantizer())
    type += " -> " + global(quantizer.source);
  arguments += std::string(quantizer.batch ? ", %e: i32" : "") + ", %m: i32, %n: i32";
  return "qtile.kernel @" + quantizer.name + "(" + arguments + ") on @sm_90a {\n  " + op + " : " + type +
         "\n  qtile.return\n}\n";
}

std::string fp8opt::test::moduleText() {
  std::string all =
      "qtile.target @sm_90a chip \"sm_90a\" features \"+ptx88\"\n"
      "  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, "
      "barriers = 16>\n  instructions []\n";
  for (const Quantizer &quantizer : allQuantizers())
    all += kernelText(quantizer);
  return all;
}
