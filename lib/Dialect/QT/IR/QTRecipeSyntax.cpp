// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rules and keeps of a recipe are written.

#include "QTRecipeSyntax.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr StringRef kConditions[] = {"in", "sites", "labels", "except", "first", "last", "sizes"};

static std::string listConditions() { return llvm::join(ArrayRef(kConditions), ", "); }

/// What stands here up to the next space, of a length that a message can show.
static StringRef nextText(OpAsmParser &parser) {
  const char *text = parser.getCurrentLocation().getPointer(), *end = text;
  // The buffer ends in a zero.
  while (*end && !llvm::isSpace(*end) && end - text < 16)
    ++end;
  return StringRef(text, end - text);
}

/// The error that something else stands here, which is shown.
static ParseResult refuse(OpAsmParser &parser, const Twine &expected) {
  SMLoc start = parser.getCurrentLocation();
  std::string word;
  StringRef text = nextText(parser);
  bool isWord = succeeded(parser.parseOptionalKeywordOrString(&word));
  InFlightDiagnostic diagnostic = parser.emitError(start) << "expected " << expected;
  if (isWord || !text.empty())
    diagnostic << ", got '" << (isWord ? StringRef(word) : text) << "'";
  return diagnostic;
}

/// Sizes m, n and k, of which '?' is any.
static ParseResult parseExtents(OpAsmParser &parser, DenseI64ArrayAttr &sizes) {
  SmallVector<int64_t> parsed;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        parsed.push_back(Conditions::kAnySize);
        return succeeded(parser.parseOptionalQuestion()) ? success() : parser.parseInteger(parsed.back());
      }))
    return failure();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(parsed);
  return success();
}
static void printExtents(OpAsmPrinter &printer, DenseI64ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(sizes.asArrayRef(), printer, [&](int64_t size) {
    if (size == Conditions::kAnySize)
      printer << '?';
    else
      printer << size;
  });
  printer << ']';
}

/// A list of things like the example, of which `parseElement` reads one.
static ParseResult parseList(OpAsmParser &parser, StringRef what, StringRef example, ArrayAttr &list,
                             function_ref<OptionalParseResult(Attribute &)> parseElement) {
  SmallVector<Attribute> parsed;
  if (parser.parseOptionalLSquare())
    return refuse(parser, "a list of " + what + ", as [" + example + "]");
  auto parseOne = [&]() -> ParseResult {
    OptionalParseResult element = parseElement(parsed.emplace_back());
    return element.has_value() ? *element : refuse(parser, what + ", as " + example);
  };
  if (failed(parser.parseOptionalRSquare()) &&
      (parser.parseCommaSeparatedList(parseOne) || parser.parseRSquare()))
    return failure();
  list = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static ParseResult parseSites(OpAsmParser &parser, ArrayAttr &sites) {
  constexpr StringLiteral example = "#qt.site<head>";
  return parseList(parser, "sites", example, sites, [&](Attribute &site) -> OptionalParseResult {
    SMLoc start = parser.getCurrentLocation();
    OptionalParseResult parsed = parser.parseOptionalAttribute(site);
    if (parsed.has_value() && succeeded(*parsed) && !isa<SiteAttr>(site))
      return ParseResult(parser.emitError(start) << "expected sites, as " << example << ", got " << site);
    return parsed;
  });
}

static ParseResult parseTexts(OpAsmParser &parser, ArrayAttr &texts) {
  return parseList(parser, "texts", "\"q_proj\"", texts, [&](Attribute &text) -> OptionalParseResult {
    std::string read;
    if (parser.parseOptionalString(&read))
      return std::nullopt;
    text = parser.getBuilder().getStringAttr(read);
    return ParseResult(success());
  });
}

static ParseResult parseCount(OpAsmParser &parser, IntegerAttr &count) {
  return parser.parseAttribute(count, parser.getBuilder().getI64Type());
}

ParseResult qt::parseConditions(OpAsmParser &parser, GemmAttr &gemm, ArrayAttr &sites, ArrayAttr &labels,
                                ArrayAttr &except, IntegerAttr &first, IntegerAttr &last,
                                DenseI64ArrayAttr &sizes) {
  auto parseOne = [&](StringRef name) -> ParseResult {
    if (name == "in")
      return parser.parseCustomAttributeWithFallback(gemm, Type());
    if (name == "sites")
      return parseSites(parser, sites);
    if (name == "labels" || name == "except")
      return parseTexts(parser, name == "labels" ? labels : except);
    if (name == "first" || name == "last")
      return parseCount(parser, name == "first" ? first : last);
    return parseExtents(parser, sizes);
  };
  SmallVector<StringRef> seen;
  SMLoc start = parser.getCurrentLocation();
  for (StringRef name; succeeded(parser.parseOptionalKeyword(&name, kConditions));
       start = parser.getCurrentLocation()) {
    if (llvm::is_contained(seen, name))
      return parser.emitError(start) << "expected each condition once, got '" << name << "' again";
    seen.push_back(name);
    if (parseOne(name))
      return failure();
  }
  return success();
}

void qt::printConditions(OpAsmPrinter &printer, Operation *, GemmAttr gemm, ArrayAttr sites, ArrayAttr labels,
                         ArrayAttr except, IntegerAttr first, IntegerAttr last, DenseI64ArrayAttr sizes) {
  if (gemm) {
    printer << " in ";
    printer.printStrippedAttrOrType(gemm);
  }
  for (auto [name, value] : std::initializer_list<std::pair<StringRef, Attribute>>{
           {"sites", sites}, {"labels", labels}, {"except", except}, {"first", first}, {"last", last}})
    if (value) {
      printer << ' ' << name << ' ';
      printer.printAttributeWithoutType(value);
    }
  if (sizes) {
    printer << " sizes ";
    printExtents(printer, sizes);
  }
}

/// Whether a word stands here that neither begins an op, whose names have dots, nor a location. It may not be
/// read if it does, and the parser tells of a word that is not read only whether it is one of a list.
static bool isOtherWord(OpAsmParser &parser) {
  const char *text = parser.getCurrentLocation().getPointer(), *end = text;
  while (llvm::isAlnum(*end) || *end == '_')
    ++end;
  StringRef word(text, end - text);
  return !word.empty() && word != "loc" && *end != '.';
}

ParseResult qt::parseLastConditions(OpAsmParser &parser, GemmAttr &gemm, ArrayAttr &sites, ArrayAttr &labels,
                                    ArrayAttr &except, IntegerAttr &first, IntegerAttr &last,
                                    DenseI64ArrayAttr &sizes) {
  if (parseConditions(parser, gemm, sites, labels, except, first, last, sizes))
    return failure();
  return isOtherWord(parser) ? refuse(parser, "a condition (" + listConditions() + ")") : success();
}

void qt::printLastConditions(OpAsmPrinter &printer, Operation *op, GemmAttr gemm, ArrayAttr sites,
                             ArrayAttr labels, ArrayAttr except, IntegerAttr first, IntegerAttr last,
                             DenseI64ArrayAttr sizes) {
  printConditions(printer, op, gemm, sites, labels, except, first, last, sizes);
}

ParseResult qt::parseSchemeOfRule(OpAsmParser &parser, UnitAttr &dual, SchemeAttr &scheme) {
  if (succeeded(parser.parseOptionalKeyword("dual")))
    dual = parser.getBuilder().getUnitAttr();
  if (StringRef text = nextText(parser); text == "lhs" || text == "rhs")
    return refuse(parser, "'lhs' or 'rhs' right behind the role, before conditions");
  if (parser.parseOptionalArrow())
    return refuse(parser, dual ? "'->'" : "a condition (" + listConditions() + "), 'dual' or '->'");
  return parser.parseCustomAttributeWithFallback(scheme, Type());
}

void qt::printSchemeOfRule(OpAsmPrinter &printer, Operation *, UnitAttr dual, SchemeAttr scheme) {
  printer << (dual ? " dual -> " : " -> ");
  printer.printStrippedAttrOrType(scheme);
}
