// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes and scales computed at compile time. Large ones are read and kept in place, never hashed or copied.

#include "QTConstants.h"

#include "fp8-opt/Dialect/QT/IR/QTNumerics.h"
#include "fp8-opt/Numerics/Block.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Above this many bytes an element list is a resource: the context hashes the bytes of every other list,
/// compares them with those of equal hash, keeps them until it dies, and prints them in the middle of an op.
constexpr size_t kLargestInline = 4096;

/// The elements of a constant as they lie in memory: all of them, or one that stands for all.
struct Elements {
  ArrayRef<char> bytes;
  bool isSplat = false;

  bool isUniform() const { return isSplat || bytes.empty(); }
};
} // namespace

static size_t bytesPerElement(RankedTensorType type) { return type.getElementTypeBitWidth() / 8; }

/// The elements of a dense constant or a resource, if it has as many bytes as its type says.
static std::optional<Elements> elementsOf(ElementsAttr attr) {
  auto type = cast<RankedTensorType>(attr.getType());
  if (!type.hasStaticShape() || type.getElementTypeBitWidth() % 8 != 0)
    return std::nullopt;
  Elements elements;
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attr)) {
    elements = {dense.getRawData(), dense.isSplat() && type.getNumElements() != 0};
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    elements.bytes = blob->getData();
  } else {
    return std::nullopt;
  }
  size_t wanted = elements.isSplat ? 1 : size_t(type.getNumElements());
  if (elements.bytes.size() != wanted * bytesPerElement(type))
    return std::nullopt;
  return elements;
}

/// A constant of these bytes; takes them over where they are many. `name` starts the key of a resource, a
/// hash of the content ends it, so that keys do not depend on the order in which threads fold.
static ElementsAttr makeElements(RankedTensorType type, StringRef name, std::vector<uint8_t> bytes) {
  ArrayRef<char> data(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (data.size() <= kLargestInline)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  std::string key = (name + "_" + llvm::utohexstr(llvm::xxh3_64bits(ArrayRef<uint8_t>(bytes)))).str();
  // Moving a vector leaves its elements where they are.
  auto release = [owned = std::move(bytes)](void *, size_t, size_t) mutable { owned = {}; };
  return DenseResourceElementsAttr::get(
      type, key, AsmResourceBlob(data, bytesPerElement(type), std::move(release), /*dataIsMutable=*/false));
}

static numerics::Shape shapeOf(RankedTensorType type) {
  return numerics::Shape(type.getShape().begin(), type.getShape().end());
}

/// The shape of a single element that stands for all of a tensor.
static numerics::Shape onesLike(QTensorType type) { return numerics::Shape(type.getShape().size(), 1); }

/// The given scales, read. Nothing if one cannot be, or, with `onlyUniform`, if they differ within a level.
static std::optional<std::vector<numerics::Scales>> scalesOf(ArrayRef<ElementsAttr> given, QTensorType type,
                                                             bool onlyUniform) {
  std::vector<numerics::Scales> scales;
  for (auto [level, attr] : llvm::enumerate(given)) {
    RankedTensorType wanted = type.getScalesType(level);
    std::optional<Elements> elements = elementsOf(attr);
    if (!elements || attr.getType() != wanted || (onlyUniform && !elements->isUniform()))
      return std::nullopt;
    numerics::Scales read;
    read.shape =
        onlyUniform ? numerics::scaleShape(numericsOf(type).levels[level], onesLike(type)) : shapeOf(wanted);
    size_t size = bytesPerElement(wanted);
    for (size_t i = 0, count = onlyUniform ? 1 : size_t(wanted.getNumElements()); i < count; ++i) {
      uint32_t &word = read.words.emplace_back(0);
      if (!elements->bytes.empty())
        std::memcpy(&word, elements->bytes.data() + (elements->isSplat ? 0 : i * size), size);
    }
    scales.push_back(std::move(read));
  }
  return scales;
}

static ElementsAttr fromScales(RankedTensorType type, const numerics::Scales &scales) {
  size_t size = bytesPerElement(type);
  std::vector<uint8_t> bytes(scales.words.size() * size);
  for (auto [index, word] : llvm::enumerate(scales.words))
    std::memcpy(bytes.data() + index * size, &word, size);
  return makeElements(type, "scales", std::move(bytes));
}

/// A constant with this element everywhere.
static ElementsAttr makeUniform(RankedTensorType type, const void *element) {
  size_t size = type.getNumElements() == 0 ? 0 : bytesPerElement(type);
  return DenseElementsAttr::getFromRawBuffer(type, ArrayRef(static_cast<const char *>(element), size));
}

/// One element stands for all of a splat, and a zero for none at all: the amax of every block is its
/// magnitude, however many elements the block covers. What is uniform may be larger than memory.
static DenseAttr quantizeUniform(Elements input, numerics::FormatId expressed, ArrayRef<ElementsAttr> given,
                                 QTensorType type) {
  std::optional<std::vector<numerics::Scales>> scales = scalesOf(given, type, /*onlyUniform=*/true);
  if (!scales)
    return {};
  const uint32_t zero = 0;
  numerics::Numbers one{expressed, onesLike(type), &zero};
  if (!input.bytes.empty())
    one.elements = input.bytes.data();
  numerics::QuantizedNumbers result =
      given.empty() ? numerics::quantize(numericsOf(type), one)
                    : numerics::quantizeByScales(numericsOf(type), one, std::move(*scales));
  SmallVector<ElementsAttr> scaleAttrs(given);
  for (size_t level = 0; given.empty() && level < result.scales.size(); ++level)
    scaleAttrs.push_back(makeUniform(type.getScalesType(level), result.scales[level].words.data()));
  return DenseAttr::get(type.getContext(), makeUniform(type.getCodesType(), result.codes.data()), scaleAttrs);
}

DenseAttr fp8opt::qt::quantizeConstant(ElementsAttr input, ArrayRef<ElementsAttr> given, QTensorType type) {
  auto inputType = dyn_cast<RankedTensorType>(input.getType());
  if (!inputType || !type.hasStaticShape() || inputType.getShape() != type.getShape())
    return {};
  std::optional<Elements> elements =
      isExpressed(inputType.getElementType()) ? elementsOf(input) : std::nullopt;
  if (!elements)
    return {};
  numerics::FormatId expressed = formatOfExpressed(inputType.getElementType());
  if (elements->isUniform())
    return quantizeUniform(*elements, expressed, given, type);
  std::optional<std::vector<numerics::Scales>> scales = scalesOf(given, type, /*onlyUniform=*/false);
  if (!scales)
    return {};

  numerics::Numbers numbers{expressed, shapeOf(inputType), elements->bytes.data()};
  std::vector<uint32_t> aligned; // a resource may lie anywhere
  if (reinterpret_cast<uintptr_t>(numbers.elements) % bytesPerElement(inputType) != 0) {
    aligned.resize(llvm::divideCeil(elements->bytes.size(), sizeof(uint32_t)));
    std::memcpy(aligned.data(), elements->bytes.data(), elements->bytes.size());
    numbers.elements = aligned.data();
  }
  numerics::QuantizedNumbers result =
      given.empty() ? numerics::quantize(numericsOf(type), numbers)
                    : numerics::quantizeByScales(numericsOf(type), numbers, std::move(*scales));
  SmallVector<ElementsAttr> scaleAttrs(given);
  for (size_t level = 0; given.empty() && level < result.scales.size(); ++level)
    scaleAttrs.push_back(fromScales(type.getScalesType(level), result.scales[level]));
  return DenseAttr::get(type.getContext(),
                        makeElements(type.getCodesType(), "codes", std::move(result.codes)), scaleAttrs);
}

/// Row-major strides, in elements.
static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim > 1; --dim)
    strides[dim - 2] = strides[dim - 1] * shape[dim - 1];
  return strides;
}

/// How many blocks each dimension has: the shape of the level's scales with 1 for what they leave out.
static SmallVector<int64_t> gridOf(QTensorType type, ArrayRef<int64_t> block) {
  SmallVector<int64_t> grid;
  for (auto [size, extent] : llvm::zip_equal(type.getShape(), block))
    grid.push_back(ShapedType::isDynamic(extent) ? 1 : int64_t(llvm::divideCeil(size, extent)));
  return grid;
}

/// A tensor of shape `shape` and type `type` made of the elements of `attr` at `place`; null where they
/// cannot be read.
static ElementsAttr moveElements(ElementsAttr attr, const Placement &place, ArrayRef<int64_t> shape,
                                 RankedTensorType type, StringRef name) {
  std::optional<Elements> elements = elementsOf(attr);
  if (!elements)
    return {};
  if (elements->isSplat)
    return DenseElementsAttr::getFromRawBuffer(
        type, elements->bytes.take_front(type.getNumElements() ? elements->bytes.size() : 0));
  size_t size = bytesPerElement(type);
  std::vector<uint8_t> bytes(size_t(type.getNumElements()) * size);
  SmallVector<int64_t> position(shape.size(), 0);
  int64_t source = place.start;
  for (size_t at = 0; at < bytes.size(); at += size) {
    std::memcpy(bytes.data() + at, elements->bytes.data() + size_t(source) * size, size);
    for (size_t dim = shape.size(); dim > 0; --dim) { // counts up in row-major order
      source += place.strides[dim - 1];
      if (++position[dim - 1] < shape[dim - 1])
        break;
      source -= place.strides[dim - 1] * position[dim - 1];
      position[dim - 1] = 0;
    }
  }
  return makeElements(type, name, std::move(bytes));
}

DenseAttr fp8opt::qt::moveConstant(DenseAttr constant, QTensorType from, QTensorType to, bool mayCopy,
                                   PlaceFn place) {
  std::optional<Elements> codes = elementsOf(constant.getCodes());
  bool isSmall =
      codes && (codes->isUniform() ||
                size_t(to.getNumElements()) * bytesPerElement(to.getCodesType()) <= kLargestInline);
  if (!codes || (!mayCopy && !isSmall))
    return {};
  SmallVector<ElementsAttr> scales;
  for (auto [level, attr] : llvm::enumerate(constant.getScales())) {
    SmallVector<int64_t> block = from.getBlock(level), grid = gridOf(from, block);
    scales.push_back(moveElements(attr, place(stridesOf(grid), block), gridOf(to, to.getBlock(level)),
                                  to.getScalesType(level), "scales"));
    if (!scales.back())
      return {};
  }
  SmallVector<int64_t> elementwise(from.getRank(), 1);
  ElementsAttr moved = moveElements(constant.getCodes(), place(stridesOf(from.getShape()), elementwise),
                                    to.getShape(), to.getCodesType(), "codes");
  return moved ? DenseAttr::get(to.getContext(), moved, scales) : DenseAttr();
}

/// The same elements in the same order under another shape, in the memory where they are.
static ElementsAttr reshapeElements(ElementsAttr attr, RankedTensorType type) {
  if (attr.getType() == type)
    return attr;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.reshape(type);
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  return resource ? DenseResourceElementsAttr::get(type, resource.getRawHandle()) : ElementsAttr();
}

DenseAttr fp8opt::qt::reshapeConstant(DenseAttr constant, QTensorType to) {
  SmallVector<ElementsAttr> scales;
  for (auto [level, attr] : llvm::enumerate(constant.getScales())) {
    scales.push_back(reshapeElements(attr, to.getScalesType(level)));
    if (!scales.back())
      return {};
  }
  ElementsAttr codes = reshapeElements(constant.getCodes(), to.getCodesType());
  return codes ? DenseAttr::get(to.getContext(), codes, scales) : DenseAttr();
}
