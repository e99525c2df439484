// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ops of a thread must hold.

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Codes that fill a register.
constexpr int64_t codesOfWord = 4;
/// Bytes that a thread moves at a time.
constexpr int64_t moveBytes = 16;

static LogicalResult verifyMoved(Operation *op, Type moved, unsigned bits) {
  Type got = getElementTypeOrSelf(moved);
  auto vector = dyn_cast<VectorType>(moved);
  if (!got.isIntOrFloat() || got.getIntOrFloatBitWidth() != bits || bits < 8 ||
      (vector && vector.getRank() != 1))
    return op->emitOpError() << "expected a scalar or a vector of one dimension of elements of " << bits
                             << " bits, got " << moved;
  return success();
}

/// Of what is moved in part.
static LogicalResult verifyCount(Operation *op, Type moved, Value count, bool isAligned) {
  auto vector = dyn_cast<VectorType>(moved);
  if (count && !vector)
    return op->emitOpError() << "expected a count of the elements of a vector alone, got one of " << moved;
  if (isAligned && vector.getNumElements() * vector.getElementTypeBitWidth() % (8 * moveBytes) != 0)
    return op->emitOpError() << "expected a vector of whole " << moveBytes << " bytes, got " << vector;
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyMoved(*this, getType(), getSource().getType().getElementType().getIntOrFloatBitWidth())))
    return failure();
  return verifyCount(*this, getType(), getCount(), getAligned());
}

LogicalResult StoreOp::verify() {
  // Two of 4 bits are moved as a byte.
  unsigned bits = getInto().getType().getElementType().getIntOrFloatBitWidth();
  if (failed(verifyMoved(*this, getValue().getType(), std::max(bits, 8u))))
    return failure();
  return verifyCount(*this, getValue().getType(), getCount(), getAligned());
}
LogicalResult LoadSharedOp::verify() {
  return verifyMoved(*this, getType(), getTile().getType().getElementType().getIntOrFloatBitWidth());
}
LogicalResult StoreSharedOp::verify() {
  return verifyMoved(*this, getValue().getType(),
                     getTile().getType().getElementType().getIntOrFloatBitWidth());
}

LogicalResult AtomicMaxOp::verify() {
  return verifyMoved(*this, getMagnitude().getType(),
                     getInto().getType().getElementType().getIntOrFloatBitWidth());
}

// Maxima.

LogicalResult VectorMaxOp::verify() {
  if (getVectors().empty())
    return emitOpError() << "expected at least 1 vector, got none";
  auto vector = cast<VectorType>(getVectors().front().getType());
  Type wanted = vector.getElementType();
  if (getVectors().size() > 1)
    wanted = VectorType::get(getVectors().size(), wanted);
  if (getType() != wanted || !llvm::isPowerOf2_64(vector.getNumElements()))
    return emitOpError() << "expected vectors of a power of two of elements and a result of " << wanted
                         << ", got " << vector << " and " << getType();
  return success();
}

LogicalResult LaneMaxOp::verify() {
  uint64_t over = getOver(), stride = getStride();
  if (!llvm::isPowerOf2_64(over) || !llvm::isPowerOf2_64(stride) || over * stride > 32)
    return emitOpError() << "expected powers of two whose product is at most 32, got over " << over
                         << " stride " << stride;
  return success();
}

LogicalResult PickOp::verify() {
  auto vector = cast<VectorType>(getVector().getType());
  if (!llvm::isPowerOf2_64(vector.getNumElements()) || vector.getElementType() != getType())
    return emitOpError() << "expected a vector of a power of two of elements of type " << getType()
                         << ", got " << vector;
  return success();
}

LogicalResult RenewOp::verify() {
  auto vector = cast<VectorType>(getType());
  if (vector.getNumElements() * vector.getElementTypeBitWidth() % 32 != 0)
    return emitOpError() << "expected a vector of whole 4 bytes, got " << vector;
  return success();
}

// Codes.

static LogicalResult verifyWords(Operation *op, int64_t codes) {
  if (codes % codesOfWord == 0)
    return success();
  return op->emitOpError() << "expected a multiple of " << codesOfWord << " codes, got " << codes;
}

/// As many codes as numbers, and one factor or as many.
template <typename OpT> static LogicalResult verifyCounts(OpT op) {
  int64_t numbers = cast<VectorType>(op.getValues().getType()).getNumElements(),
          codes = cast<VectorType>(op.getCodes().getType()).getNumElements();
  auto factors = dyn_cast<VectorType>(op.getFactor().getType());
  if (numbers != codes || (factors && factors.getNumElements() != numbers))
    return op.emitOpError() << "expected as many codes as numbers, and one factor or as many, got "
                            << op.getValues().getType() << ", " << op.getFactor().getType() << " and "
                            << op.getCodes().getType();
  return verifyWords(op, codes);
}

LogicalResult EncodeOp::verify() {
  if (numerics::format(getScheme().getCode()).bits() > 8 ||
      getScheme().getRounding() == numerics::Rounding::Stochastic)
    return emitOpError() << "expected a scheme of codes of at most 8 bits, rounded without random bits, got "
                         << getScheme();
  return verifyCounts(*this);
}

LogicalResult DecodeOp::verify() {
  if (numerics::format(getScheme().getCode()).bits() > 8)
    return emitOpError() << "expected a scheme of codes of at most 8 bits, got " << getScheme();
  return verifyCounts(*this);
}

LogicalResult KeepFirstOp::verify() {
  return verifyWords(*this, cast<VectorType>(getCodes().getType()).getNumElements());
}

LogicalResult PackOp::verify() {
  constexpr int64_t codesOfTwoWords = 8;
  int64_t codes = cast<VectorType>(getCodes().getType()).getNumElements(),
          bytes = cast<VectorType>(getType()).getNumElements();
  if (codes % codesOfTwoWords != 0 || 2 * bytes != codes)
    return emitOpError() << "expected a multiple of " << codesOfTwoWords
                         << " codes and half as many bytes, got " << codes << " and " << bytes;
  return success();
}

LogicalResult TransposeOp::verify() {
  int64_t size = getRows().size();
  auto isOfSize = [&](Type type) { return cast<VectorType>(type).getNumElements() == size; };
  if (size == 0 || static_cast<int64_t>(getColumns().size()) != size ||
      !llvm::all_of(getRows().getTypes(), isOfSize) || !llvm::all_of(getColumns().getTypes(), isOfSize))
    return emitOpError() << "expected as many vectors as codes in each, and as many results, got " << size
                         << " vectors and " << getColumns().size() << " results";
  return verifyWords(*this, size);
}
