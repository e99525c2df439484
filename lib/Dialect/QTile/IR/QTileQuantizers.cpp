// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What quantizers must hold.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Which scaling a level's block is; none where no layout of scales is for it.
static Scaling scalingOf(const numerics::ScaleLevel &level) {
  using Block = ArrayRef<int64_t>;
  constexpr int64_t side = 128, whole = -1;
  Block block = level.block;
  switch (level.type) {
  case numerics::FormatId::F32:
    if (block.empty())
      return Scaling::Tensor;
    if (block == Block{1, whole})
      return Scaling::Row;
    if (block == Block{1, side})
      return Scaling::Block1x128;
    return block == Block{side, side} ? Scaling::Block128x128 : Scaling::None;
  case numerics::FormatId::F8E8M0FNU:
    return block == Block{1, 32} ? Scaling::Block1x32 : Scaling::None;
  case numerics::FormatId::F8E4M3FN:
    return block == Block{1, 16} || block == Block{16, 16} ? Scaling::Block1x16 : Scaling::None;
  default:
    return Scaling::None;
  }
}

Scaling QuantizeOp::getScalingOf(qt::SchemeAttr scheme) {
  return scalingOf(scheme.getScales().front().getLevel());
}

bool QuantizeOp::isForTensor(qt::SchemeAttr scheme) {
  return ::scalingOf(scheme.getScales().back().getLevel()) == Scaling::Tensor;
}

bool QuantizeOp::readsAmax(qt::SchemeAttr scheme, bool isAlongRows) {
  return isForTensor(scheme) || (isAlongRows && getScalingOf(scheme) == Scaling::Row);
}

Type fp8opt::qtile::getCodeType(qt::SchemeAttr scheme) {
  switch (scheme.getCode()) {
  case numerics::FormatId::F8E4M3FN:
    return Float8E4M3FNType::get(scheme.getContext());
  case numerics::FormatId::F8E5M2:
    return Float8E5M2Type::get(scheme.getContext());
  case numerics::FormatId::F4E2M1FN:
    return Float4E2M1FNType::get(scheme.getContext());
  default:
    return {};
  }
}

GlobalType fp8opt::qtile::getScalesType(qt::SchemeAttr scheme) {
  return getScalesType(scheme.getContext(), QuantizeOp::getScalingOf(scheme));
}

static LogicalResult verifyNumbers(Operation *op, Type type) {
  if (qt::isExpressed(type))
    return success();
  return op->emitOpError() << "expected numbers of bf16, f16 or f32, got " << type;
}

/// Codes as the scheme has them; `which` says where they stand in a message.
static LogicalResult verifyCodes(Operation *op, const Twine &which, Value codes, qt::SchemeAttr scheme) {
  Type type = cast<GlobalType>(codes.getType()).getElementType();
  std::string_view expected = numerics::format(scheme.getCode()).name;
  std::string spelled;
  llvm::raw_string_ostream(spelled) << type;
  if (type.isSignlessInteger(8) || spelled == expected)
    return success();
  return op->emitOpError() << "expected codes" << which << " of " << expected << " or i8, got " << type;
}

static LogicalResult verifyOutputs(QuantizerInterface quantizer) {
  if (!quantizer.getColumnCodes() && !quantizer.getRowCodes())
    return quantizer->emitOpError() << "expected an output along columns, rows, or both, got none";
  for (auto [name, output] : {std::pair(" along columns", quantizer.getColumnCodes()),
                              std::pair(" along rows", quantizer.getRowCodes())})
    if (output && failed(verifyCodes(quantizer, name, output, quantizer.getScheme())))
      return failure();
  return success();
}

static LogicalResult verifyScales(QuantizerInterface quantizer) {
  GlobalType expected = getScalesType(quantizer.getScheme());
  for (Value scales : {quantizer.getColumnScales(), quantizer.getRowScales()})
    if (scales && scales.getType() != expected)
      return quantizer->emitOpError() << "expected scales of " << expected << ", got " << scales.getType();
  return success();
}

LogicalResult AmaxOp::verify() {
  if (failed(verifyNumbers(*this, getSource().getType().getElementType())))
    return failure();
  if (!QuantizeOp::readsAmax(getScheme(), /*isAlongRows=*/true))
    return emitOpError() << "expected a scheme of one scale for all of a tensor, or for each row, got "
                         << getScheme();
  return success();
}

LogicalResult QuantizeOp::verify() {
  if (failed(verifyNumbers(*this, getSource().getType().getElementType())) || failed(verifyOutputs(*this)))
    return failure();
  Scaling scaling = getScaling();
  if (scaling == Scaling::None)
    return emitOpError()
           << "expected scales of f32 per tensor, or per block [1, *], [1, 128] or [128, 128], of "
              "f8E8M0FNU per block [1, 32], or of f8E4M3FN per block [1, 16] or [16, 16], got "
           << getScheme();
  if (failed(verifyScales(*this)))
    return failure();
  if (readsAmax(getScheme(), static_cast<bool>(getRowCodes())) != static_cast<bool>(getAmax()))
    return emitOpError() << "expected an amax under one scale for all, or for each row with an output along "
                            "rows, and there alone";
  return success();
}

// What reads codes.

static LogicalResult verifyStored(Operation *op, Value codes, qt::SchemeAttr scheme) {
  if (failed(verifyCodes(op, "", codes, scheme)))
    return failure();
  switch (QuantizeOp::getScalingOf(scheme)) {
  case Scaling::Tensor:
  case Scaling::Row:
  case Scaling::Block1x128:
  case Scaling::Block128x128:
    return success();
  default:
    return op->emitOpError() << "expected to read scales of f32 per tensor, or per block [1, *], [1, 128] or "
                                "[128, 128], got "
                             << scheme;
  }
}

Scaling RequantizeOp::getScaling() { return QuantizeOp::getScalingOf(getScheme()); }

LogicalResult RequantizeOp::verify() {
  if (failed(verifyNumbers(*this, getExpressed())) || failed(verifyStored(*this, getCodes(), getFrom())) ||
      failed(verifyOutputs(*this)))
    return failure();
  Scaling scaling = getScaling();
  if (scaling == Scaling::None || scaling == Scaling::Row || QuantizeOp::isForTensor(getScheme()))
    return emitOpError() << "expected scales of f32 per block [1, 128] or [128, 128], or of f8E8M0FNU per "
                            "block [1, 32], got "
                         << getScheme();
  return verifyScales(*this);
}

LogicalResult DequantizeOp::verify() {
  if (failed(verifyNumbers(*this, getInto().getType().getElementType())))
    return failure();
  return verifyStored(*this, getCodes(), getFrom());
}
