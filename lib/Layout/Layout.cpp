// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout's maps, derived from the three that define it, and their evaluation on the host.

#include "fp8-opt/Layout/Layout.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;

/// The row-major index over `shape` of what `map` yields.
static AffineMap linearized(AffineMap map, AffineMap shape) {
  AffineExpr index = getAffineConstantExpr(0, map.getContext());
  for (auto [place, size] : llvm::zip_equal(map.getResults(), shape.getResults()))
    index = index * size + place;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), index);
}

Layout::Layout(StringRef name, unsigned elementBits, AffineMap map, AffineMap storedShape, AffineMap inverse)
    : layoutName(name), bits(elementBits), logicalToStored(map), shape(storedShape), storedToLogical(inverse),
      linear(linearized(map, storedShape)) {
  assert(map.getNumSymbols() == map.getNumDims() && "one symbol for the size of each logical dimension");
  assert(inverse.getNumDims() == map.getNumResults() && inverse.getNumResults() == map.getNumDims() &&
         storedShape.getNumResults() == map.getNumResults() && "maps of one logical and one stored rank");
}

AffineMap Layout::byteOffset() const {
  AffineExpr offset = linear.getResult(0);
  AffineExpr bytes = bits < 8 ? offset.floorDiv(8 / bits) : offset * (bits / 8);
  return AffineMap::get(linear.getNumDims(), linear.getNumSymbols(), bytes);
}

AffineMap Layout::mapFrom(const Layout &other) const {
  assert(other.logicalRank() == logicalRank() && "two layouts of one array");
  SmallVector<AffineExpr> sizes;
  for (unsigned i = 0; i < logicalRank(); ++i)
    sizes.push_back(getAffineSymbolExpr(i, map().getContext()));
  return map().replaceDimsAndSymbols(other.inverse().getResults(), sizes, other.storedRank(), logicalRank());
}

/// `map` with `count` dims and symbols more in front, the first `count` of which lead its results.
static AffineMap withLeading(AffineMap map, unsigned count, ArrayRef<AffineExpr> leading, bool hasDims) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    dims.push_back(getAffineDimExpr(count + i, context));
  for (unsigned i = 0; i < map.getNumSymbols(); ++i)
    symbols.push_back(getAffineSymbolExpr(count + i, context));
  SmallVector<AffineExpr> results(leading);
  for (AffineExpr result : map.getResults())
    results.push_back(result.replaceDimsAndSymbols(dims, symbols));
  return AffineMap::get(hasDims ? map.getNumDims() + count : 0, map.getNumSymbols() + count, results,
                        context);
}

Layout Layout::batched(unsigned count) const {
  SmallVector<AffineExpr> indices, sizes;
  for (unsigned i = 0; i < count; ++i) {
    indices.push_back(getAffineDimExpr(i, map().getContext()));
    sizes.push_back(getAffineSymbolExpr(i, map().getContext()));
  }
  Layout result(layoutName, bits, withLeading(logicalToStored, count, indices, /*hasDims=*/true),
                withLeading(shape, count, sizes, /*hasDims=*/false),
                withLeading(storedToLogical, count, indices, /*hasDims=*/true));
  if (zeroPadded)
    result.zeroPadded = *zeroPadded + count;
  return result;
}

Layout Layout::zeroPaddedAlong(unsigned dimension) const {
  assert(dimension < logicalRank() && "a logical dimension");
  Layout result = *this;
  result.zeroPadded = dimension;
  return result;
}

static int64_t evaluate(AffineExpr expression, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expression);
  const int64_t left = evaluate(binary.getLHS(), dims, symbols);
  const int64_t right = evaluate(binary.getRHS(), dims, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(left, right);
  default:
    llvm_unreachable("dims, symbols and constants were handled above");
  }
}

SmallVector<int64_t> fp8opt::evaluate(AffineMap map, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  assert(dims.size() == map.getNumDims() && symbols.size() == map.getNumSymbols() && "a point of the map");
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr result) { return ::evaluate(result, dims, symbols); });
}

SmallVector<int64_t> Layout::storedShape(ArrayRef<int64_t> sizes) const { return evaluate(shape, {}, sizes); }

int64_t Layout::storedElements(ArrayRef<int64_t> sizes) const {
  int64_t count = llvm::is_contained(sizes, 0) ? 0 : 1;
  for (int64_t size : storedShape(sizes))
    count *= size;
  return count;
}

int64_t Layout::storedBytes(ArrayRef<int64_t> sizes) const {
  return llvm::divideCeil(storedElements(sizes) * bits, 8);
}

SmallVector<int64_t> Layout::storedIndices(ArrayRef<int64_t> sizes, ArrayRef<int64_t> indices) const {
  return evaluate(logicalToStored, indices, sizes);
}

SmallVector<int64_t> Layout::logicalIndices(ArrayRef<int64_t> sizes, ArrayRef<int64_t> stored) const {
  return evaluate(storedToLogical, stored, sizes);
}

int64_t Layout::offsetOf(ArrayRef<int64_t> sizes, ArrayRef<int64_t> indices) const {
  return evaluate(linear, indices, sizes).front();
}

bool Layout::isPadding(ArrayRef<int64_t> sizes, ArrayRef<int64_t> stored) const {
  return llvm::any_of(llvm::zip_equal(logicalIndices(sizes, stored), sizes),
                      [](auto pair) { return std::get<0>(pair) >= std::get<1>(pair); });
}

bool Layout::isZeroPadding(ArrayRef<int64_t> sizes, ArrayRef<int64_t> stored) const {
  const SmallVector<int64_t> indices = logicalIndices(sizes, stored);
  for (unsigned i = 0; i < indices.size(); ++i)
    if ((indices[i] >= sizes[i]) != (i == zeroPadded))
      return false;
  return zeroPadded.has_value();
}
