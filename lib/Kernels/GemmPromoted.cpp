// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over the contraction where each 128 of it are a partial sum of their own.
//
// The order of the ops is the point of this file; it was measured. The wait for the next stage and the loads
// of its scales stand between this stage's last products and their wait, so that nothing but promotions is
// between two products. An accumulator is always the partial sum before it, though its content is ignored: a
// fresh value would be further registers.

#include "GemmBlockScales.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// What an iteration finds: a full stage, its scales in registers, and the sums so far.
struct State {
  Value stage;
  /// All of the ring's tiles at this stage.
  SmallVector<Value> tiles;
  /// Scales of the right operand where it has blocks of rows.
  SmallVector<Value> blockScales;
  /// Two for each wave.
  SmallVector<Value> rowScales;
  SmallVector<Value> sums;
  Value partial;

  SmallVector<Value> pack() const {
    SmallVector<Value> values = {stage};
    for (ArrayRef<Value> part : {ArrayRef(tiles), ArrayRef(blockScales), ArrayRef(rowScales), ArrayRef(sums)})
      llvm::append_range(values, part);
    values.push_back(partial);
    return values;
  }
  /// The same parts, as many of each, with other values.
  State unpack(ValueRange values) const {
    auto take = [&](size_t count) {
      ValueRange part = values.take_front(count);
      values = values.drop_front(count);
      return SmallVector<Value>(part.begin(), part.end());
    };
    State state;
    state.stage = take(1).front();
    state.tiles = take(tiles.size());
    state.blockScales = take(blockScales.size());
    state.rowScales = take(rowScales.size());
    state.sums = take(sums.size());
    state.partial = take(1).front();
    return state;
  }
};

struct PromotedLoop {
  GemmKernel &kernel;
  const Consumer &consumer;
  BlockScales blockScales;
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();

  FragmentType fragmentType() const {
    return FragmentType::get(builder.getContext(), waveRows, kernel.schedule.getTile()[1],
                             builder.getF32Type());
  }

  /// Waits for a stage and loads its scales of rows, if it has some.
  void arriveAt(Value stage, State &state);
  /// By what a wave's partial sum is promoted: one where nothing but the sum is asked for.
  SmallVector<Value> scalesOf(const State &state, ArrayRef<Value> spread, size_t wave);
  /// The products of a wave, begun.
  Value multiply(const State &state, Value partial, size_t wave);
  State writeBody(Value block, Value last, const State &state);
};
} // namespace

void PromotedLoop::arriveAt(Value stage, State &state) {
  constexpr unsigned rowScaleTile = 2;
  ValueRange tiles = writeWait(kernel, kernel.operands, stage);
  state.stage = stage;
  state.tiles = llvm::to_vector(tiles);
  state.rowScales.clear();
  if (!hasRowScales(kernel.gemm))
    return;
  Type scale = builder.getF32Type();
  for (Value row : consumer.rows)
    llvm::append_range(
        state.rowScales,
        LoadRowsOp::create(builder, loc, scale, scale, tiles[rowScaleTile], row)->getResults());
}

SmallVector<Value> PromotedLoop::scalesOf(const State &state, ArrayRef<Value> spread, size_t wave) {
  if (state.rowScales.empty()) {
    Value one = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
    return {one, one};
  }
  return blockScales.multiply(spread, state.rowScales[2 * wave], state.rowScales[2 * wave + 1]);
}

static Value multiplyPart(PromotedLoop &loop, const State &state, Value accumulator, Value row, int64_t from,
                          int64_t to) {
  auto type = PendingType::get(loop.builder.getContext(), waveRows, loop.kernel.schedule.getTile()[1],
                               loop.builder.getF32Type());
  Value pending = MmaOp::create(loop.builder, loop.loc, type, accumulator, state.tiles[0], row,
                                /*lhsTransposed=*/false, state.tiles[1], /*rhsTransposed=*/false, from, to,
                                /*fresh=*/from == 0);
  MmaCommitOp::create(loop.builder, loop.loc);
  return pending;
}

Value PromotedLoop::multiply(const State &state, Value partial, size_t wave) {
  MmaFenceOp::create(builder, loc);
  // An instruction takes a quarter; where the turn is passed before all are done, the rest is a group of its
  // own.
  int64_t first = panelBytes;
  if (int64_t turns = kernel.schedule.getTurns())
    first = turns * panelBytes / 4;
  Value pending = multiplyPart(*this, state, partial, consumer.rows[wave], 0, first);
  if (first < panelBytes)
    pending = multiplyPart(*this, state, pending, consumer.rows[wave], first, panelBytes);
  return pending;
}

State PromotedLoop::writeBody(Value block, Value last, const State &state) {
  constexpr unsigned columnScaleTile = 3;
  IndexEmitter &emit = kernel.emit;
  Value isMore = emit.isLess(block, last);
  State next = state;
  if (!state.blockScales.empty())
    next.blockScales = blockScales.load(emit.min(emit.add(block, 1), last));
  SmallVector<Value> scales = blockScales.spread(state.blockScales);
  int64_t turns = kernel.schedule.getTurns(), quarters = 4;
  Value columns;
  for (size_t wave = 0, waves = consumer.rows.size(); wave < waves; ++wave) {
    bool isLast = wave + 1 == waves;
    if (turns)
      takeTurn(kernel, consumer);
    Value pending = multiply(state, next.partial, wave);
    if (wave == 0 && hasColumnScales(kernel.gemm)) {
      auto type = ColumnsType::get(builder.getContext(), kernel.schedule.getTile()[1], builder.getF32Type());
      columns = LoadColumnsOp::create(builder, loc, type, state.tiles[columnScaleTile]);
    }
    SmallVector<Value> products = scalesOf(state, scales, wave);
    // Behind the last block stands this stage again, whose wait is over at once: no branch, and one block of
    // code. Of one wave the columns are so many that the scales of the next stage find no registers before
    // the turn is passed.
    auto arriveAtNext = [&] { arriveAt(writeAdvance(kernel, kernel.operands, state.stage, isMore), next); };
    if (isLast && waves > 1)
      arriveAtNext();
    if (turns && turns < quarters) {
      MmaWaitOp::create(builder, loc, TypeRange(), /*in_flight=*/1, ValueRange());
      passTurn(kernel, consumer);
    }
    if (isLast && waves == 1)
      arriveAtNext();
    next.partial = MmaWaitOp::create(builder, loc, fragmentType(), /*in_flight=*/0, pending).getResult(0);
    if (turns == quarters)
      passTurn(kernel, consumer);
    // Before the promotion, which needs registers alone.
    if (isLast)
      writeRelease(kernel, kernel.operands, state.stage);
    next.sums[wave] =
        PromoteOp::create(builder, loc, fragmentType(), next.partial, products, columns, state.sums[wave]);
  }
  return next;
}

TileProducts fp8opt::writePromotedLoop(GemmKernel &kernel, const Consumer &consumer, ResultTile tile,
                                       Value stage) {
  IndexEmitter &emit = kernel.emit;
  PromotedLoop loop{kernel, consumer, BlockScales(kernel, tile)};
  State first;
  first.blockScales = loop.blockScales.load(emit.constant(0));
  loop.arriveAt(stage, first);
  first.partial = ZeroOp::create(loop.builder, loop.loc, loop.fragmentType());
  first.sums.assign(consumer.rows.size(), first.partial);
  Value last = emit.sub(tile.product.blocks, 1);
  auto body = [&](Value block, ValueRange values) {
    return loop.writeBody(block, last, first.unpack(values)).pack();
  };
  ValueRange results =
      writeLoop(emit, emit.constant(0), tile.product.blocks, emit.constant(1), first.pack(), body);
  State end = first.unpack(results);
  if (tile.product.isEmpty)
    writeRelease(kernel, kernel.operands, end.stage, tile.product.isEmpty);
  return {end.sums, writeAdvance(kernel, kernel.operands, end.stage)};
}
