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

GlobalType fp8opt::qtile::getScalesType(qt::SchemeAttr scheme) {
  return getScalesType(scheme.getContext(), QuantizeOp::getScalingOf(scheme));
}

static LogicalResult verifySource(Operation *op, GlobalType source) {
  Type type = source.getElementType();
  if (type.isBF16() || type.isF16() || type.isF32())
    return success();
  return op->emitOpError() << "expected numbers of bf16, f16 or f32, got " << type;
}

LogicalResult AmaxOp::verify() {
  if (failed(verifySource(*this, getSource().getType())))
    return failure();
  if (!QuantizeOp::isForTensor(getScheme()))
    return emitOpError() << "expected a scheme of one scale for all of a tensor, got " << getScheme();
  return success();
}

LogicalResult QuantizeOp::verify() {
  if (failed(verifySource(*this, getSource().getType())))
    return failure();
  std::string_view codes = numerics::format(getScheme().getCode()).name;
  bool hasOutput = false;
  for (auto [name, output] : {std::pair("columns", getColumnCodes()), std::pair("rows", getRowCodes())}) {
    if (!output)
      continue;
    hasOutput = true;
    Type type = cast<GlobalType>(output.getType()).getElementType();
    std::string spelled;
    llvm::raw_string_ostream(spelled) << type;
    if (!type.isSignlessInteger(8) && spelled != codes)
      return emitOpError() << "expected codes along " << name << " of " << codes << " or i8, got " << type;
  }
  if (!hasOutput)
    return emitOpError() << "expected an output along columns, rows, or both, got none";
  Scaling scaling = getScaling();
  if (scaling == Scaling::None)
    return emitOpError()
           << "expected scales of f32 per tensor, or per block [1, *], [1, 128] or [128, 128], of "
              "f8E8M0FNU per block [1, 32], or of f8E4M3FN per block [1, 16] or [16, 16], got "
           << getScheme();
  for (Value scales : {getColumnScales(), getRowScales()})
    if (scales && scales.getType() != getScalesType(getScheme()))
      return emitOpError() << "expected scales of " << getScalesType(getScheme()) << ", got "
                           << scales.getType();
  if (isForTensor(getScheme()) != static_cast<bool>(getAmax()))
    return emitOpError() << "expected an amax under one scale for all and there alone";
  return success();
}
