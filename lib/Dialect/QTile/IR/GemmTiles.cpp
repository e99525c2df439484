// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a matrix product under a schedule holds, counted.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "fp8-opt/Dialect/QTile/IR/BlockRegisters.h"
#include "fp8-opt/Dialect/QTile/IR/RingBarriers.h"

using namespace mlir;
using namespace fp8opt::qtile;

/// Stages of what a tile of the result meets: that of the next tile arrives while this one is scaled.
constexpr int64_t resultStages = 2;

bool fp8opt::qtile::isScaledByInstruction(GemmOp gemm) {
  return gemm.getLhsScaling() == Scaling::Block1x32 || gemm.getLhsScaling() == Scaling::Block1x16;
}
bool fp8opt::qtile::mayBePromoted(Scaling lhs) { return lhs == Scaling::Tensor || lhs == Scaling::Row; }
bool fp8opt::qtile::isPromoted(GemmOp gemm) { return gemm.getPromoted() || hasRowScales(gemm); }
bool fp8opt::qtile::hasRowScales(GemmOp gemm) { return gemm.getLhsScaling() == Scaling::Block1x128; }
bool fp8opt::qtile::hasColumnScales(GemmOp gemm) { return gemm.getRhsScaling() == Scaling::Block1x128; }
bool fp8opt::qtile::isScaledByRow(GemmOp gemm) { return gemm.getLhsScaling() == Scaling::Row; }
bool fp8opt::qtile::hasStacks(GemmOp gemm) {
  return gemm.getGrouping() && gemm.getGrouping() != Grouping::Contraction;
}
bool fp8opt::qtile::hasStackOfResults(GemmOp gemm) {
  return gemm.getGrouping() && gemm.getGrouping() != Grouping::Rows;
}
bool fp8opt::qtile::hasGroupsOfRows(GemmOp gemm) {
  return gemm.getGrouping() == Grouping::Rows || gemm.getGrouping() == Grouping::CountedRows;
}

int64_t fp8opt::qtile::getContractionOfStage(GlobalType operand) {
  return panelBytes * 8 / operand.getElementType().getIntOrFloatBitWidth();
}

SharedType fp8opt::qtile::getOperandTile(GlobalType operand, OperandLayout layout, int64_t rows) {
  int64_t shape[] = {rows, getContractionOfStage(operand)};
  if (layout == OperandLayout::Transposed)
    std::swap(shape[0], shape[1]);
  return SharedType::get(operand.getContext(), shape, operand.getElementType(), /*isInPanels=*/true);
}

int64_t fp8opt::qtile::getMapsBytes(TargetOp target) {
  // What lies in front of the first multiple of a map's bytes is not used.
  return target.getLimits().getProcessors() * mapsOfBlock * mapBytes + mapBytes;
}

GemmTiles fp8opt::qtile::getGemmTiles(GemmOp gemm, ScheduleAttr schedule) {
  if (isScaledByInstruction(gemm))
    return getWarpGemmTiles(gemm, schedule);
  MLIRContext *context = gemm.getContext();
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  auto numbers = [&](int64_t count, Type element) {
    return SharedType::get(context, {count}, element, /*isInPanels=*/false);
  };
  auto scales = [&](int64_t count) { return numbers(count, Float32Type::get(context)); };
  auto result = [&](int64_t rowsOfResult) {
    return SharedType::get(context, {rowsOfResult, columns}, gemm.getInto().getType().getElementType(),
                           /*isInPanels=*/true);
  };
  SmallVector<SharedType> tiles = {getOperandTile(gemm.getLhs().getType(), gemm.getLhsLayout(), rows),
                                   getOperandTile(gemm.getRhs().getType(), gemm.getRhsLayout(), columns)};
  if (hasRowScales(gemm))
    tiles.push_back(scales(rows));
  if (hasColumnScales(gemm))
    tiles.push_back(scales(columns));
  SmallVector<SharedType> met;
  if (isScaledByRow(gemm))
    met = {scales(rows), scales(columns)};
  if (gemm.getBias())
    met.push_back(numbers(columns, gemm.getBias().getType().getElementType()));
  RingType ofResult = met.empty() ? RingType() : RingType::get(context, resultStages, met);
  return {RingType::get(context, schedule.getStages(), tiles), ofResult, result(rows),
          result(schedule.getRowsOfConsumer())};
}

static int64_t bytesOf(RingType ring) {
  int64_t ofStage = 0;
  for (SharedType tile : ring.getTiles())
    ofStage += tile.getBytes();
  return ring.getStages() * ofStage + getBarrierBytes(ring);
}

int64_t GemmTiles::getBytes() const {
  return bytesOf(operands) + (ofResult ? bytesOf(ofResult) : 0) + result.getBytes();
}

int64_t fp8opt::qtile::getColumnsOfScale(ScheduleAttr schedule) {
  int64_t columns = schedule.getTile()[1];
  if (columns % scaleBlock == 0)
    return scaleBlock;
  // A tile of half a block lies in one; any other of halves may start in the middle of a block.
  return scaleBlock / 2;
}

int64_t fp8opt::qtile::getConsumerRegisters(GemmOp gemm, ScheduleAttr schedule) {
  if (isScaledByInstruction(gemm))
    return getWarpRegisters(gemm, schedule);
  // 64 rows over 128 threads: half a register a column. Measured: what is left for addresses, phases and row
  // scales before the assembler spills; one more group of eight where consumers load scales of the right
  // operand themselves, or where the columns of one wave are so many that their scales crowd out the rest.
  constexpr int64_t addressesOfWave = 4, loadedScales = 8;
  int64_t addresses = hasColumnScales(gemm) && schedule.getWaves() == 1 ? 16 : 8;
  // The group of the last tile and its first tile are carried; of more waves there was room left.
  constexpr int64_t registersOfGroup = 2;
  if (hasGroupsOfRows(gemm) && schedule.getWaves() == 1)
    addresses += registersOfGroup;
  int64_t sums = schedule.getTile()[1] / 2;
  int64_t registers = schedule.getWaves() * (sums + addressesOfWave) + addresses;
  if (!isPromoted(gemm))
    return registers + loadedScales;
  // A thread has two of each eight columns.
  return registers + sums + (hasColumnScales(gemm) ? schedule.getTile()[1] / 4 : loadedScales);
}

// Limits.

namespace {
struct ScheduleVerifier {
  GemmOp gemm;
  ScheduleAttr schedule;
  TargetOp target;
  function_ref<LogicalResult(const Twine &)> refuse;

  /// Registers that each thread starts with.
  int64_t share() { return getRegistersAtStart(target.getLimits(), schedule.getThreads()); }

  LogicalResult verifyResult();
  LogicalResult verifyPanels();
  LogicalResult verifyBlock();
  LogicalResult verifyInstruction();
  LogicalResult verifyRegisters();
  LogicalResult verifyOrder();
  LogicalResult verifyShared();
};
} // namespace

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

LogicalResult ScheduleVerifier::verifyResult() {
  Type element = gemm.getInto().getType().getElementType();
  if (gemm.leavesPanels())
    return verifyPanels();
  if (!fp8opt::qt::isExpressed(element))
    return refuse("expected a result of bf16, f16 or f32, what tiles are staged in, got " + spell(element));
  return success();
}

/// Panels of a tile are panels of the result, so that each leaves as one run, zeros behind the last column
/// too.
LogicalResult ScheduleVerifier::verifyPanels() {
  int64_t panel = getContractionOfStage(gemm.getInto().getType()), columns = schedule.getTile()[1];
  if (columns % panel != 0)
    return refuse("expected the columns of a tile to be a multiple of " + Twine(panel) +
                  ", whole panels of the result, got " + Twine(columns));
  if (schedule.getStore() != Store::Storers)
    return refuse("expected store = storers where the result is in panels, got store = " +
                  stringifyStore(schedule.getStore()));
  return success();
}

LogicalResult ScheduleVerifier::verifyBlock() {
  LimitsAttr limits = target.getLimits();
  if (schedule.getThreads() > limits.getThreads())
    return refuse("expected at most " + Twine(limits.getThreads()) +
                  " threads of a block, got a schedule of " + Twine(schedule.getThreads()));
  // Roles hand registers to each other, but a block never has more than its threads started with: it would
  // wait forever.
  int64_t given = share() * schedule.getThreads();
  int64_t registers =
      128 * (schedule.getRegisters()[0] + schedule.getConsumers() * schedule.getRegisters()[1]);
  if (registers > given)
    return refuse("expected at most " + Twine(given) + " registers of a block, " + Twine(share()) +
                  " for each thread, got a schedule of " + Twine(registers));
  return success();
}

LogicalResult ScheduleVerifier::verifyInstruction() {
  Type lhs = gemm.getLhs().getType().getElementType(), rhs = gemm.getRhs().getType().getElementType();
  int64_t columns = schedule.getTile()[1], widest = 0;
  for (auto mma : target.getInstructions().getAsRange<MmaAttr>()) {
    if (mma.getLhs() != lhs || mma.getRhs() != rhs || mma.getM() != waveRows || columns % mma.getStep() != 0)
      continue;
    widest = std::max(widest, mma.getN());
  }
  if (columns > widest)
    return refuse("expected at most " + Twine(widest) + " columns of a tile, what instructions for " +
                  spell(lhs) + " and " + spell(rhs) + " have, got " + Twine(columns));
  return success();
}

LogicalResult ScheduleVerifier::verifyRegisters() {
  int64_t needed = getConsumerRegisters(gemm, schedule), given = schedule.getRegisters()[1];
  if (needed > given)
    return refuse("expected at least " + Twine(needed) +
                  " registers of a consumer's thread, for sums, partial sum, scales and addresses, got " +
                  Twine(given));
  // A row of f32 is several lines. In a group that has a warp for scales too, the assembler spills their
  // addresses; and those of numbers for columns, or of panels in groups, beside scales of columns.
  constexpr int64_t ofStorerBesideScales = 32;
  int64_t ofProducer = schedule.getRegisters()[0];
  const bool isWide = gemm.getInto().getType().getElementType().isF32();
  const bool isCrowded =
      hasColumnScales(gemm) && (gemm.getBias() || (gemm.getGrouping() && gemm.leavesPanels()));
  if ((isWide || isCrowded) && schedule.getStore() == Store::Storers &&
      schedule.getScales() == ScaleCopy::Warp && ofProducer < ofStorerBesideScales)
    return refuse("expected at least " + Twine(ofStorerBesideScales) +
                  " registers of a producer's thread, for storers of " +
                  (isWide ? "f32" : "numbers for columns, or of panels in groups,") +
                  " beside a warp for scales, got " + Twine(ofProducer));
  // All threads start with an equal share, and the assembler wants the accumulator of an instruction to fit
  // in that.
  constexpr int64_t besideAccumulator = 26;
  int64_t accumulator = schedule.getTile()[1] / 2;
  if (accumulator + besideAccumulator > share())
    return refuse("expected an instruction of at most " + Twine(share() - besideAccumulator) +
                  " accumulator registers where " + Twine(schedule.getThreads()) + " threads share " +
                  Twine(target.getLimits().getRegisters()) + ", got " + Twine(accumulator));
  return success();
}

LogicalResult ScheduleVerifier::verifyOrder() {
  bool promoted = isPromoted(gemm);
  if (schedule.getInFlight() > (promoted ? 0 : 1))
    return refuse("expected in_flight of at most " + Twine(promoted ? 0 : 1) +
                  Twine(promoted ? " where partial sums are promoted" : "") + ", got " +
                  Twine(schedule.getInFlight()));
  // A consumer looks for the next stage while it still holds this one.
  constexpr int64_t fewestStages = 2;
  if ((promoted || schedule.getInFlight()) && schedule.getStages() < fewestStages)
    return refuse("expected at least " + Twine(fewestStages) + " stages " +
                  (promoted ? "where partial sums are promoted" : "under in_flight = 1") +
                  ", as the next one is waited for before one is released, got stages = " +
                  Twine(schedule.getStages()));
  if (schedule.getTurns() && !promoted)
    return refuse("expected no turns where no partial sums are promoted, got turns = " +
                  Twine(schedule.getTurns()));
  if (schedule.isPingpong() && promoted)
    return refuse("expected no pingpong where partial sums are promoted");
  // A consumer passes over the stages of the other one's tile, which are as many as those of its own.
  if (schedule.isPingpong() && gemm.getGrouping() == Grouping::Contraction)
    return refuse("expected no pingpong for groups of the contraction, whose tiles differ in their stages");
  if (schedule.isPingpong() && gemm.getInto().getType().getElementType().isF32())
    return refuse("expected no pingpong for a result of f32, which leaves the operands too few stages");
  // One warp of the producer's group loads and one copies scales; two are left.
  constexpr int64_t storers = 2;
  if (schedule.getStore() == Store::Storers && schedule.getConsumers() > storers)
    return refuse("expected at most " + Twine(storers) + " consumers for as many storers, got " +
                  Twine(schedule.getConsumers()));
  int64_t columns = schedule.getTile()[1];
  if (gemm.getRhsScaling() == Scaling::Block128x128 && columns % (scaleBlock / 2) != 0)
    return refuse("expected the columns of a tile to be a multiple of " + Twine(scaleBlock / 2) +
                  " under block_128x128 scales, got " + Twine(columns));
  return success();
}

LogicalResult ScheduleVerifier::verifyShared() {
  int64_t bytes = getGemmTiles(gemm, schedule).getBytes(), limit = target.getLimits().getShared();
  if (bytes > limit)
    return refuse("expected at most " + Twine(limit) +
                  " bytes of shared memory of a block, got a schedule of " + Twine(bytes));
  return success();
}

LogicalResult fp8opt::qtile::verifyGemmSchedule(GemmOp gemm, ScheduleAttr schedule, TargetOp target,
                                                function_ref<LogicalResult(const Twine &)> refuse) {
  ScheduleVerifier verifier{gemm, schedule, target, refuse};
  if (isScaledByInstruction(gemm))
    return failure(failed(verifier.verifyResult()) || failed(verifier.verifyBlock()) ||
                   failed(verifyWarpGemmSchedule(gemm, schedule, target, refuse)) ||
                   failed(verifier.verifyShared()));
  return failure(failed(verifier.verifyResult()) || failed(verifier.verifyBlock()) ||
                 failed(verifier.verifyInstruction()) || failed(verifier.verifyRegisters()) ||
                 failed(verifier.verifyOrder()) || failed(verifier.verifyShared()));
}
