// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of results: those of a matrix product, and the ops on their way to memory.

#include "VerifyResult.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Sums are rounded once, at the end of them all.
static LogicalResult verifyAccumulation(Operation *op, bool accumulates, TypedValue<GlobalType> into) {
  if (Type element = into.getType().getElementType(); accumulates && !element.isF32())
    return op->emitOpError() << "expected to accumulate in f32, got " << element;
  return success();
}

/// Codes, and the numbers that they stand for.
static LogicalResult verifyCodes(Operation *op, qt::SchemeAttr scheme, Type element, Type expressed) {
  if (element != getCodeType(scheme) || !isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return op->emitOpError() << "expected codes of f8E4M3FN or f8E5M2, those of the scheme, got " << element
                             << " for " << scheme;
  if (!qt::isExpressed(expressed))
    return op->emitOpError() << "expected codes of bf16, f16 or f32, got codes of " << expressed;
  const numerics::ScaleLevel &level = scheme.getScales().front().getLevel();
  if (scheme.getScales().size() != 1 || QuantizeOp::getScalingOf(scheme) != Scaling::Tensor ||
      level.apply == numerics::ApplyScale::DivDecode)
    return op->emitOpError() << "expected one scale of f32 for all of a result, by which its numbers are "
                                "multiplied, got "
                             << scheme;
  if (scheme.getRounding() == numerics::Rounding::Stochastic)
    return op->emitOpError() << "expected codes that are rounded without random bits, got " << scheme;
  return success();
}

LogicalResult fp8opt::qtile::verifyResult(GemmOp gemm) {
  if (failed(verifyAccumulation(gemm, gemm.getAccumulate(), gemm.getInto())))
    return failure();
  Type element = gemm.getInto().getType().getElementType();
  std::optional<qt::SchemeAttr> scheme = gemm.getIntoScheme();
  const bool hasScheme = scheme.has_value();
  if (hasScheme != static_cast<bool>(gemm.getIntoScale()) || hasScheme != gemm.getExpressed().has_value())
    return gemm.emitOpError() << "expected a scheme, a scale and the type of numbers of the result's codes "
                                 "beside each other, got some of them";
  if (hasScheme && !gemm.leavesPanels())
    return gemm.emitOpError() << "expected codes in panels, got "
                              << stringifyResultLayout(gemm.getIntoLayout());
  if (hasScheme && failed(verifyCodes(gemm, *scheme, element, *gemm.getExpressed())))
    return failure();
  if (gemm.leavesPanels() && !hasScheme && !element.isBF16() && !element.isF16())
    return gemm.emitOpError() << "expected a result of bf16 or f16, or of codes by a scheme, in panels, got "
                              << element;
  if (gemm.getBias() && !qt::isExpressed(gemm.getBias().getType().getElementType()))
    return gemm.emitOpError() << "expected numbers for columns of bf16, f16 or f32, got "
                              << gemm.getBias().getType().getElementType();
  return success();
}

LogicalResult AddColumnsOp::verify() {
  if (getColumns().getType().getColumns() == getFragment().getType().getColumns())
    return success();
  return emitOpError() << "expected " << getFragment().getType().getColumns() << " columns, got "
                       << getColumns().getType().getColumns();
}

LogicalResult StageFragmentOp::verify() {
  SharedType tile = getTile().getType();
  FragmentType fragment = getFragment().getType();
  Type element = tile.getElementType();
  std::optional<qt::SchemeAttr> scheme = getScheme();
  if (!tile.getIsInPanels() || (!scheme && !qt::isExpressed(element)))
    return emitOpError() << "expected a tile of bf16, f16 or f32 in panels, got " << tile;
  if (tile.getColumns() != fragment.getColumns() || tile.getRows() < fragment.getRows())
    return emitOpError() << "expected a tile of " << fragment.getColumns() << " columns and at least "
                         << fragment.getRows() << " rows, got " << tile;
  if (getKeep() && element.isF32())
    return emitOpError() << "expected to keep columns of elements of at most 16 bits, got " << tile;
  const bool hasScheme = scheme.has_value();
  if (hasScheme != static_cast<bool>(getFactor()) || hasScheme != getExpressed().has_value())
    return emitOpError() << "expected a scheme, a factor and the type of numbers of codes beside each other, "
                            "got some of them";
  if (!hasScheme)
    return success();
  constexpr int64_t rows = 64, columns = 16;
  if (fragment.getRows() != rows || fragment.getColumns() % columns != 0)
    return emitOpError() << "expected codes of a fragment of " << rows << " rows and a multiple of "
                         << columns << " columns, got " << fragment;
  return verifyCodes(*this, *scheme, element, *getExpressed());
}

LogicalResult StoreTileOp::verify() {
  if (!getTile().getType().getIsInPanels())
    return emitOpError() << "expected a tile in panels, got " << getTile().getType();
  if (getTile().getType().getElementType() != getInto().getType().getElementType())
    return emitOpError() << "expected one element type, got a tile of "
                         << getTile().getType().getElementType() << " into "
                         << getInto().getType().getElementType();
  int64_t threads = getThreads();
  if (threads < 32 || threads % 32 != 0)
    return emitOpError() << "expected whole warps of 32 threads, got " << threads << " threads";
  int64_t chunks = threads * static_cast<int64_t>(getAtOnce());
  if (chunks < 64 || chunks % 64 != 0)
    return emitOpError() << "expected whole groups of 64 chunks on the way, 8 rows of 8, got " << chunks;
  return verifyAccumulation(*this, getAccumulate(), getInto());
}

LogicalResult StorePanelsOp::verify() {
  SharedType tile = getTile().getType();
  if (!tile.getIsInPanels() || tile.getBytesPerRow() % panelBytes != 0)
    return emitOpError() << "expected a tile of whole panels, got " << tile;
  if (tile.getElementType() != getInto().getType().getElementType())
    return emitOpError() << "expected one element type, got a tile of " << tile.getElementType() << " into "
                         << getInto().getType().getElementType();
  return success();
}
