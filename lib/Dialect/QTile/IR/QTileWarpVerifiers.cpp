// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the products of a warp must hold.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

LogicalResult LoadOperandOp::verify() {
  SharedType tile = getTile().getType();
  OperandType operand = getType();
  if (!tile.getIsInPanels() || tile.getBytesPerRow() != panelBytes)
    return emitOpError() << "expected a tile in panels of " << panelBytes << " bytes a row, got " << tile;
  if (tile.getElementType() != operand.getElementType() || tile.getRows() < operand.getRows())
    return emitOpError() << "expected a tile of " << operand.getElementType() << " of at least "
                         << operand.getRows() << " rows, got " << tile;
  int64_t byte = getByte();
  if (byte < 0 || byte >= panelBytes || byte % stepBytes != 0)
    return emitOpError() << "expected a byte of 0 to " << panelBytes - 1 << ", a multiple of " << stepBytes
                         << ", got " << byte;
  return success();
}

LogicalResult LoadScaleWordsOp::verify() {
  SharedType tile = getTile().getType();
  ScaleWordsType words = getType();
  if (tile.getIsInPanels() || tile.getShape() != ArrayRef<int64_t>{scaleTileBytes} ||
      tile.getElementType() != words.getElementType())
    return emitOpError() << "expected a tile of " << scaleTileBytes << " scales of " << words.getElementType()
                         << ", got " << tile;
  if (words.getRows() > scaleTileRows || !llvm::isPowerOf2_64(words.getRows()))
    return emitOpError() << "expected at most " << scaleTileRows << " rows, a power of two, got "
                         << words.getRows();
  return success();
}

int64_t MmaScaledOp::getElementsOfScale() {
  return elementsOfScale(getLhsScales().getType().getElementType());
}

LogicalResult MmaScaledOp::verify() {
  OperandType lhs = getLhs().getType(), rhs = getRhs().getType();
  ScaleWordsType lhsScales = getLhsScales().getType(), rhsScales = getRhsScales().getType();
  FragmentType fragment = getType();
  int64_t row = getRow(), block = getBlock();
  if (lhs.getSide() != OperandSide::Lhs || rhs.getSide() != OperandSide::Rhs)
    return emitOpError() << "expected a left and a right operand, got " << lhs << " and " << rhs;
  if (fragment.getRows() != warpWaveRows || row < 0 || row % warpWaveRows != 0 ||
      row + warpWaveRows > lhs.getRows())
    return emitOpError() << "expected " << warpWaveRows << " of the " << lhs.getRows()
                         << " rows of the left operand, from a multiple of as many on, got "
                         << fragment.getRows() << " from " << row << " on";
  if (fragment.getColumns() != rhs.getRows())
    return emitOpError() << "expected a fragment of " << rhs.getRows()
                         << " columns, the rows of the right operand, got " << fragment;
  if (lhsScales.getRows() < lhs.getRows() || rhsScales.getRows() < rhs.getRows())
    return emitOpError() << "expected scales of all rows of the operands, got " << lhsScales << " and "
                         << rhsScales;
  Type scale = lhsScales.getElementType();
  unsigned bits = isa<Float8E4M3FNType>(scale) ? 4 : 8;
  bool isKnown = scale == rhsScales.getElementType() && isa<Float8E8M0FNUType, Float8E4M3FNType>(scale);
  if (!isKnown || lhs.getElementType().getIntOrFloatBitWidth() != bits ||
      rhs.getElementType().getIntOrFloatBitWidth() != bits)
    return emitOpError() << "expected scales of f8E8M0FNU with codes of 8 bits, or of f8E4M3FN with codes of "
                            "4, got "
                         << lhsScales << " and " << rhsScales << " with " << lhs.getElementType() << " and "
                         << rhs.getElementType();
  if (block < 0 || block % getBlocks() != 0 || block + getBlocks() > scalesOfWord)
    return emitOpError() << "expected " << getBlocks() << " of " << scalesOfWord
                         << " scales, from a multiple of as many on, got them from " << block << " on";
  return success();
}
