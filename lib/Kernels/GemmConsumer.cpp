// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The consumers of a matrix product: tile after tile, products, what their result meets, and on to the store.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Number of the consumer, rows of its waves and, where consumers store, the thread in it.
static Consumer describeConsumer(GemmKernel &kernel, Value warp) {
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

/// Where a consumer is in the rings, behind tiles of the other one.
static void passOver(GemmKernel &kernel, Value tiles, SmallVectorImpl<Value> &stages) {
  Value ofTiles = kernel.emit.mul(tiles, kernel.contractionBlocks);
  stages[0] = writeSkip(kernel, kernel.operands, stages[0], ofTiles);
  if (kernel.ofResult)
    stages[1] = writeSkip(kernel, kernel.ofResult, stages[1], tiles);
}

static void writeTiles(GemmKernel &kernel, const Consumer &consumer) {
  SmallVector<Value> stages = {writeFirst(kernel, RoleKind::Consumer, kernel.operands)};
  if (kernel.ofResult)
    stages.push_back(writeFirst(kernel, RoleKind::Consumer, kernel.ofResult));
  const bool isPingpong = kernel.schedule.isPingpong();
  if (isPingpong)
    passOver(kernel, /*tiles=*/consumer.number, stages);
  ResultFactors common = loadCommonFactors(kernel);
  auto body = [&](ResultTile tile, ValueRange carried) -> SmallVector<Value> {
    ResultFactors factors = loadFactors(kernel, tile.product, common);
    TileProducts products = isPromoted(kernel.gemm)
                                ? writePromotedLoop(kernel, consumer, tile, carried[0])
                                : writeAccumulatedLoop(kernel, consumer, tile, carried[0]);
    SmallVector<Value> next = {products.stage};
    Value behind =
        finishProducts(kernel, consumer, factors, products.fragments, kernel.ofResult ? carried[1] : Value());
    if (behind)
      next.push_back(behind);
    writeConsumerStore(kernel, consumer, tile, factors, products.fragments);
    if (isPingpong)
      passOver(kernel, /*tiles=*/kernel.emit.constant(1), next);
    return next;
  };
  writeTileLoop(kernel, stages, body, isPingpong ? consumer.number : Value());
}

void fp8opt::writeConsumers(GemmKernel &kernel) {
  writeRole(kernel, RoleKind::Consumer, groupWarps * kernel.schedule.getConsumers(), [&](Value warp) {
    Consumer consumer = describeConsumer(kernel, warp);
    if (kernel.turns)
      giveFirstTurn(kernel, consumer);
    writeTiles(kernel, consumer);
    if (kernel.turns)
      endTurns(kernel, consumer);
  });
}
