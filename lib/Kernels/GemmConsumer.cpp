// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The consumers of a matrix product: tile after tile, products, scales of the result, and on to the store.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Number of the consumer, rows of its waves and, where consumers store, the thread in it.
static Consumer describeConsumer(GemmKernel &kernel, Value warp) {
  constexpr int64_t groupWarps = 4, warpThreads = 32;
  IndexEmitter &emit = kernel.emit;
  Consumer consumer;
  consumer.number = emit.div(warp, groupWarps);
  Value first = emit.mul(kernel.partOf(consumer.number), kernel.schedule.getRowsOfConsumer());
  for (int64_t wave = 0; wave < kernel.schedule.getWaves(); ++wave)
    consumer.rows.push_back(wave ? emit.add(first, wave * waveRows) : first);
  if (!kernel.hasStorers()) {
    Value lane = LaneOp::create(emit.builder, emit.loc, emit.builder.getI32Type());
    consumer.thread = emit.add(emit.mul(emit.rem(warp, groupWarps), warpThreads), lane);
  }
  if (kernel.turns)
    consumer.other = emit.sub(1, consumer.number);
  return consumer;
}

Value fp8opt::promoteAlone(GemmKernel &kernel, Value fragment, Value first, Value second, Value columns) {
  return PromoteOp::create(kernel.builder(), kernel.loc(), fragment.getType(), fragment,
                           ValueRange{first, second}, columns,
                           /*sum=*/Value());
}

Value fp8opt::loadAlpha(GemmKernel &kernel, const ProductOfTile &product) {
  OpBuilder &builder = kernel.builder();
  auto load = [&](Value cells, Value number) -> Value {
    Value offset = number ? kernel.emit.widen(number) : kernel.emit.widen(0);
    return LoadOp::create(builder, kernel.loc(), builder.getF32Type(), cells, offset, /*count=*/Value(),
                          /*aligned=*/false);
  };
  if (kernel.gemm.getAlpha())
    return load(kernel.gemm.getAlpha(), product.rhs);
  if (kernel.gemm.getLhsScaling() != Scaling::Tensor)
    return {};
  return arith::MulFOp::create(builder, kernel.loc(), load(kernel.gemm.getLhsScales(), product.lhs),
                               load(kernel.gemm.getRhsScales(), product.rhs));
}

/// The products of a tile by the scales of its rows and columns; the position behind them in their ring.
static Value scaleByRow(GemmKernel &kernel, const Consumer &consumer, SmallVector<Value> &fragments,
                        Value stage) {
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();
  ValueRange tiles = writeWait(kernel, kernel.resultScales, stage);
  auto columnsType =
      ColumnsType::get(builder.getContext(), kernel.schedule.getTile()[1], builder.getF32Type());
  Value columns = LoadColumnsOp::create(builder, loc, columnsType, tiles[1]);
  Type scale = builder.getF32Type();
  SmallVector<LoadRowsOp> rows;
  for (Value row : consumer.rows)
    rows.push_back(LoadRowsOp::create(builder, loc, scale, scale, tiles[0], row));
  writeRelease(kernel, kernel.resultScales, stage);
  for (auto [fragment, row] : llvm::zip_equal(fragments, rows))
    fragment = promoteAlone(kernel, fragment, row.getFirst(), row.getSecond(), columns);
  return writeAdvance(kernel, kernel.resultScales, stage);
}

/// Where a consumer is in the rings, behind tiles of the other one.
static void passOver(GemmKernel &kernel, Value tiles, SmallVectorImpl<Value> &stages) {
  Value ofTiles = kernel.emit.mul(tiles, kernel.contractionBlocks);
  stages[0] = writeSkip(kernel, kernel.operands, stages[0], ofTiles);
  if (kernel.resultScales)
    stages[1] = writeSkip(kernel, kernel.resultScales, stages[1], tiles);
}

static void writeTiles(GemmKernel &kernel, const Consumer &consumer) {
  SmallVector<Value> stages = {writeFirst(kernel, RoleKind::Consumer, kernel.operands)};
  if (kernel.resultScales)
    stages.push_back(writeFirst(kernel, RoleKind::Consumer, kernel.resultScales));
  const bool isPingpong = kernel.schedule.isPingpong();
  if (isPingpong)
    passOver(kernel, /*tiles=*/consumer.number, stages);
  const bool isAlphaCommon = !hasStacks(kernel.gemm);
  Value common = isAlphaCommon ? loadAlpha(kernel, ProductOfTile()) : Value();
  auto body = [&](ResultTile tile, ValueRange carried) -> SmallVector<Value> {
    Value alpha = isAlphaCommon ? common : loadAlpha(kernel, tile.product);
    TileProducts products = isPromoted(kernel.gemm)
                                ? writePromotedLoop(kernel, consumer, tile, carried[0])
                                : writeAccumulatedLoop(kernel, consumer, tile, carried[0]);
    SmallVector<Value> next = {products.stage};
    if (kernel.resultScales)
      next.push_back(scaleByRow(kernel, consumer, products.fragments, carried[1]));
    if (alpha)
      for (Value &fragment : products.fragments)
        fragment = promoteAlone(kernel, fragment, alpha, alpha, /*columns=*/Value());
    writeConsumerStore(kernel, consumer, tile, products.fragments);
    if (isPingpong)
      passOver(kernel, /*tiles=*/kernel.emit.constant(1), next);
    return next;
  };
  writeTileLoop(kernel, stages, body, isPingpong ? consumer.number : Value());
}

void fp8opt::writeConsumers(GemmKernel &kernel) {
  constexpr int64_t groupWarps = 4;
  OpBuilder &builder = kernel.builder();
  auto role = RoleOp::create(builder, kernel.loc(), RoleKind::Consumer,
                             groupWarps * kernel.schedule.getConsumers(), kernel.schedule.getRegisters()[1]);
  OpBuilder::InsertionGuard guard(builder);
  Value warp = builder.createBlock(&role.getBody(), {}, builder.getI32Type(), kernel.loc())->getArgument(0);
  Consumer consumer = describeConsumer(kernel, warp);
  if (kernel.turns)
    giveFirstTurn(kernel, consumer);
  writeTiles(kernel, consumer);
  if (kernel.turns)
    endTurns(kernel, consumer);
}
