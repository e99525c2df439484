// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quantized tensor type: syntax and the types of its parts.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static ParseResult parseShapeAndElement(AsmParser &parser, SmallVector<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape) || parser.parseType(element));
}
static void printShapeAndElement(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  if (!shape.empty())
    printer << 'x';
  printer << element;
}

#define GET_TYPEDEF_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTTypes.cpp.inc"

void QTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fp8-opt/Dialect/QT/IR/QTTypes.cpp.inc"
      >();
}

LogicalResult QTensorType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                  Type element, SchemeAttr scheme) {
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size < 0 && !ShapedType::isDynamic(size))
      return emitError() << "expected dimension " << dim << " to be at least 0, got " << size;
  if (!isExpressed(element)) // C1
    return emitError() << "expected an expressed type of bf16, f16 or f32, got " << element;
  for (auto [index, scale] : llvm::enumerate(scheme.getScales())) { // C2
    std::vector<int64_t> block = scale.getLevel().block;
    auto beyond = ArrayRef(block).drop_back(std::min(block.size(), shape.size()));
    if (!llvm::all_of(beyond, [](int64_t size) { return size == 1; }))
      return emitError() << "expected the block of scale level " << index << " to have at most "
                         << shape.size() << (shape.size() == 1 ? " size" : " sizes")
                         << ", the tensor's rank, after leading ones, got " << scale;
  }
  // C3. A scale per tensor is one for each batch slice: a block under it may not reach over several.
  std::vector<int64_t> inner = scheme.getScales().front().getLevel().block;
  if (scheme.getScales().size() > 1 && inner.size() > 2)
    for (int64_t size : ArrayRef(inner).drop_back(2))
      if (size != 1)
        return emitError()
               << "expected blocks of scale level 0 within one batch slice, as scale level 1 has a scale "
                  "for each, got a block of "
               << (size < 0 ? "*" : std::to_string(size)) << " along a batch dimension";
  return success();
}

ShapedType QTensorType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type element) const {
  return get(getContext(), shape.value_or(getShape()), element, getScheme());
}
bool QTensorType::hasRank() const { return true; }

QTensorType QTensorType::cloneWithScheme(SchemeAttr scheme) const {
  return get(getContext(), getShape(), getElementType(), scheme);
}

SmallVector<int64_t> fp8opt::qt::fullBlock(ArrayRef<int64_t> block, int64_t rank) {
  SmallVector<int64_t> full(rank, 1);
  if (block.empty()) {
    for (int64_t fromLast = 1; fromLast <= std::min<int64_t>(2, rank); ++fromLast)
      full[rank - fromLast] = ShapedType::kDynamic;
    return full;
  }
  int64_t shared = std::min<int64_t>(block.size(), rank);
  for (int64_t fromLast = 1; fromLast <= shared; ++fromLast) {
    int64_t size = block[block.size() - fromLast];
    full[rank - fromLast] = size < 0 ? ShapedType::kDynamic : size;
  }
  return full;
}

SmallVector<int64_t> fp8opt::qt::blockCounts(ArrayRef<int64_t> block, ArrayRef<int64_t> shape) {
  if (block.empty())
    return SmallVector<int64_t>(shape.drop_back(std::min<size_t>(2, shape.size())));
  SmallVector<int64_t> counts;
  for (auto [size, along] : llvm::zip_equal(shape, fullBlock(block, shape.size())))
    counts.push_back(along == ShapedType::kDynamic  ? 1
                     : size == ShapedType::kDynamic ? ShapedType::kDynamic
                                                    : llvm::divideCeil(size, along));
  return counts;
}

SmallVector<int64_t> QTensorType::getBlock(unsigned level) const {
  return fullBlock(getScheme().getScales()[level].getLevel().block, getRank());
}

bool fp8opt::qt::isExpressed(Type type) { return type.isBF16() || type.isF16() || type.isF32(); }

numerics::FormatId fp8opt::qt::formatOfExpressed(Type type) {
  assert(isExpressed(type) && "expressed types are bf16, f16 and f32");
  if (type.isF32())
    return numerics::FormatId::F32;
  return type.isBF16() ? numerics::FormatId::BF16 : numerics::FormatId::F16;
}

static Type storageType(MLIRContext *context, numerics::FormatId id) {
  return IntegerType::get(context, numerics::format(id).storageBits());
}

RankedTensorType QTensorType::getCodesType() const {
  return RankedTensorType::get(getShape(), storageType(getContext(), getScheme().getCode()));
}

RankedTensorType QTensorType::getScalesType(unsigned level) const {
  numerics::ScaleLevel scale = getScheme().getScales()[level].getLevel();
  Type element = scale.type == numerics::FormatId::F32 ? Type(Float32Type::get(getContext()))
                                                       : storageType(getContext(), scale.type);
  return RankedTensorType::get(blockCounts(scale.block, getShape()), element);
}

SmallVector<Type> QTensorType::getPartTypes() const {
  SmallVector<Type> types = {getCodesType()};
  for (unsigned level = 0; level < getScheme().getScales().size(); ++level)
    types.push_back(getScalesType(level));
  return types;
}
