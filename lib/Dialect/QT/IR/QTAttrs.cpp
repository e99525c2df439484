// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: the generated classes, and what verifies those that describe a graph.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QT/IR/Words.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr int64_t kNoArgument = -1; // #qt.linear's default

static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(sizes.emplace_back()); });
}
static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer);
  printer << ']';
}

/// ", argument = 1, sums = [0]", ", parts = [1, 2]" or nothing.
static ParseResult parseLinearWeight(AsmParser &parser, int64_t &argument, SmallVector<int64_t> &sums,
                                     SmallVector<int64_t> &parts) {
  argument = kNoArgument;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc where = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "argument" && argument == kNoArgument) {
      if (parser.parseInteger(argument))
        return failure();
    } else if ((name == "sums" && sums.empty()) || (name == "parts" && parts.empty())) {
      if (parseSizes(parser, name == "sums" ? sums : parts))
        return failure();
    } else {
      return parser.emitError(where) << "expected argument, sums or parts, each once, got '" << name << "'";
    }
  }
  return success();
}
static void printLinearWeight(AsmPrinter &printer, int64_t argument, ArrayRef<int64_t> sums,
                              ArrayRef<int64_t> parts) {
  if (argument != kNoArgument)
    printer << ", argument = " << argument;
  for (auto [name, list] : {std::pair("sums", sums), std::pair("parts", parts)})
    if (!list.empty()) {
      printer << ", " << name << " = ";
      printSizes(printer, list);
    }
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

LogicalResult LinearAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t id, int64_t argument,
                                 ArrayRef<int64_t> sums, ArrayRef<int64_t> parts) {
  auto verifyList = [&](ArrayRef<int64_t> list, StringRef plural, StringRef one) -> LogicalResult {
    for (auto [index, each] : llvm::enumerate(list)) {
      if (each < 0)
        return emitError() << "expected the " << plural << " to be at least 0, got " << each;
      if (llvm::is_contained(list.take_front(index), each))
        return emitError() << "expected each " << one << " once, got " << each << " twice";
    }
    return success();
  };
  if (id < 0) // C1
    return emitError() << "expected the id of a linear layer to be at least 0, got " << id;
  if (argument < kNoArgument)
    return emitError() << "expected the number of an argument to be at least 0, got " << argument;
  if (argument == kNoArgument && !sums.empty())
    return emitError() << "expected sums only beside an argument, got " << sums.size();
  if (argument != kNoArgument && !parts.empty()) // C2
    return emitError() << "expected parts only without an argument, got " << parts.size();
  return success(succeeded(verifyList(sums, "axes of sums", "axis of sums")) &&
                 succeeded(verifyList(parts, "parts", "part")));
}

LogicalResult EntryAttr::verify(function_ref<InFlightDiagnostic()> emitError, LocationAttr,
                                ArrayRef<int64_t> sizes, StringAttr, RolesAttr, GemmAttr, HalfAttr, SiteAttr,
                                LinearAttr, LayerAttr, SchemesAttr schemes, KeptAttr kept, GivenAttr) {
  if (sizes.size() != 4) // C1
    return emitError() << "expected four sizes, of batch, m, n and k, got " << sizes.size();
  for (auto [name, size] : llvm::zip_equal(ArrayRef<StringRef>{"batch", "m", "n", "k"}, sizes))
    if (size < -1)
      return emitError() << "expected the size of " << name
                         << " to be at least 0, or -1 where it is dynamic, got " << size;
  if (bool(schemes) == bool(kept)) // C2
    return emitError() << "expected exactly one of schemes and kept, got " << (schemes ? "both" : "none");
  return success();
}

static LogicalResult verifyBytes(function_ref<InFlightDiagnostic()> emitError,
                                 std::initializer_list<int64_t> bytes) {
  for (int64_t number : bytes)
    if (number < 0)
      return emitError() << "expected numbers of bytes that are at least 0, got " << number;
  return success();
}

LogicalResult CostAttr::verify(function_ref<InFlightDiagnostic()> emitError, PlanForm, int64_t kept,
                               int64_t read, int64_t written) {
  return verifyBytes(emitError, {kept, read, written}); // C1
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t kept,
                               int64_t keptUnplanned, int64_t read, int64_t readUnplanned, int64_t written,
                               int64_t writtenUnplanned, ArrayRef<PlannedAttr>) {
  return verifyBytes(emitError, {kept, keptUnplanned, read, readUnplanned, written, writtenUnplanned}); // C1
}

LogicalResult DenseAttr::verify(function_ref<InFlightDiagnostic()> emitError, ElementsAttr codes,
                                ArrayRef<ElementsAttr> scales) {
  if (!isa<RankedTensorType>(codes.getType())) // C1
    return emitError() << "expected codes that are a ranked tensor, got " << codes.getType();
  if (scales.empty())
    return emitError() << "expected scales of at least one level, got none";
  for (auto [level, values] : llvm::enumerate(scales))
    if (!isa<RankedTensorType>(values.getType()))
      return emitError() << "expected scales of level " << level << " that are a ranked tensor, got "
                         << values.getType();
  return success();
}
