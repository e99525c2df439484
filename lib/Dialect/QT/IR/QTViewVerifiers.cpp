// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the ops that move quantized tensors. Each check carries the number of the constraint in the
// op's description.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static std::string sizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? std::string("?") : std::to_string(size);
}

SmallVector<ReassociationIndices> ReshapeOp::getGroups() {
  return llvm::map_to_vector(getReassociation(), [](Attribute group) {
    return llvm::map_to_vector<2>(cast<ArrayAttr>(group),
                                  [](Attribute dim) { return cast<IntegerAttr>(dim).getInt(); });
  });
}

/// C1 of qt.reshape: the groups cut `large` dimensions into `small` runs.
static LogicalResult verifyGroups(ReshapeOp op, int64_t large, int64_t small) {
  SmallVector<ReassociationIndices> groups = op.getGroups();
  if (large == small || small == 0)
    return op.emitOpError() << "expected operand and result of different ranks of at least 1, got ranks "
                            << op.getInput().getType().getRank() << " and " << op.getType().getRank();
  if (int64_t(groups.size()) != small)
    return op.emitOpError() << "expected " << small
                            << " groups of dimensions, one for each of the smaller rank, got "
                            << groups.size();
  int64_t next = 0;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (group.empty())
      return op.emitOpError() << "expected at least one dimension in group " << number << ", got none";
    for (int64_t dim : group)
      if (dim != next++)
        return op.emitOpError() << "expected dimension " << next - 1 << " next in group " << number
                                << ", got " << dim;
  }
  if (next != large)
    return op.emitOpError() << "expected groups of " << large << " dimensions, got " << next;
  return success();
}

LogicalResult ReshapeOp::verify() {
  QTensorType from = getInput().getType(), to = getType();
  auto [large, small] = isCollapse() ? std::pair(from, to) : std::pair(to, from);
  if (failed(verifyGroups(*this, large.getRank(), small.getRank()))) // C1
    return failure();
  SmallVector<ReassociationIndices> groups = getGroups();
  for (auto [dim, group] : llvm::enumerate(groups)) { // C2
    int64_t product = 1;
    for (int64_t from : group) {
      int64_t size = large.getShape()[from];
      product = ShapedType::isDynamic(product) || ShapedType::isDynamic(size) ? ShapedType::kDynamic
                                                                              : product * size;
    }
    if (product != small.getShape()[dim])
      return emitOpError() << "expected dimension " << dim << " of the smaller rank to have size "
                           << sizeText(product) << ", that of its group, got "
                           << sizeText(small.getShape()[dim]);
  }
  size_t dynamic = isCollapse() ? 0 : to.getNumDynamicDims();
  if (getSizes().size() != dynamic) // C3
    return emitOpError() << "expected " << dynamic
                         << " sizes, one for each dynamic dimension of an expanded result, got "
                         << getSizes().size();
  if (WhyNot why = whyNotReshape(from, to, groups); !why.empty()) // C4
    return emitOpError(why);
  return success();
}

LogicalResult BroadcastOp::verify() {
  QTensorType from = getInput().getType(), to = getType();
  ArrayRef<int64_t> dimensions = getDimensions();
  bool ascend = llvm::all_of(llvm::enumerate(dimensions), [&](auto dim) {
    int64_t last = dim.index() == 0 ? -1 : dimensions[dim.index() - 1];
    return dim.value() > last && dim.value() < to.getRank();
  });
  if (!ascend || from.getRank() + int64_t(dimensions.size()) != to.getRank()) // C1
    return emitOpError() << "expected " << to.getRank() - from.getRank()
                         << " ascending dimensions of the result, got " << dimensions;
  SmallVector<int64_t> kept;
  size_t dynamic = 0;
  for (auto [dim, size] : llvm::enumerate(to.getShape())) {
    if (!llvm::is_contained(dimensions, int64_t(dim)))
      kept.push_back(size);
    else
      dynamic += ShapedType::isDynamic(size);
  }
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(kept, from.getShape()))) // C2
    if (std::get<0>(sizes) != std::get<1>(sizes))
      return emitOpError() << "expected the result to keep the size " << sizeText(std::get<1>(sizes))
                           << " of operand dimension " << dim << ", got " << sizeText(std::get<0>(sizes));
  if (getSizes().size() != dynamic) // C3
    return emitOpError() << "expected " << dynamic << " sizes, one for each new dynamic dimension, got "
                         << getSizes().size();
  if (WhyNot why = whyNotBroadcast(from, to, dimensions); !why.empty()) // C4
    return emitOpError(why);
  return success();
}

/// The operand of an op under inference; null, with an error, if it is not a quantized tensor.
static QTensorType operandType(std::optional<Location> loc, StringRef name, ValueRange operands) {
  auto type = operands.empty() ? QTensorType() : dyn_cast<QTensorType>(operands.front().getType());
  if (!type)
    (void)emitOptionalError(loc, "'", name, "' op expected an operand of type !qt.tensor");
  return type;
}

/// Checks that a list of static numbers has one for each dimension, and none below `least`.
static LogicalResult verifyNumbers(std::optional<Location> loc, StringRef name, StringRef what,
                                   ArrayRef<int64_t> numbers, int64_t rank, int64_t least) {
  if (int64_t(numbers.size()) != rank)
    return emitOptionalError(loc, "'", name, "' op expected ", rank, " ", what,
                             ", one for each dimension, got ", numbers.size());
  for (auto [dim, number] : llvm::enumerate(numbers))
    if (!ShapedType::isDynamic(number) && number < least)
      return emitOptionalError(loc, "'", name, "' op expected ", what, " of at least ", least, ", got ",
                               number, " in dimension ", dim);
  return success();
}

/// C2 of qt.slice: what is known of the slice stays within the dimension.
static LogicalResult verifyWithin(std::optional<Location> loc, int64_t dim, int64_t size, int64_t offset,
                                  int64_t sliced, int64_t stride) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(offset))
    return success();
  int64_t last = offset;
  if (!ShapedType::isDynamic(sliced) && !ShapedType::isDynamic(stride))
    last = sliced == 0 ? offset - 1 : offset + (sliced - 1) * stride;
  if (last < size)
    return success();
  return emitOptionalError(loc, "'qt.slice' op expected a slice within dimension ", dim, " of size ", size,
                           ", got element ", last);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                        ValueRange operands, DictionaryAttr attributes,
                                        OpaqueProperties properties, RegionRange regions,
                                        SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  QTensorType type = operandType(loc, "qt.slice", operands);
  if (!type)
    return failure();
  ArrayRef<int64_t> offsets = adaptor.getStaticOffsets(), sizes = adaptor.getStaticSizes(),
                    strides = adaptor.getStaticStrides();
  int64_t rank = type.getRank();
  if (failed(verifyNumbers(loc, "qt.slice", "offsets", offsets, rank, 0)) || // C1
      failed(verifyNumbers(loc, "qt.slice", "sizes", sizes, rank, 0)) ||
      failed(verifyNumbers(loc, "qt.slice", "strides", strides, rank, 1)))
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim) // C2
    if (failed(verifyWithin(loc, dim, type.getShape()[dim], offsets[dim], sizes[dim], strides[dim])))
      return failure();
  if (WhyNot why = whyNotSlice(type, offsets, sizes, strides); !why.empty()) // C3
    return emitOptionalError(loc, "'qt.slice' op ", why);
  types.push_back(QTensorType::get(context, sizes, type.getElementType(), type.getScheme()));
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  int64_t dim = adaptor.getDim();
  QTensorType first = operandType(loc, "qt.concat", operands); // C1
  if (!first)
    return failure();
  if (dim < 0 || dim >= first.getRank())
    return emitOptionalError(loc, "'qt.concat' op expected a dimension below ", first.getRank(), ", got ",
                             dim);
  SmallVector<QTensorType> parts;
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (auto [number, operand] : llvm::enumerate(operands)) { // C2
    auto type = dyn_cast<QTensorType>(operand.getType());
    SmallVector<int64_t> wanted(shape);
    if (type && type.getRank() == first.getRank())
      wanted[dim] = type.getShape()[dim];
    if (!type || type != QTensorType::get(context, wanted, first.getElementType(), first.getScheme()))
      return emitOptionalError(loc, "'qt.concat' op expected operand ", number,
                               " to have the type of operand 0 but for "
                               "dimension ",
                               dim, ", got ", operand.getType());
    parts.push_back(type);
    shape[dim] = ShapedType::isDynamic(shape[dim]) || ShapedType::isDynamic(wanted[dim])
                     ? ShapedType::kDynamic
                     : shape[dim] + wanted[dim];
  }
  if (WhyNot why = whyNotConcat(parts, dim); !why.empty()) // C3
    return emitOptionalError(loc, "'qt.concat' op ", why);
  types.push_back(QTensorType::get(context, shape, first.getElementType(), first.getScheme()));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, ValueRange operands,
                                      DictionaryAttr attributes, OpaqueProperties properties,
                                      RegionRange regions, SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  QTensorType type = operandType(loc, "qt.pad", operands);
  if (!type)
    return failure();
  ArrayRef<int64_t> low = adaptor.getStaticLow(), high = adaptor.getStaticHigh();
  if (failed(verifyNumbers(loc, "qt.pad", "low amounts", low, type.getRank(), 0)) || // C1
      failed(verifyNumbers(loc, "qt.pad", "high amounts", high, type.getRank(), 0)))
    return failure();
  if (WhyNot why = whyNotPad(type, low, high); !why.empty()) // C2
    return emitOptionalError(loc, "'qt.pad' op ", why);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, before, behind] : llvm::zip_equal(shape, low, high)) {
    bool known =
        !ShapedType::isDynamic(size) && !ShapedType::isDynamic(before) && !ShapedType::isDynamic(behind);
    size = known ? before + size + behind : ShapedType::kDynamic;
  }
  types.push_back(QTensorType::get(context, shape, type.getElementType(), type.getScheme()));
  return success();
}
