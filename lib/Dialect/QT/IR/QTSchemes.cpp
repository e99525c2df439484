// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schemes, scales and amaxes: syntax, verification, and the schemes of Numerics that they stand for.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Numerics/SchemeNames.h"

#include "mlir/IR/DialectImplementation.h"
#include <cmath>

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr int64_t kWhole = -1; // numerics::ScaleLevel::block's spelling of a whole dimension

bool numerics::operator==(const ScaleLevel &a, const ScaleLevel &b) {
  return a.type == b.type && a.block == b.block && a.rule == b.rule && a.floor == b.floor &&
         a.zero == b.zero && a.inf == b.inf && a.nan == b.nan && a.overflow == b.overflow &&
         a.stored == b.stored && a.apply == b.apply;
}

llvm::hash_code numerics::hash_value(const ScaleLevel &level) {
  return llvm::hash_combine(level.type, llvm::hash_combine_range(level.block), level.rule,
                            llvm::bit_cast<uint32_t>(level.floor), level.zero, level.inf, level.nan,
                            level.overflow, level.stored, level.apply);
}

/// Parses one of the names Numerics gives an enum; `what` is the word for it in the error.
template <typename EnumT>
static FailureOr<EnumT> parseNamed(AsmParser &parser, StringRef what,
                                   std::optional<EnumT> (*named)(std::string_view)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  if (std::optional<EnumT> value = named(text))
    return *value;
  InFlightDiagnostic diagnostic = parser.emitError(loc);
  diagnostic << "expected the name of a " << what << ", got '" << text << "'; " << what << "s are ";
  llvm::interleaveComma(numerics::namesOf<EnumT>(), diagnostic, [&](StringRef name) { diagnostic << name; });
  return diagnostic;
}

/// Whether a scheme can have codes of this format.
static bool isCodeFormat(numerics::FormatId id) {
  numerics::Scheme scheme;
  scheme.code = id;
  scheme.levels = {numerics::defaultLevel(numerics::ScaleRule::Fdiv, numerics::FormatId::F32, {})};
  return numerics::whyInvalid(scheme).empty();
}

/// Whether the first scale level of a scheme can have this format, under a rule of some family.
static bool isScaleFormat(numerics::FormatId id) {
  using numerics::ScaleRule;
  return llvm::any_of(ArrayRef{ScaleRule::Fdiv, ScaleRule::Floor, ScaleRule::Nvfp4}, [&](ScaleRule rule) {
    numerics::Scheme scheme;
    scheme.code = numerics::FormatId::F4E2M1FN;
    scheme.levels = {numerics::defaultLevel(rule, id, {1, 16})};
    if (numerics::familyOf(rule) == numerics::RuleFamily::TwoLevel)
      scheme.levels.push_back(numerics::defaultLevel(rule, numerics::FormatId::F32, {}));
    return numerics::whyInvalid(scheme).empty();
  });
}

/// Parses the name of a format; an unknown one is told with those that can stand here.
static FailureOr<numerics::FormatId> parseFormat(AsmParser &parser, StringRef what,
                                                 bool (*fits)(numerics::FormatId)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  if (std::optional<numerics::FormatId> id = numerics::formatNamed(text))
    return *id; // whether it fits is the verifier's
  InFlightDiagnostic diagnostic = parser.emitError(loc);
  diagnostic << "expected the name of a " << what << ", got '" << text << "'; " << what << "s are ";
  SmallVector<StringRef> names;
  for (const numerics::Format &format : numerics::allFormats())
    if (fits(format.id))
      names.push_back(format.name);
  llvm::interleaveComma(names, diagnostic);
  return diagnostic;
}

/// An option "key = value" of a scale level or scheme: how to read the value and whether to print it.
template <typename EnumT>
static ParseResult parseInto(AsmParser &parser, StringRef what,
                             std::optional<EnumT> (*named)(std::string_view), EnumT &into) {
  FailureOr<EnumT> value = parseNamed(parser, what, named);
  if (failed(value))
    return failure();
  into = *value;
  return success();
}

static ParseResult parseBlock(AsmParser &parser, std::vector<int64_t> &block) {
  SMLoc open = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalStar())) {
          block.push_back(kWhole);
          return success();
        }
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseInteger(block.emplace_back()))
          return failure();
        if (block.back() < 1) // -1 would pass for a '*'
          return parser.emitError(loc) << "expected a block size of at least 1 or '*', got " << block.back();
        return success();
      }))
    return failure();
  if (block.empty()) // which would pass for 'per tensor'
    return parser.emitError(open) << "expected a block of at least one size, got []";
  return success();
}

/// Parses `tensor` or `block [1, 32]` after `per`.
static ParseResult parseBlocks(AsmParser &parser, std::vector<int64_t> &block) {
  if (succeeded(parser.parseOptionalKeyword("tensor")))
    return success();
  return failure(parser.parseKeyword("block", " or 'tensor'") || parseBlock(parser, block));
}

static ParseResult parseOption(AsmParser &parser, numerics::ScaleLevel &level) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef key;
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  if (key == "floor") {
    double value = 0;
    if (parser.parseFloat(value))
      return failure();
    level.floor = float(value);
    return success();
  }
  if (key == "zero")
    return parseInto(parser, "zero rule", numerics::parseZeroAmax, level.zero);
  if (key == "inf")
    return parseInto(parser, "infinity rule", numerics::parseInfAmax, level.inf);
  if (key == "nan")
    return parseInto(parser, "NaN rule", numerics::parseNanAmax, level.nan);
  if (key == "overflow")
    return parseInto(parser, "scale overflow", numerics::parseScaleOverflow, level.overflow);
  if (key == "stored")
    return parseInto(parser, "stored scale", numerics::parseStoredScale, level.stored);
  if (key == "apply")
    return parseInto(parser, "scale application", numerics::parseApplyScale, level.apply);
  return parser.emitError(loc) << "expected floor, zero, inf, nan, overflow, stored or apply, got '" << key
                               << "'";
}

Attribute ScaleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<numerics::FormatId> type = parseFormat(parser, "scale format", isScaleFormat);
  if (failed(type) || parser.parseKeyword("per"))
    return {};
  std::vector<int64_t> block;
  if (parseBlocks(parser, block) || parser.parseKeyword("by"))
    return {};
  FailureOr<numerics::ScaleRule> rule = parseNamed(parser, "scale rule", numerics::parseScaleRule);
  if (failed(rule))
    return {};
  numerics::ScaleLevel level = numerics::defaultLevel(*rule, *type, block);
  while (succeeded(parser.parseOptionalComma()))
    if (parseOption(parser, level))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ScaleAttr>(loc, parser.getContext(), level);
}

static void printBlocks(AsmPrinter &printer, ArrayRef<int64_t> block) {
  if (block.empty()) {
    printer << "tensor";
    return;
  }
  printer << "block [";
  llvm::interleaveComma(block, printer, [&](int64_t size) {
    if (size == kWhole)
      printer << '*';
    else
      printer << size;
  });
  printer << ']';
}

static LogicalResult verifyBlock(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> block) {
  for (int64_t size : block)
    if (size < 1 && size != kWhole)
      return emitError() << "expected a block size of at least 1 or '*', got " << size;
  return success();
}

SmallVector<int64_t> AmaxAttr::oneSpelling(ArrayRef<int64_t> block) {
  while (block.size() > 2 && block.front() == 1)
    block = block.drop_front();
  SmallVector<int64_t> spelled(block);
  if (spelled.size() == 1)
    spelled.insert(spelled.begin(), 1);
  return spelled;
}

numerics::ScaleLevel ScaleAttr::oneSpelling(numerics::ScaleLevel level) {
  SmallVector<int64_t> block = AmaxAttr::oneSpelling(level.block);
  level.block.assign(block.begin(), block.end());
  level.floor += 0.0f; // minus zero becomes zero
  return level;
}

LogicalResult ScaleAttr::verify(function_ref<InFlightDiagnostic()> emitError, numerics::ScaleLevel level) {
  if (failed(verifyBlock(emitError, level.block))) // C1
    return failure();
  if (!std::isfinite(level.floor) || level.floor < 0) // C2
    return emitError() << "expected a finite floor of at least 0, got " << level.floor;
  return success();
}

void ScaleAttr::print(AsmPrinter &printer) const {
  const numerics::ScaleLevel &level = getLevel();
  printer << '<' << StringRef(numerics::format(level.type).name) << " per ";
  printBlocks(printer, level.block);
  printer << " by " << StringRef(numerics::name(level.rule));
  numerics::ScaleLevel byRule = numerics::defaultLevel(level.rule, level.type, level.block);
  if (level.floor != byRule.floor) {
    printer << ", floor = ";
    printer.printFloat(APFloat(level.floor));
  }
  auto option = [&](StringRef key, auto value, auto usual) {
    if (value != usual)
      printer << ", " << key << " = " << StringRef(numerics::name(value));
  };
  option("zero", level.zero, byRule.zero);
  option("inf", level.inf, byRule.inf);
  option("nan", level.nan, byRule.nan);
  option("overflow", level.overflow, byRule.overflow);
  option("stored", level.stored, byRule.stored);
  option("apply", level.apply, byRule.apply);
  printer << '>';
}

Attribute AmaxAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::vector<int64_t> block;
  if (parser.parseLess() || parser.parseKeyword("per") || parseBlocks(parser, block))
    return {};
  numerics::NanAmax nan = numerics::NanAmax::Propagate;
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("nan") || parser.parseEqual() ||
        parseInto(parser, "NaN rule", numerics::parseNanAmax, nan))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<AmaxAttr>(loc, parser.getContext(), ArrayRef<int64_t>(block), nan);
}

void AmaxAttr::print(AsmPrinter &printer) const {
  printer << "<per ";
  printBlocks(printer, getBlock());
  if (getNan() != numerics::NanAmax::Propagate)
    printer << ", nan = " << StringRef(numerics::name(getNan()));
  printer << '>';
}

LogicalResult AmaxAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> block,
                               numerics::NanAmax) {
  return verifyBlock(emitError, block); // C1
}

AmaxAttr AmaxAttr::getFull(MLIRContext *context, ArrayRef<int64_t> block, numerics::NanAmax nan) {
  if (block == ArrayRef<int64_t>(fullBlock({}, block.size())))
    return get(context, {}, nan);
  SmallVector<int64_t> spelled(block);
  for (int64_t &size : spelled)
    if (ShapedType::isDynamic(size))
      size = kWhole;
  return get(context, spelled, nan);
}

SmallVector<int64_t> AmaxAttr::getFullBlock(int64_t rank) const { return fullBlock(getBlock(), rank); }

RankedTensorType AmaxAttr::getResultType(ArrayRef<int64_t> shape) const {
  return RankedTensorType::get(blockCounts(getBlock(), shape), Float32Type::get(getContext()));
}

Attribute SchemeAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<numerics::FormatId> code = parseFormat(parser, "code format", isCodeFormat);
  SmallVector<ScaleAttr> scales;
  if (failed(code) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return parser.parseCustomAttributeWithFallback(scales.emplace_back());
      }))
    return {};
  numerics::Scheme options;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc keyLoc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    ParseResult parsed = success();
    if (key == "rounding")
      parsed = parseInto(parser, "rounding", numerics::parseRounding, options.rounding);
    else if (key == "overflow")
      parsed = parseInto(parser, "overflow", numerics::parseOverflow, options.overflow);
    else if (key == "nan")
      parsed = parseInto(parser, "NaN code", numerics::parseNanCode, options.nan);
    else
      parsed = parser.emitError(keyLoc) << "expected rounding, overflow or nan, got '" << key << "'";
    if (parsed)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SchemeAttr>(loc, parser.getContext(), *code, ArrayRef(scales), options.rounding,
                                       options.overflow, options.nan);
}

void SchemeAttr::print(AsmPrinter &printer) const {
  printer << '<' << StringRef(numerics::format(getCode()).name) << ", [";
  llvm::interleaveComma(getScales(), printer);
  printer << ']';
  numerics::Scheme usual;
  auto option = [&](StringRef key, auto value, auto usual) {
    if (value != usual)
      printer << ", " << key << " = " << StringRef(numerics::name(value));
  };
  option("rounding", getRounding(), usual.rounding);
  option("overflow", getOverflow(), usual.overflow);
  option("nan", getNan(), usual.nan);
  printer << '>';
}

static numerics::Scheme toNumerics(numerics::FormatId code, ArrayRef<ScaleAttr> scales,
                                   numerics::Rounding rounding, numerics::Overflow overflow,
                                   numerics::NanCode nan) {
  numerics::Scheme scheme;
  scheme.code = code;
  for (ScaleAttr scale : scales)
    scheme.levels.push_back(scale.getLevel());
  scheme.rounding = rounding;
  scheme.overflow = overflow;
  scheme.nan = nan;
  return scheme;
}

numerics::Scheme SchemeAttr::getNumerics() const {
  return toNumerics(getCode(), getScales(), getRounding(), getOverflow(), getNan());
}

AmaxAttr SchemeAttr::getAmax(unsigned level) const {
  numerics::ScaleLevel scale = getScales()[level].getLevel();
  return AmaxAttr::get(getContext(), scale.block, scale.nan);
}

SchemeAttr SchemeAttr::get(MLIRContext *context, const numerics::Scheme &scheme) {
  SmallVector<ScaleAttr> scales;
  for (const numerics::ScaleLevel &level : scheme.levels)
    scales.push_back(ScaleAttr::get(context, level));
  return get(context, scheme.code, scales, scheme.rounding, scheme.overflow, scheme.nan);
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError, numerics::FormatId code,
                                 ArrayRef<ScaleAttr> scales, numerics::Rounding rounding,
                                 numerics::Overflow overflow, numerics::NanCode nan) {
  if (llvm::is_contained(scales, ScaleAttr()))
    return emitError() << "expected scale levels to be #qt.scale attributes";
  std::string problem = numerics::whyInvalid(toNumerics(code, scales, rounding, overflow, nan));
  if (!problem.empty())
    return emitError() << problem;
  return success();
}
