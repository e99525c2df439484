// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: syntax, scheme conversion.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
constexpr int64_t kWhole = -1; // numerics::ScaleLevel::block's spelling of a whole dimension
} // namespace

static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(sizes.emplace_back()); });
}
static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer);
  printer << ']';
}

#include "fp8-opt/Dialect/QT/IR/QTEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTAttrs.cpp.inc"

void QTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fp8-opt/Dialect/QT/IR/QTAttrs.cpp.inc"
      >();
}

bool numerics::operator==(const ScaleLevel &a, const ScaleLevel &b) {
  return a.type == b.type && a.block == b.block && a.rule == b.rule && a.floor == b.floor && a.zero == b.zero &&
         a.inf == b.inf && a.nan == b.nan && a.overflow == b.overflow && a.stored == b.stored && a.apply == b.apply;
}

llvm::hash_code numerics::hash_value(const ScaleLevel &level) {
  return llvm::hash_combine(level.type, llvm::hash_combine_range(level.block), level.rule,
                            llvm::bit_cast<uint32_t>(level.floor), level.zero, level.inf, level.nan, level.overflow,
                            level.stored, level.apply);
}

/// Parses one of the names Numerics gives an enum; `what` is the word for it in the error.
template <typename EnumT>
static FailureOr<EnumT> parseNamed(AsmParser &parser, StringRef what, std::optional<EnumT> (*named)(std::string_view)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  if (std::optional<EnumT> value = named(text))
    return *value;
  return parser.emitError(loc) << "expected the name of a " << what << ", got '" << text << "'", failure();
}

/// An option "key = value" of a scale level or scheme: how to read the value and whether to print it.
template <typename EnumT>
static ParseResult parseInto(AsmParser &parser, StringRef what, std::optional<EnumT> (*named)(std::string_view),
                             EnumT &into) {
  FailureOr<EnumT> value = parseNamed(parser, what, named);
  if (failed(value))
    return failure();
  into = *value;
  return success();
}

static ParseResult parseBlock(AsmParser &parser, std::vector<int64_t> &block) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalStar())) {
      block.push_back(kWhole);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(block.emplace_back()))
      return failure();
    if (block.back() < 1)
      return parser.emitError(loc) << "expected a block size of at least 1 or '*', got " << block.back();
    return success();
  });
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
    if (!(level.floor >= 0))
      return parser.emitError(loc) << "expected a floor of at least 0, got " << value;
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
  return parser.emitError(loc) << "expected floor, zero, inf, nan, overflow, stored or apply, got '" << key << "'";
}

Attribute ScaleAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<numerics::FormatId> type = parseNamed(parser, "scale format", numerics::formatNamed);
  if (failed(type) || parser.parseKeyword("per"))
    return {};
  std::vector<int64_t> block;
  if (failed(parser.parseOptionalKeyword("tensor")))
    if (parser.parseKeyword("block", " or 'tensor'") || parseBlock(parser, block))
      return {};
  if (parser.parseKeyword("by"))
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
  return get(parser.getContext(), level);
}

void ScaleAttr::print(AsmPrinter &printer) const {
  const numerics::ScaleLevel &level = getLevel();
  printer << '<' << StringRef(numerics::format(level.type).name) << " per ";
  if (level.block.empty()) {
    printer << "tensor";
  } else {
    printer << "block [";
    llvm::interleaveComma(level.block, printer, [&](int64_t size) {
      if (size == kWhole)
        printer << '*';
      else
        printer << size;
    });
    printer << ']';
  }
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

Attribute SchemeAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<numerics::FormatId> code = parseNamed(parser, "code format", numerics::formatNamed);
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
  return parser.getChecked<SchemeAttr>(loc, parser.getContext(), *code, scales, options.rounding, options.overflow,
                                       options.nan);
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

static numerics::Scheme toNumerics(numerics::FormatId code, ArrayRef<ScaleAttr> scales, numerics::Rounding rounding,
                                   numerics::Overflow overflow, numerics::NanCode nan) {
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

SchemeAttr SchemeAttr::get(MLIRContext *context, const numerics::Scheme &scheme) {
  SmallVector<ScaleAttr> scales;
  for (const numerics::ScaleLevel &level : scheme.levels)
    scales.push_back(ScaleAttr::get(context, level));
  return get(context, scheme.code, scales, scheme.rounding, scheme.overflow, scheme.nan);
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError, numerics::FormatId code,
                                 ArrayRef<ScaleAttr> scales, numerics::Rounding rounding, numerics::Overflow overflow,
                                 numerics::NanCode nan) {
  if (llvm::is_contained(scales, ScaleAttr()))
    return emitError() << "expected scale levels to be #qt.scale attributes";
  std::string problem = numerics::whyInvalid(toNumerics(code, scales, rounding, overflow, nan));
  if (!problem.empty())
    return emitError() << problem;
  return success();
}
