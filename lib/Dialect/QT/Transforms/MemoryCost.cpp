// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What values take in memory, and what quantizing moves through it.

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t fp8opt::qt::addBytes(int64_t a, int64_t b) {
  int64_t sum = 0;
  return llvm::AddOverflow(a, b, sum) ? kMost : sum;
}

int64_t fp8opt::qt::multiplySizes(int64_t a, int64_t b) {
  int64_t product = 0;
  return llvm::MulOverflow(a, b, product) ? kMost : product;
}

/// How many elements a tensor of this shape has, where `counts` are its sizes.
static int64_t elements(ArrayRef<int64_t> shape, ArrayRef<int64_t> counts) {
  int64_t total = 1;
  for (auto [size, count] : llvm::zip(shape, counts))
    total = multiplySizes(total, ShapedType::isDynamic(size) ? count : size);
  return total;
}

/// Whole bytes of `count` packed numbers of `bits` bits.
static int64_t packedBytes(int64_t count, int bits) {
  int64_t total = multiplySizes(count, bits);
  return total == kMost ? multiplySizes(count, llvm::divideCeil(bits, 8))
                        : int64_t(llvm::divideCeil(total, 8));
}

static int64_t elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (isa<IndexType>(type))
    return sizeof(int64_t);
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 0;
}

/// Bytes of the scales of a level. The scales along a dynamic size count as their share of it: rounded up
/// they would outweigh the codes.
static int64_t scaleBytes(QTensorType type, unsigned level, ArrayRef<int64_t> counts) {
  int64_t share = 1;
  for (auto [size, block] : llvm::zip_equal(type.getShape(), type.getBlock(level)))
    if (ShapedType::isDynamic(size)) {
      if (ShapedType::isDynamic(block))
        return 0;
      share = multiplySizes(share, block);
    }
  int bits = numerics::format(type.getScheme().getScales()[level].getLevel().type).bits();
  return llvm::divideCeil(packedBytes(elements(type.getScalesType(level).getShape(), counts), bits), share);
}

int64_t fp8opt::qt::bytesOf(Type type, ArrayRef<int64_t> counts) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return multiplySizes(elements(tensor.getShape(), counts), elementBytes(tensor.getElementType()));
  auto quantized = dyn_cast<QTensorType>(type);
  if (!quantized)
    return 0;
  SchemeAttr scheme = quantized.getScheme();
  int64_t total =
      packedBytes(elements(quantized.getShape(), counts), numerics::format(scheme.getCode()).bits());
  for (unsigned level = 0; level < scheme.getScales().size(); ++level)
    total = addBytes(total, scaleBytes(quantized, level, counts));
  return total;
}

int64_t fp8opt::qt::bytesOf(Type type) {
  int64_t rank = 0;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    rank = tensor.getRank();
  else if (auto quantized = dyn_cast<QTensorType>(type))
    rank = quantized.getRank();
  return bytesOf(type, SmallVector<int64_t>(rank, 1));
}

unsigned fp8opt::qt::timesRead(SchemeAttr scheme) {
  return llvm::any_of(scheme.getScales(),
                      [](ScaleAttr scale) {
                        numerics::ScaleLevel level = scale.getLevel();
                        // A level per tensor has no block, a whole dimension of one is negative.
                        return level.block.empty() ||
                               llvm::any_of(level.block, [](int64_t size) { return size < 0; });
                      })
             ? 2
             : 1;
}
