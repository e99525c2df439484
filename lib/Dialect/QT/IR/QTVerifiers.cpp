// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers. Each check carries the number of the constraint in the op's description.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// "256x1000", for messages.
static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os, [&](int64_t size) { ShapedType::isDynamic(size) ? os << '?' : os << size; }, "x");
  return text.empty() ? "(rank 0)" : text;
}

static std::string blockText(ArrayRef<int64_t> block) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(block, os,
                        [&](int64_t size) { ShapedType::isDynamic(size) ? os << '*' : os << size; });
  os << ']';
  return text;
}

/// Checks that a tensor type has no encoding: codes and scales could not keep it.
static LogicalResult verifyNoEncoding(Operation *op, StringRef name, Type type) {
  if (Attribute encoding = cast<RankedTensorType>(type).getEncoding())
    return op->emitOpError() << "expected " << name << " without an encoding, got " << encoding;
  return success();
}

/// Checks a plain tensor and its quantized form for one shape and one expressed type (C1 and C2 of both
/// directions).
static LogicalResult verifyExpressed(Operation *op, StringRef name, Type plainType, QTensorType quantized) {
  auto plain = cast<RankedTensorType>(plainType);
  if (failed(verifyNoEncoding(op, name, plain)))
    return failure();
  if (failed(verifyCompatibleShape(plain.getShape(), quantized.getShape())))
    return op->emitOpError() << "expected " << name << " of shape " << shapeText(quantized.getShape())
                             << ", the quantized tensor's, got " << shapeText(plain.getShape());
  if (plain.getElementType() != quantized.getElementType())
    return op->emitOpError() << "expected " << name << " of element type " << quantized.getElementType()
                             << ", the expressed type, got " << plain.getElementType();
  return success();
}

/// Checks given scales, one tensor for each level.
static LogicalResult verifyScales(Operation *op, TypeRange scales, QTensorType type) {
  size_t levels = type.getScheme().getScales().size();
  if (scales.size() != levels)
    return op->emitOpError() << "expected scales for " << levels << " levels, got " << scales.size();
  for (auto [level, given] : llvm::enumerate(scales)) {
    RankedTensorType wanted = type.getScalesType(level);
    auto got = cast<RankedTensorType>(given);
    if (failed(verifyCompatibleShape(got.getShape(), wanted.getShape()))) {
      InFlightDiagnostic error = op->emitOpError()
                                 << "expected scales of shape " << shapeText(wanted.getShape())
                                 << " for scale level " << level;
      if (type.getScheme().getScales()[level].getLevel().block.empty())
        error << " (one for each batch slice)";
      else
        error << " (ceildiv of " << shapeText(type.getShape()) << " by " << blockText(type.getBlock(level))
              << ")";
      return error << ", got " << shapeText(got.getShape());
    }
    if (got.getElementType() != wanted.getElementType())
      return op->emitOpError() << "expected scales of element type " << wanted.getElementType()
                               << " for scale level " << level << ", got " << got.getElementType();
  }
  return success();
}

static LogicalResult verifyParts(Operation *op, Type codes, TypeRange scales, QTensorType type) {
  if (codes != type.getCodesType())
    return op->emitOpError() << "expected codes of type " << type.getCodesType() << ", got " << codes;
  return verifyScales(op, scales, type);
}

/// Checks a tensor of amaxes of a tensor of this shape.
static LogicalResult verifyAmax(Operation *op, const Twine &name, Type given, AmaxAttr blocks,
                                ArrayRef<int64_t> shape) {
  RankedTensorType wanted = blocks.getResultType(shape);
  ArrayRef<int64_t> got = cast<RankedTensorType>(given).getShape();
  if (succeeded(verifyCompatibleShape(got, wanted.getShape())))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected " << name << " of shape " << shapeText(wanted.getShape());
  if (blocks.getBlock().empty())
    error << " (one for each batch slice)";
  else
    error << " (ceildiv of " << shapeText(shape) << " by " << blockText(blocks.getFullBlock(shape.size()))
          << ")";
  return error << ", got " << shapeText(got);
}

/// The amax of the outermost level, which one can be given.
static AmaxAttr outermostAmax(QTensorType type) {
  return type.getScheme().getAmax(type.getScheme().getScales().size() - 1);
}

LogicalResult QuantizeOp::verify() {
  if (failed(verifyExpressed(*this, "the input", getInput().getType(), getType()))) // C1, C2
    return failure();
  if (!getScales().empty() && failed(verifyScales(*this, getScales().getTypes(), getType()))) // C3
    return failure();
  if (getType().getScheme().getRounding() == numerics::Rounding::Stochastic) // C4
    return emitOpError("expected a rounding that needs no random bits, got stochastic");
  if (!getAmax()) // C5
    return success();
  if (!getScales().empty())
    return emitOpError("expected scales or an amax, got both");
  return verifyAmax(*this, "the amax", getAmax().getType(), outermostAmax(getType()), getType().getShape());
}

LogicalResult AmaxOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  if (failed(verifyNoEncoding(*this, "the input", input)))
    return failure();
  ArrayRef<int64_t> block = getBlocks().getBlock();
  auto beyond = block.drop_back(std::min<size_t>(block.size(), input.getRank()));
  if (!llvm::all_of(beyond, [](int64_t size) { return size == 1; }))
    return emitOpError() << "expected a block of at most " << input.getRank()
                         << " sizes, the input's rank, after leading ones, got " << getBlocks();
  return verifyAmax(*this, "the result", getType(), getBlocks(), input.getShape()); // C1
}

LogicalResult MultiQuantizeOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  if (failed(verifyNoEncoding(*this, "the input", input)))
    return failure();
  if (getNumResults() < 1 || getPermutations().size() != getNumResults()) // C1
    return emitOpError() << "expected at least one result and a permutation for each, got " << getNumResults()
                         << " results and " << getPermutations().size() << " permutations";
  std::optional<ArrayRef<int64_t>> reads = getReads();
  if (reads.value_or(ArrayRef<int64_t>()).size() != (getAmaxes().empty() ? 0 : getNumResults())) // C4
    return emitOpError() << "expected 'reads' to have an entry for each of " << getNumResults()
                         << " results beside amaxes and none without, got "
                         << reads.value_or(ArrayRef<int64_t>()).size();
  for (int64_t read : reads.value_or(ArrayRef<int64_t>()))
    if (read < -1 || read >= int64_t(getAmaxes().size()))
      return emitOpError() << "expected 'reads' to hold numbers of amaxes, of which there are "
                           << getAmaxes().size() << ", or -1, got " << read;
  for (int64_t amax = 0; amax < int64_t(getAmaxes().size()); ++amax)
    if (!llvm::is_contained(*reads, amax))
      return emitOpError() << "expected every amax to be read, got none that reads number " << amax;
  for (unsigned result = 0; result < getNumResults(); ++result) {
    auto type = cast<QTensorType>(getType(result));
    SmallVector<int64_t> sorted = getPermutation(result); // C1
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
      return emitOpError() << "expected a permutation of " << type.getRank() << " dimensions for result "
                           << result << ", got " << getPermutations()[result];
    QTensorType unpermuted = getUnpermutedType(result); // C2
    if (!unpermuted)
      return emitOpError() << "expected a scheme for result " << result
                           << " that can be transposed back, got " << type.getScheme();
    std::string name = ("the input for result " + Twine(result)).str();
    if (failed(verifyExpressed(*this, name, input, unpermuted)))
      return failure();
    if (type.getScheme().getRounding() == numerics::Rounding::Stochastic) // C3
      return emitOpError("expected a rounding that needs no random bits, got stochastic");
    if (Value amax = getAmax(result)) // C4
      if (failed(verifyAmax(*this, "the amax for result " + Twine(result), amax.getType(),
                            outermostAmax(unpermuted), unpermuted.getShape())))
        return failure();
  }
  return success();
}

LogicalResult DequantizeOp::verify() {
  return verifyExpressed(*this, "the result", getType(), getInput().getType()); // C1, C2
}

LogicalResult RequantizeOp::verify() {
  QTensorType from = getInput().getType(), to = getType();
  if (from.getShape() != to.getShape()) // C1
    return emitOpError() << "expected the result of shape " << shapeText(from.getShape())
                         << ", the operand's, got " << shapeText(to.getShape());
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expected the result of expressed type " << from.getElementType()
                         << ", the operand's, got " << to.getElementType();
  if (to.getScheme().getRounding() == numerics::Rounding::Stochastic) // C2
    return emitOpError("expected a rounding that needs no random bits, got stochastic");
  return success();
}

/// The block size along the last dimension of an operand's innermost level, or nothing if one scale covers
/// it.
static std::optional<int64_t> blockAlongK(QTensorType type) {
  int64_t block = type.getBlock(0).back();
  int64_t size = type.getShape().back();
  if (ShapedType::isDynamic(block) || (!ShapedType::isDynamic(size) && block >= size))
    return std::nullopt;
  return block;
}

bool MatmulOp::nestAlongK(QTensorType a, QTensorType b) {
  std::optional<int64_t> blockA = blockAlongK(a), blockB = blockAlongK(b);
  return !blockA || !blockB || std::max(*blockA, *blockB) % std::min(*blockA, *blockB) == 0;
}

LogicalResult MatmulOp::verify() {
  QTensorType a = getLhs().getType(), b = getRhs().getType();
  auto result = cast<RankedTensorType>(getType());
  int64_t rank = a.getRank();
  if (rank < 2 || b.getRank() != rank) // C1
    return emitOpError() << "expected operands of one rank of at least 2, got " << rank << " for 'lhs' and "
                         << b.getRank() << " for 'rhs'";
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != rank - 2 && failed(verifyCompatibleShape(a.getShape()[dim], b.getShape()[dim])))
      return emitOpError() << "expected dimension " << dim << " of 'rhs' ("
                           << (dim == rank - 1 ? "K" : "batch") << ") to be " << a.getShape()[dim] << ", got "
                           << b.getShape()[dim];
  for (auto [name, type] : {std::pair("lhs", a), std::pair("rhs", b)}) { // C2
    SmallVector<int64_t> block = type.getBlock(0);
    if (block.back() == 1)
      return emitOpError() << "expected operand '" << name << "' to be blocked along dimension " << rank - 1
                           << ", got a block of " << blockText(block);
  }
  if (!nestAlongK(a, b)) // C3
    return emitOpError()
           << "expected block sizes along K of which the larger is a multiple of the smaller, got "
           << *blockAlongK(a) << " for 'lhs' and " << *blockAlongK(b) << " for 'rhs'";
  if (failed(verifyNoEncoding(*this, "the result", result))) // C4
    return failure();
  SmallVector<int64_t> shape(a.getShape());
  shape.back() = b.getShape()[rank - 2];
  if (failed(verifyCompatibleShape(result.getShape(), shape)))
    return emitOpError() << "expected a result of shape " << shapeText(shape) << ", got "
                         << shapeText(result.getShape());
  if (getAddend() && failed(verifyCompatibleShape(getAddend().getType(), result)))
    return emitOpError() << "expected an addend of shape " << shapeText(result.getShape()) << ", got "
                         << shapeText(cast<ShapedType>(getAddend().getType()).getShape());
  ArrayAttr blocks = getBlocks().value_or(ArrayAttr()); // C5
  if ((blocks ? blocks.size() : 0) != getAmaxes().size())
    return emitOpError() << "expected an amax result for each of " << (blocks ? blocks.size() : 0)
                         << " blocks, got " << getAmaxes().size();
  for (auto [index, amax] : llvm::enumerate(getAmaxes()))
    if (failed(verifyAmax(*this, "amax " + Twine(index), amax.getType(), cast<AmaxAttr>(blocks[index]),
                          result.getShape())))
      return failure();
  return success();
}

/// Checks that a resource that is there holds all elements: whoever reads it trusts its type.
static LogicalResult verifyBytes(Operation *op, const Twine &name, ElementsAttr values) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(values);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  auto type = cast<RankedTensorType>(values.getType());
  if (!blob)
    return success();
  uint64_t wanted = uint64_t(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
  if (blob->getData().size() == wanted)
    return success();
  return op->emitOpError() << "expected " << name << " of " << wanted << " bytes, as " << type << " has, got "
                           << blob->getData().size();
}

/// Checks that inline codes have no bits beyond those of their format. A resource may be large, and is not
/// read.
static LogicalResult verifyCodes(Operation *op, ElementsAttr codes, const numerics::Format &format) {
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(codes);
  size_t size = format.storageBits() / 8;
  if (!dense || format.bits() == format.storageBits())
    return success();
  ArrayRef<char> bytes = dense.getRawData();
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    uint32_t code = 0;
    std::memcpy(&code, bytes.data() + at, size);
    if (code >> format.bits() != 0)
      return op->emitOpError() << "expected codes of " << format.bits() << " bits, as "
                               << StringRef(format.name) << " has, got " << code << " for element "
                               << at / size;
  }
  return success();
}

LogicalResult ConstantOp::verify() {
  SmallVector<Type> scales;
  for (ElementsAttr values : getValue().getScales())
    scales.push_back(values.getType());
  if (!getType().hasStaticShape()) // C1
    return emitOpError() << "expected a static shape, got " << shapeText(getType().getShape());
  if (failed(verifyParts(*this, getValue().getCodes().getType(), scales, getType()))) // C2
    return failure();
  if (failed(verifyBytes(*this, "codes", getValue().getCodes()))) // C3
    return failure();
  const numerics::Format &code = numerics::format(getType().getScheme().getCode());
  if (failed(verifyCodes(*this, getValue().getCodes(), code))) // C4
    return failure();
  for (auto [level, values] : llvm::enumerate(getValue().getScales()))
    if (failed(verifyBytes(*this, "scales of level " + Twine(level), values)))
      return failure();
  return success();
}

LogicalResult AssembleOp::verify() {
  return verifyParts(*this, getCodes().getType(), getScales().getTypes(), getType()); // C1
}

LogicalResult DisassembleOp::verify() {
  return verifyParts(*this, getCodes().getType(), getScales().getTypes(), getInput().getType()); // C1
}
