// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: their spelling and what they must hold.

#include "fp8-opt/Dialect/QT/IR/Words.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Layout/Layouts.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

// For the code that is generated.
using fp8opt::qt::parseWord;
using fp8opt::qt::printWord;

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (type.isIntOrFloat() && llvm::is_contained({4u, 8u, 16u, 32u}, type.getIntOrFloatBitWidth()))
    return success();
  return emitError() << "expected an integer or float of 4, 8, 16 or 32 bits, got " << type;
}

LogicalResult GlobalType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) {
  return verifyElement(emitError, element);
}

// Tiles.

Type SharedType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  bool isInPanels = false;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("panels"))
      return {};
    isInPanels = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(start, parser.getContext(), shape, element, isInPanels);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << (getIsInPanels() ? ", panels>" : ">");
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 Type element, bool isInPanels) {
  if (failed(verifyElement(emitError, element)))
    return failure();
  if (shape.empty() || shape.size() > 2 || llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return emitError() << "expected one or two sizes of at least 1, got [" << shape << "]";
  int64_t bits = llvm::product_of(shape) * element.getIntOrFloatBitWidth();
  if (bits % 8 != 0)
    return emitError() << "expected a tile of whole bytes, got " << bits << " bits";
  if (!isInPanels)
    return success();
  if (shape.size() != 2)
    return emitError() << "expected rows and columns for a tile in panels, got one size";
  if (shape[0] % exchangeRows != 0)
    return emitError() << "expected rows of a tile in panels to be a multiple of " << exchangeRows << ", got "
                       << shape[0];
  int64_t bytes = shape[1] * element.getIntOrFloatBitWidth() / 8;
  if (bytes % chunkBytes != 0)
    return emitError() << "expected the bytes of a row of a tile in panels to be a multiple of " << chunkBytes
                       << ", got " << bytes;
  return success();
}

int64_t SharedType::getBytesPerRow() const {
  return getColumns() * getElementType().getIntOrFloatBitWidth() / 8;
}

int64_t SharedType::getBytes() const {
  if (getIsInPanels())
    return getRows() * llvm::alignTo(getBytesPerRow(), panelBytes);
  int64_t elements = 1;
  for (int64_t size : getShape())
    elements *= size;
  return elements * getElementType().getIntOrFloatBitWidth() / 8;
}

int64_t SharedType::getAlignment() const { return getIsInPanels() ? exchangeRows * panelBytes : 16; }

// Rings and barriers.

static ParseResult parseTiles(AsmParser &parser, SmallVector<SharedType> &tiles) {
  return parser.parseCommaSeparatedList(
      [&]() -> ParseResult { return parser.parseType(tiles.emplace_back()); });
}

static void printTiles(AsmPrinter &printer, ArrayRef<SharedType> tiles) {
  llvm::interleaveComma(tiles, printer);
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                               ArrayRef<SharedType> tiles) {
  if (stages < 1)
    return emitError() << "expected at least 1 stage, got " << stages;
  if (tiles.empty())
    return emitError() << "expected at least 1 tile in a stage, got none";
  return success();
}

LogicalResult TensorMapType::verify(function_ref<InFlightDiagnostic()> emitError, SharedType tile,
                                    int64_t outer) {
  // What the copy engine takes: rows at a time, dimensions beside rows and columns.
  constexpr int64_t mostRows = 256, mostOuter = 3;
  if (outer < 0 || outer > mostOuter)
    return emitError() << "expected at most " << mostOuter << " outer dimensions, got " << outer;
  if (tile.getIsInPanels() && tile.getElementType().getIntOrFloatBitWidth() == 16 &&
      tile.getRows() <= mostRows)
    return success();
  return emitError() << "expected a tile in panels of at most " << mostRows
                     << " rows of elements of 16 bits, got " << tile;
}

LogicalResult BarriersType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t count,
                                   int64_t threads) {
  if (count < 1)
    return emitError() << "expected at least 1 barrier, got " << count;
  if (threads < 32 || threads % 32 != 0)
    return emitError() << "expected whole warps of 32 threads at a barrier, got " << threads << " threads";
  return success();
}

// Fragments.

static ParseResult parseMatrix(AsmParser &parser, int64_t &rows, int64_t &columns, Type &element) {
  SmallVector<int64_t> shape;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
    return failure();
  if (shape.size() != 2)
    return parser.emitError(start) << "expected rows and columns, got " << shape.size() << " sizes";
  rows = shape[0];
  columns = shape[1];
  return success();
}

static void printMatrix(AsmPrinter &printer, int64_t rows, int64_t columns, Type element) {
  printer << rows << 'x' << columns << 'x' << element;
}

static ParseResult parseRow(AsmParser &parser, int64_t &columns, Type &element) {
  SmallVector<int64_t> shape;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
    return failure();
  if (shape.size() != 1)
    return parser.emitError(start) << "expected columns alone, got " << shape.size() << " sizes";
  columns = shape[0];
  return success();
}

static void printRow(AsmPrinter &printer, int64_t columns, Type element) {
  printer << columns << 'x' << element;
}

static LogicalResult verifyAccumulator(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                                       int64_t columns, Type element) {
  if (!element.isF32())
    return emitError() << "expected elements of type f32, got " << element;
  if (rows != 64 && rows != 16)
    return emitError() << "expected 64 or 16 rows, got " << rows;
  if (columns < 8 || columns % 8 != 0)
    return emitError() << "expected columns to be a multiple of 8, got " << columns;
  return success();
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                                   int64_t columns, Type element) {
  return verifyAccumulator(emitError, rows, columns, element);
}

LogicalResult PendingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows, int64_t columns,
                                  Type element) {
  return verifyAccumulator(emitError, rows, columns, element);
}

LogicalResult ColumnsType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t columns,
                                  Type element) {
  return verifyAccumulator(emitError, /*rows=*/64, columns, element);
}

// Registers of a warp.

LogicalResult OperandType::verify(function_ref<InFlightDiagnostic()> emitError, OperandSide, int64_t rows,
                                  Type element) {
  constexpr int64_t step = 16;
  if (rows < step || rows % step != 0)
    return emitError() << "expected rows to be a positive multiple of " << step << ", got " << rows;
  if (!element.isIntOrFloat() || !llvm::is_contained({4u, 8u}, element.getIntOrFloatBitWidth()))
    return emitError() << "expected codes of 4 or 8 bits, got " << element;
  return success();
}

LogicalResult ScaleWordsType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                                     Type element) {
  constexpr int64_t step = 32;
  if (rows < step || rows % step != 0)
    return emitError() << "expected rows to be a positive multiple of " << step << ", got " << rows;
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 8)
    return emitError() << "expected scales of 8 bits, got " << element;
  return success();
}

#define GET_TYPEDEF_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileTypes.cpp.inc"

void QTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fp8-opt/Dialect/QTile/IR/QTileTypes.cpp.inc"
      >();
}
