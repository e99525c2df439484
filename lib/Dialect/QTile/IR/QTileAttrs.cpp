// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: their spelling and what they must hold.

#include "fp8-opt/Dialect/QT/IR/Words.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt::qtile;

// For the code that is generated.
using fp8opt::qt::parseWord;
using fp8opt::qt::printWord;

#include "fp8-opt/Dialect/QTile/IR/QTileEnums.cpp.inc"

// Instructions.

static ParseResult parseShape(AsmParser &parser, int64_t &m, int64_t &n, int64_t &k) {
  SmallVector<int64_t> shape;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  if (shape.size() != 3)
    return parser.emitError(start) << "expected m, n and k of an instruction, got " << shape.size()
                                   << " sizes";
  m = shape[0];
  n = shape[1];
  k = shape[2];
  return success();
}

static void printShape(AsmPrinter &printer, int64_t m, int64_t n, int64_t k) {
  printer << m << 'x' << n << 'x' << k;
}

static ParseResult parseAsynchronous(AsmParser &parser, bool &isAsynchronous) {
  isAsynchronous = succeeded(parser.parseOptionalComma());
  return isAsynchronous ? parser.parseKeyword("asynchronous") : ParseResult(success());
}

static void printAsynchronous(AsmPrinter &printer, bool isAsynchronous) {
  if (isAsynchronous)
    printer << ", asynchronous";
}

// The matrix that a tensor holds.

static ParseResult parseSizes(AsmParser &parser, SmallVectorImpl<int64_t> &sizes) {
  return parser.parseDimensionList(sizes, /*allowDynamic=*/true, /*withTrailingX=*/false);
}

static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) { printer.printDimensionList(sizes); }

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t m, int64_t n, int64_t k,
                              int64_t step, Type, Type, Type, Type scale, int64_t each, int64_t threads,
                              bool) {
  if (m < 1 || n < 1 || k < 1 || step < 1 || threads < 1)
    return emitError() << "expected sizes of an instruction to be at least 1, got " << m << "x" << n << "x"
                       << k << ", step " << step << ", " << threads << " threads";
  if (n % step != 0)
    return emitError() << "expected n to be a multiple of the step " << step << ", got " << n;
  if (scale && (each < 1 || k % each != 0))
    return emitError() << "expected scales for a divisor of k = " << k << ", got each " << each;
  return success();
}

/// Checks numbers of a target, each with its name.
static LogicalResult verifyLeast(function_ref<InFlightDiagnostic()> emitError, StringRef what, int64_t least,
                                 ArrayRef<std::pair<StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    if (number < least)
      return emitError() << "expected " << what << " of at least " << least << ", got " << name << " = "
                         << number;
  return success();
}

LogicalResult LimitsAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t processors,
                                 int64_t shared, int64_t registers, int64_t threads, int64_t barriers) {
  return verifyLeast(emitError, "limits", 1,
                     {{"processors", processors},
                      {"shared", shared},
                      {"registers", registers},
                      {"threads", threads},
                      {"barriers", barriers}});
}

LogicalResult RatesAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t products,
                                int64_t shared, int64_t cache, int64_t issue, int64_t stage, int64_t handover,
                                int64_t tile) {
  return success(succeeded(verifyLeast(
                     emitError, "rates", 1,
                     {{"products", products}, {"shared", shared}, {"cache", cache}, {"issue", issue}})) &&
                 succeeded(verifyLeast(emitError, "clocks", 0,
                                       {{"stage", stage}, {"handover", handover}, {"tile", tile}})));
}

// The schedule. Every field is spelled, in one order, so that a schedule reads like a table's row; an order
// of consumers where it is not the usual one.

static ParseResult parseField(AsmParser &parser, StringRef name) {
  return failure(parser.parseComma() || parser.parseKeyword(name) || parser.parseEqual());
}

static ParseResult parseNumber(AsmParser &parser, StringRef name, int64_t &value) {
  return failure(parseField(parser, name) || parser.parseInteger(value));
}

static ParseResult parsePair(AsmParser &parser, StringRef name, SmallVector<int64_t> &values) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  if (values.size() != 2)
    return parser.emitError(start) << "expected two numbers for " << name << ", got " << values.size();
  return success();
}

template <typename EnumT> static ParseResult parseEnum(AsmParser &parser, StringRef name, EnumT &value) {
  return failure(parseField(parser, name) || parseWord(parser, value));
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> tile, registers;
  int64_t consumers, stages, group, inFlight, turns;
  Store store;
  ScaleCopy scales;
  Order order = Order::Cooperative;
  if (parser.parseLess() || parser.parseKeyword("tile") || parser.parseEqual() ||
      parsePair(parser, "tile", tile) || parseNumber(parser, "consumers", consumers) ||
      parseNumber(parser, "stages", stages) || parseField(parser, "registers") ||
      parsePair(parser, "registers", registers) || parseNumber(parser, "group", group) ||
      parseNumber(parser, "in_flight", inFlight) || parseNumber(parser, "turns", turns) ||
      parseEnum(parser, "store", store) || parseEnum(parser, "scales", scales) ||
      (failed(parser.parseOptionalGreater()) && (parseEnum(parser, "order", order) || parser.parseGreater())))
    return {};
  return parser.getChecked<ScheduleAttr>(start, parser.getContext(), tile, consumers, stages, registers,
                                         group, inFlight, turns, store, scales, order);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<tile = [" << getTile() << "], consumers = " << getConsumers() << ", stages = " << getStages()
          << ", registers = [" << getRegisters() << "], group = " << getGroup()
          << ", in_flight = " << getInFlight() << ", turns = " << getTurns()
          << ", store = " << stringifyStore(getStore()) << ", scales = " << stringifyScaleCopy(getScales());
  if (getOrder() != Order::Cooperative)
    printer << ", order = " << stringifyOrder(getOrder());
  printer << ">";
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tile,
                                   int64_t consumers, int64_t stages, ArrayRef<int64_t> registers,
                                   int64_t group, int64_t inFlight, int64_t turns, Store store, ScaleCopy,
                                   Order order) {
  if (tile.size() != 2 || registers.size() != 2)
    return emitError() << "expected two sizes of a tile and two numbers of registers, got " << tile.size()
                       << " and " << registers.size();
  // What no kernel can have, so that numbers of a schedule multiply without overflow: the group with the
  // columns of tiles in 32 bits, and a search through the stages ends.
  constexpr int64_t most = 256, mostRows = 65536, mostColumns = 256;
  for (auto [name, value] :
       {std::pair("consumers", consumers), std::pair("stages", stages), std::pair("group", group)})
    if (value < 1 || value > most)
      return emitError() << "expected 1 to " << most << " for " << name << ", got " << value;
  if (tile[0] > mostRows || tile[1] > mostColumns)
    return emitError() << "expected a tile of at most " << mostRows << " rows and " << mostColumns
                       << " columns, what an instruction has, got " << tile[0] << " and " << tile[1];
  if (inFlight < 0 || turns < 0 || turns > 4)
    return emitError() << "expected in_flight of at least 0 and turns of 0 to 4, got " << inFlight << " and "
                       << turns;
  for (int64_t count : registers)
    if (count < 24 || count > 255 || count % 8 != 0)
      return emitError() << "expected registers to be a multiple of 8 between 24 and 255, got " << count;
  const bool isPingpong = order == Order::Pingpong;
  if (isPingpong && (consumers != 2 || store != Store::Storers || turns))
    return emitError() << "expected two consumers, storers and no turns under pingpong, got consumers = "
                       << consumers << ", store = " << stringifyStore(store) << ", turns = " << turns;
  if (int64_t step = isPingpong ? 64 : 64 * consumers; tile[0] < 1 || tile[0] % step != 0)
    return emitError() << "expected the rows of a tile to be a multiple of "
                       << (isPingpong ? "64 under pingpong" : "64 times the consumers") << " (" << step
                       << "), got " << tile[0];
  if (tile[1] < 8 || tile[1] % 8 != 0)
    return emitError() << "expected the columns of a tile to be a multiple of 8, got " << tile[1];
  if (turns && consumers != 2)
    return emitError() << "expected two consumers where they take turns, got " << consumers;
  if (turns && inFlight)
    return emitError() << "expected no unfinished products where consumers take turns, got in_flight = "
                       << inFlight;
  return success();
}

LogicalResult ShareAttr::verify(function_ref<InFlightDiagnostic()> emitError, LocationAttr,
                                ArrayRef<int64_t> sizes, int64_t, int64_t, UnitAttr, UnitAttr, StringAttr) {
  if (sizes.size() != 4 || llvm::any_of(sizes, [](int64_t size) { return size < -1; }))
    return emitError() << "expected the sizes batch, m, n and k, each at least -1, got [" << sizes << "]";
  return success();
}

static ParseResult parseShareSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(sizes.emplace_back()); });
}

static void printShareSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) { printer << '[' << sizes << ']'; }

#define GET_ATTRDEF_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileAttrs.cpp.inc"

void QTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fp8-opt/Dialect/QTile/IR/QTileAttrs.cpp.inc"
      >();
}
