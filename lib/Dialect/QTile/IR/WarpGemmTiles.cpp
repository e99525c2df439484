// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a matrix product of warps under a schedule holds, counted.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

constexpr int64_t groupWarps = 4;

GlobalType fp8opt::qtile::getScalesType(MLIRContext *context, Scaling scaling) {
  Builder builder(context);
  switch (scaling) {
  case Scaling::Block1x32:
    return GlobalType::get(context, builder.getType<Float8E8M0FNUType>());
  case Scaling::Block1x16:
    return GlobalType::get(context, builder.getType<Float8E4M3FNType>());
  default:
    return GlobalType::get(context, builder.getF32Type());
  }
}

/// Elements that share a scale which is a code.
constexpr int64_t ofE8M0 = 32, ofE4M3 = 16;

ScaleLayout fp8opt::qtile::getScaleLayout(Scaling scaling) {
  switch (scaling) {
  case Scaling::None:
  case Scaling::Tensor:
    return {LayoutKind::Tensor, 0, 0};
  case Scaling::Row:
    return {LayoutKind::Row, 1, 0};
  case Scaling::Block1x128:
    return {LayoutKind::Block1x128, 1, scaleBlock};
  case Scaling::Block128x128:
    return {LayoutKind::Block128x128, scaleBlock, scaleBlock};
  case Scaling::Block1x32:
    return {LayoutKind::Tiles128x4, 1, ofE8M0};
  case Scaling::Block1x16:
    return {LayoutKind::Tiles128x4, 1, ofE4M3};
  }
  llvm_unreachable("a scaling that is not listed");
}

int64_t fp8opt::qtile::elementsOfScale(Type scale) { return isa<Float8E8M0FNUType>(scale) ? ofE8M0 : ofE4M3; }

WarpGrid fp8opt::qtile::getWarpGrid(ScheduleAttr schedule) {
  int64_t across = std::max<int64_t>(1, schedule.getTile()[1] / warpColumns);
  int64_t down = std::max<int64_t>(1, groupWarps * schedule.getConsumers() / across);
  return {down, across, schedule.getTile()[0] / down};
}

int64_t fp8opt::qtile::getScaleTilesOfStage(GemmOp gemm) {
  Type code = gemm.getLhs().getType().getElementType(),
       scale = gemm.getLhsScales().getType().getElementType();
  int64_t elements = panelBytes * 8 / code.getIntOrFloatBitWidth();
  return elements / elementsOfScale(scale) / scalesOfWord;
}

GemmTiles fp8opt::qtile::getWarpGemmTiles(GemmOp gemm, ScheduleAttr schedule) {
  MLIRContext *context = gemm.getContext();
  SmallVector<SharedType> tiles = {
      getOperandTile(gemm.getLhs().getType(), gemm.getLhsLayout(), schedule.getTile()[0]),
      getOperandTile(gemm.getRhs().getType(), gemm.getRhsLayout(), schedule.getTile()[1])};
  Type scale = gemm.getLhsScales().getType().getElementType();
  tiles.append(2 * getScaleTilesOfStage(gemm),
               SharedType::get(context, {scaleTileBytes}, scale, /*isInPanels=*/false));
  auto staged = [&](int64_t rows) {
    return SharedType::get(context, {rows, warpColumns}, gemm.getInto().getType().getElementType(),
                           /*isInPanels=*/true);
  };
  int64_t warps = groupWarps * schedule.getConsumers();
  return {RingType::get(context, schedule.getStages(), tiles), /*ofResult=*/RingType(),
          staged(warps * warpWaveRows), staged(warpWaveRows)};
}

int64_t fp8opt::qtile::getWarpRegisters(GemmOp gemm, ScheduleAttr schedule) {
  // Sums; operands of two steps, one of which is loaded while the other is multiplied; scales of as many; and
  // what was left over for addresses and phases before the assembler spilled.
  constexpr int64_t warpThreads = 32, registersOfRows = 4, addresses = 24;
  int64_t rows = getWarpGrid(schedule).rows;
  int64_t sums = rows * warpColumns / warpThreads;
  int64_t operands = (rows + warpColumns) / warpWaveRows * registersOfRows;
  int64_t scales = (rows + warpColumns) / warpThreads;
  return sums + 2 * (operands + scales) + addresses;
}

// Limits.

/// An instruction of a warp for the codes and scales of the product.
static bool hasInstruction(GemmOp gemm, TargetOp target) {
  Type scale = gemm.getLhsScales().getType().getElementType();
  return llvm::any_of(target.getInstructions().getAsRange<MmaAttr>(), [&](MmaAttr mma) {
    return mma.getLhs() == gemm.getLhs().getType().getElementType() &&
           mma.getRhs() == gemm.getRhs().getType().getElementType() && mma.getScale() == scale &&
           mma.getEach() == elementsOfScale(scale) && mma.getM() == warpWaveRows && !mma.getIsAsynchronous();
  });
}

static LogicalResult verifyGrid(ScheduleAttr schedule, function_ref<LogicalResult(const Twine &)> refuse) {
  // Registers of scales are those of 32 rows, and tiles of scales have 128.
  constexpr int64_t rowsOfWord = 32;
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  WarpGrid grid = getWarpGrid(schedule);
  int64_t warps = groupWarps * schedule.getConsumers();
  auto fits = [](int64_t size) { return scaleTileRows % size == 0; };
  if (!fits(rows) || !fits(columns) || columns % warpColumns != 0 || grid.down * grid.across != warps ||
      rows % (grid.down * rowsOfWord) != 0)
    return refuse("expected a tile of at most " + Twine(scaleTileRows) + " rows and columns that " +
                  Twine(warps) + " warps share, " + Twine(warpColumns) + " columns and a multiple of " +
                  Twine(rowsOfWord) + " rows each, got " + Twine(rows) + " and " + Twine(columns));
  return success();
}

LogicalResult fp8opt::qtile::verifyWarpGemmSchedule(GemmOp gemm, ScheduleAttr schedule, TargetOp target,
                                                    function_ref<LogicalResult(const Twine &)> refuse) {
  if (!hasInstruction(gemm, target)) {
    std::string text;
    llvm::raw_string_ostream(text) << gemm.getLhs().getType().getElementType() << " and "
                                   << gemm.getRhs().getType().getElementType() << " under scales of "
                                   << gemm.getLhsScales().getType().getElementType();
    return refuse("expected an instruction for " + text + ", got a target without");
  }
  if (gemm.leavesPanels() || gemm.getBias())
    return refuse("expected a row-major result without numbers for columns where warps multiply, got " +
                  (gemm.getBias() ? "some" : stringifyResultLayout(gemm.getIntoLayout())));
  if (failed(verifyGrid(schedule, refuse)))
    return failure();
  int64_t needed = getWarpRegisters(gemm, schedule), given = schedule.getRegisters()[1];
  if (needed > given)
    return refuse("expected at least " + Twine(needed) +
                  " registers of a consumer's thread, for sums, operands, scales and addresses, got " +
                  Twine(given));
  if (schedule.getStore() != Store::Consumers || schedule.getScales() != ScaleCopy::Load)
    return refuse("expected store = consumers and scales = load where warps multiply, got store = " +
                  stringifyStore(schedule.getStore()) +
                  ", scales = " + stringifyScaleCopy(schedule.getScales()));
  if (schedule.getInFlight() || schedule.getTurns())
    return refuse("expected no products in flight and no turns where warps multiply, got in_flight = " +
                  Twine(schedule.getInFlight()) + ", turns = " + Twine(schedule.getTurns()));
  return success();
}
