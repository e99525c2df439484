// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ops inside a kernel must hold.

#include "VerifyResult.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

// What a kernel computes.

/// The type of scales, which is not spelled.
static ParseResult parseScalesOf(OpAsmParser &parser, Type &type, ScalingAttr scaling) {
  type = getScalesType(parser.getContext(), scaling.getValue());
  return success();
}
static void printScalesOf(OpAsmPrinter &, GemmOp, Type, ScalingAttr) {}
static ParseResult parseScalesBy(OpAsmParser &, Type &type, qt::SchemeAttr scheme) {
  type = getScalesType(scheme);
  return success();
}
static void printScalesBy(OpAsmPrinter &, Operation *, Type, qt::SchemeAttr) {}

/// Codes that a product takes under a scaling.
static LogicalResult verifyCodes(GemmOp gemm, StringRef operand, Scaling scaling, Type element) {
  if (scaling == Scaling::Block1x16 && !isa<Float4E2M1FNType>(element))
    return gemm.emitOpError() << "expected codes of f4E2M1FN of the " << operand
                              << " operand under block_1x16, got " << element;
  unsigned bits = element.getIntOrFloatBitWidth();
  bool isOfBlock =
      scaling == Scaling::Block1x128 || scaling == Scaling::Block128x128 || scaling == Scaling::Block1x32;
  if (isOfBlock && bits != 8)
    return gemm.emitOpError() << "expected codes of 8 bits of the " << operand
                              << " operand under scales of blocks, got " << element;
  if (scaling != Scaling::Block1x16 && bits == 4)
    return gemm.emitOpError() << "expected codes of 4 bits under block_1x16 alone, got " << element
                              << " under " << stringifyScaling(scaling);
  return success();
}

static LogicalResult verifyGroups(GemmOp gemm) {
  std::optional<Grouping> grouping = gemm.getGrouping();
  if (grouping.has_value() != static_cast<bool>(gemm.getGroups()))
    return gemm.emitOpError() << "expected a grouping beside groups and there alone, got "
                              << (grouping ? stringifyGrouping(*grouping) : "none") << " with "
                              << (gemm.getGroups() ? "some" : "no") << " groups";
  bool wantsBounds = grouping && grouping != Grouping::Batch;
  if (wantsBounds != static_cast<bool>(gemm.getBounds()))
    return gemm.emitOpError() << "expected " << (wantsBounds ? "" : "no ") << "bounds "
                              << (grouping ? "in " : "without groups")
                              << (grouping ? stringifyGrouping(*grouping) : "") << ", got "
                              << (gemm.getBounds() ? "some" : "none");
  std::optional<ArrayRef<int64_t>> likely = gemm.getLikely();
  const size_t count = grouping ? 4 : 3;
  if (likely && (likely->size() != count || llvm::any_of(*likely, [](int64_t size) { return size < 1; })))
    return gemm.emitOpError() << "expected " << (grouping ? "four" : "three")
                              << " likely sizes of at least 1, got [" << *likely << "]";
  return success();
}

/// What row-major operands need.
static LogicalResult verifyLayouts(GemmOp gemm) {
  OperandLayout lhs = gemm.getLhsLayout(), rhs = gemm.getRhsLayout();
  const bool wantsMaps = lhs != OperandLayout::Panels || rhs != OperandLayout::Panels;
  if (wantsMaps != static_cast<bool>(gemm.getMaps()))
    return gemm.emitOpError() << "expected " << (wantsMaps ? "maps" : "no maps") << " where operands are "
                              << stringifyOperandLayout(lhs) << " and " << stringifyOperandLayout(rhs)
                              << ", got " << (gemm.getMaps() ? "some" : "none");
  if (!wantsMaps)
    return success();
  if (gemm.getLhsScaling() != Scaling::None)
    return gemm.emitOpError() << "expected row-major operands to have scaling none, got "
                              << stringifyScaling(gemm.getLhsScaling());
  if (gemm.getGrouping() && gemm.getGrouping() != Grouping::Batch)
    return gemm.emitOpError() << "expected no groups but a batch where operands are row major, got "
                              << stringifyGrouping(*gemm.getGrouping());
  for (auto [name, operand] : {std::pair("left", gemm.getLhs()), std::pair("right", gemm.getRhs())})
    if (Type element = operand.getType().getElementType(); element.getIntOrFloatBitWidth() != 16)
      return gemm.emitOpError() << "expected elements of 16 bits of the " << name
                                << " operand, beside one that is row major, got " << element;
  if (gemm.getGrouping() && (lhs == OperandLayout::Panels || rhs == OperandLayout::Panels))
    return gemm.emitOpError() << "expected a batch of operands that are all row major, got panels";
  return success();
}

/// How matrices of a batch lie that are not in panels.
static LogicalResult verifyStrides(GemmOp gemm) {
  bool wants = gemm.getMaps() && gemm.getGrouping();
  size_t count = wants ? 3 : 0;
  if (static_cast<bool>(gemm.getInner()) != wants)
    return gemm.emitOpError() << "expected " << (wants ? "strides" : "no strides but those")
                              << " of a batch of row-major operands, got " << (wants ? "none" : "some");
  for (auto [name, strides] :
       {std::pair("left", gemm.getLhsStrides()), std::pair("right", gemm.getRhsStrides())})
    if (strides.size() != count)
      return gemm.emitOpError() << "expected " << count << " strides of the " << name << " operand, got "
                                << strides.size();
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyResult(*this)))
    return failure();
  auto agrees = [&](StringRef operand, Scaling scaling, Value scales) -> LogicalResult {
    bool wants = scaling != Scaling::None && (scaling != Scaling::Tensor || !getAlpha());
    if (scales && scales.getType() != getScalesType(getContext(), scaling))
      return emitOpError() << "expected scales of " << getScalesType(getContext(), scaling) << " of the "
                           << operand << " operand, got " << scales.getType();
    if (wants == static_cast<bool>(scales))
      return success();
    return emitOpError() << "expected " << (wants ? "" : "no ") << "scales of the " << operand
                         << " operand under " << stringifyScaling(scaling) << ", got "
                         << (scales ? "some" : "none");
  };
  Scaling lhs = getLhsScaling(), rhs = getRhsScaling();
  if (failed(agrees("left", lhs, getLhsScales())) || failed(agrees("right", rhs, getRhsScales())))
    return failure();
  bool isKnown = (lhs == Scaling::Block1x128 && rhs == Scaling::Block128x128) ||
                 (lhs == rhs && lhs != Scaling::Block128x128);
  if (!isKnown)
    return emitOpError()
           << "expected scalings of the operands to be alike, or block_1x128 and block_128x128, got "
           << stringifyScaling(lhs) << " and " << stringifyScaling(rhs);
  bool mayHaveAlpha = lhs == Scaling::Tensor || lhs == Scaling::Block1x16;
  if (getAlpha() && !mayHaveAlpha)
    return emitOpError() << "expected alpha under tensor or block_1x16 alone, got it under "
                         << stringifyScaling(lhs);
  if (getPromoted() && !mayBePromoted(lhs))
    return emitOpError() << "expected promoted sums under tensor or row alone, got them under "
                         << stringifyScaling(lhs);
  if (failed(verifyCodes(*this, "left", lhs, getLhs().getType().getElementType())) ||
      failed(verifyCodes(*this, "right", rhs, getRhs().getType().getElementType())) ||
      failed(verifyLayouts(*this)) || failed(verifyStrides(*this)))
    return failure();
  return verifyGroups(*this);
}

LogicalResult RoleOp::verify() {
  if (getWarps() < 4 || getWarps() % 4 != 0)
    return emitOpError() << "expected warps to be a positive multiple of 4, got " << getWarps();
  if (getRegisters() < 24 || getRegisters() > 255 || getRegisters() % 8 != 0)
    return emitOpError() << "expected registers to be a multiple of 8 between 24 and 255, got "
                         << getRegisters();
  if (getBody().getNumArguments() != 1 || !getBody().getArgument(0).getType().isSignlessInteger(32))
    return emitOpError() << "expected one argument of type i32, the number of the warp";
  return success();
}

// Rings.

static LogicalResult verifyTiles(Operation *op, RingType ring, TypeRange got) {
  if (llvm::equal(ring.getTiles(), got))
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected the tiles of the ring (";
  llvm::interleaveComma(ring.getTiles(), error);
  error << "), got (";
  llvm::interleaveComma(got, error);
  return error << ")";
}

LogicalResult FillOp::verify() {
  if (failed(verifyTiles(*this, getRing().getType(), getBody().getArgumentTypes())))
    return failure();
  if (getBody().front().empty())
    return emitOpError() << "expected at least one copy, got none";
  for (Operation &op : getBody().front()) {
    if (!isa<CopyOp, CopyTileOp>(op))
      return emitOpError() << "expected nothing but copies, got " << op.getName();
    if (isa<CopyTileOp>(op) && getKind() != CopyKind::Bulk)
      return op.emitOpError() << "expected a bulk fill, as the copy engine copies tiles, got "
                              << stringifyCopyKind(getKind());
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getOnce() && getKind() != CopyKind::Bulk)
      return op.emitOpError() << "expected a bulk fill for what is read once, as the copy engine tells the "
                                 "cache so, got "
                              << stringifyCopyKind(getKind());
    Value tile = isa<CopyOp>(op) ? cast<CopyOp>(op).getTile() : cast<CopyTileOp>(op).getTile();
    if (tile.getParentRegion() != &getBody())
      return op.emitOpError() << "expected a tile of the stage that is filled";
    auto isInside = [&](Value value) { return value != tile && value.getParentRegion() == &getBody(); };
    if (llvm::any_of(op.getOperands(), isInside))
      return op.emitOpError() << "expected operands other than the tile to be defined outside of the fill";
  }
  return success();
}

LogicalResult TensorMapOp::verify() {
  Type matrix = getMatrix().getType().getElementType(), tile = getMap().getType().getTile().getElementType();
  if (matrix != tile)
    return emitOpError() << "expected one element type, got a matrix of " << matrix << " and a tile of "
                         << tile;
  int64_t outer = getMap().getType().getOuter(), strides = outer ? outer + 1 : 0;
  if (static_cast<int64_t>(getOuter().size()) != outer ||
      static_cast<int64_t>(getStrides().size()) != strides)
    return emitOpError() << "expected " << outer << " sizes of outer dimensions and " << strides
                         << " strides, got " << getOuter().size() << " and " << getStrides().size();
  return success();
}

LogicalResult CopyTileOp::verify() {
  TensorMapType map = getMap().getType();
  if (getTile().getType() != map.getTile())
    return emitOpError() << "expected the tile of the map, " << map.getTile() << ", got "
                         << getTile().getType();
  if (static_cast<int64_t>(getOuter().size()) != map.getOuter())
    return emitOpError() << "expected a number for each of " << map.getOuter() << " outer dimensions, got "
                         << getOuter().size();
  return success();
}

LogicalResult CopyOp::verify() {
  if (getSource().getType().getElementType() == getTile().getType().getElementType())
    return success();
  return emitOpError() << "expected one element type, got a source of "
                       << getSource().getType().getElementType() << " and a tile of "
                       << getTile().getType().getElementType();
}

LogicalResult WaitOp::verify() { return verifyTiles(*this, getRing().getType(), getTiles().getTypes()); }

// Matrix products.

namespace {
struct Matrix {
  int64_t rows, columns;
  bool operator==(Matrix other) const { return rows == other.rows && columns == other.columns; }
};
} // namespace

static Matrix shapeOf(Type type) {
  if (auto fragment = dyn_cast<FragmentType>(type))
    return {fragment.getRows(), fragment.getColumns()};
  auto pending = cast<PendingType>(type);
  return {pending.getRows(), pending.getColumns()};
}

static LogicalResult verifyAlike(Operation *op, StringRef what, Type wanted, Type got) {
  if (shapeOf(wanted) == shapeOf(got))
    return success();
  return op->emitOpError() << "expected " << what << " of " << shapeOf(wanted).rows << " rows and "
                           << shapeOf(wanted).columns << " columns, got " << got;
}

/// Of the 128 bytes of a stage along the contraction.
static LogicalResult verifyOperand(MmaOp op, StringRef side, SharedType tile, bool isTransposed) {
  if (!isTransposed) {
    if (tile.getIsInPanels() && tile.getBytesPerRow() == 128)
      return success();
    return op.emitOpError() << "expected the " << side << " operand in panels of 128 bytes a row, got "
                            << tile;
  }
  unsigned bits = tile.getElementType().getIntOrFloatBitWidth();
  if (tile.getIsInPanels() && bits == 16 && tile.getRows() * bits / 8 == 128)
    return success();
  return op.emitOpError()
         << "expected the " << side
         << " operand, which is transposed, in panels of 64 rows of elements of 16 bits, got " << tile;
}

LogicalResult MmaOp::verify() {
  if (failed(verifyAlike(*this, "an accumulator", getResult().getType(), getAccumulator().getType())))
    return failure();
  if (failed(verifyOperand(*this, "left", getLhs().getType(), getLhsTransposed())) ||
      failed(verifyOperand(*this, "right", getRhs().getType(), getRhsTransposed())))
    return failure();
  Matrix shape = shapeOf(getResult().getType());
  auto rowsOf = [](SharedType tile, bool isTransposed) {
    return isTransposed ? tile.getColumns() : tile.getRows();
  };
  int64_t lhsRows = rowsOf(getLhs().getType(), getLhsTransposed());
  int64_t rhsRows = rowsOf(getRhs().getType(), getRhsTransposed());
  if (rhsRows != shape.columns)
    return emitOpError() << "expected " << shape.columns
                         << " rows of the right operand, the columns of the result, got " << rhsRows;
  if (lhsRows < shape.rows)
    return emitOpError() << "expected at least " << shape.rows << " rows of the left operand, got "
                         << lhsRows;
  int64_t from = getFrom(), to = getTo();
  if (from < 0 || from >= to || to > 128 || from % 32 != 0 || to % 32 != 0)
    return emitOpError() << "expected bytes from and to of 0 to 128, in steps of 32, got from " << from
                         << " to " << to;
  return success();
}

LogicalResult MmaWaitOp::verify() {
  if (getPending().size() != getResults().size())
    return emitOpError() << "expected a fragment for each of " << getPending().size() << " accumulators, got "
                         << getResults().size();
  if (static_cast<int64_t>(getInFlight()) < 0)
    return emitOpError() << "expected at least 0 groups in flight, got " << getInFlight();
  for (auto [pending, fragment] : llvm::zip_equal(getPending(), getResults()))
    if (failed(verifyAlike(*this, "a fragment", pending.getType(), fragment.getType())))
      return failure();
  return success();
}

LogicalResult PromoteOp::verify() {
  FragmentType type = getResult().getType();
  if (getPartial().getType() != type || (getSum() && getSum().getType() != type))
    return emitOpError() << "expected sum and partial to be " << type;
  if (getColumns() && getColumns().getType().getColumns() != type.getColumns())
    return emitOpError() << "expected " << type.getColumns() << " columns, got "
                         << getColumns().getType().getColumns();
  size_t scales = getScales().size();
  if (scales == 0 || scales % 2 != 0 || type.getColumns() % (4 * scales) != 0)
    return emitOpError() << "expected pairs of scales, each for an equal multiple of 8 of "
                         << type.getColumns() << " columns, got " << scales << " scales";
  return success();
}

#define GET_OP_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileOps.cpp.inc"
