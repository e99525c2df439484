// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a tile of the result from the registers of a consumer, through shared memory, to global memory.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// What a consumer writes of the staged tile: a part of its own, so that consumers need not agree; or all of
/// it, where storers hand it from one to the other.
static Value stagingOf(GemmKernel &kernel, Value consumer) {
  return SubtileOp::create(kernel.builder(), kernel.loc(), kernel.tiles.resultOfConsumer, kernel.staging,
                           kernel.partOf(consumer));
}

/// Chunks of 16 bytes on the way: as many as a thread of the producer's group has registers for beside its
/// addresses.
static int64_t chunksAtOnce(const GemmKernel &kernel) {
  return kernel.schedule.getStore() == Store::Storers && kernel.schedule.getRegisters()[0] < 40 ? 2 : 4;
}

static void writeStore(GemmKernel &kernel, Value consumer, ResultTile tile, Value thread, int64_t threads) {
  GemmOp gemm = kernel.gemm;
  IndexEmitter &emit = kernel.emit;
  Value row =
      emit.add(tile.resultRow, emit.mul(kernel.partOf(consumer), kernel.schedule.getRowsOfConsumer()));
  StoreTileOp::create(kernel.builder(), kernel.loc(), stagingOf(kernel, consumer), gemm.getInto(), row,
                      tile.column, tile.product.resultEnd, gemm.getN(), thread, threads, chunksAtOnce(kernel),
                      gemm.getAccumulate());
}

/// The panels of a tile, each as one run, without what lies outside of the product. Run by the warps that
/// store it.
static void writePanels(GemmKernel &kernel, Value consumer, ResultTile tile, Value thread) {
  IndexEmitter &emit = kernel.emit;
  int64_t rows = kernel.schedule.getRowsOfConsumer();
  Value first = emit.mul(kernel.partOf(consumer), rows), inAll = emit.add(tile.resultRow, first);
  Value isInside = emit.isLess(inAll, tile.product.resultEnd);
  writeIf(emit, emit.both(emit.isEqual(thread, 0), isInside), [&] {
    Value panel = emit.div(tile.column, getContractionOfStage(kernel.gemm.getInto().getType()));
    Value panels = emit.sub(kernel.resultPanels, panel);
    if (tile.product.result)
      panel = emit.add(panel, emit.mul(tile.product.result, kernel.resultPanels));
    Value line = emit.add(emit.mul(panel, kernel.resultRows), emit.add(tile.row, first));
    Value count = emit.min(emit.sub(tile.product.resultEnd, inAll), rows);
    StorePanelsOp::create(kernel.builder(), kernel.loc(), stagingOf(kernel, consumer), kernel.gemm.getInto(),
                          line, panels, kernel.resultRows, count);
  });
  SyncWarpOp::create(kernel.builder(), kernel.loc());
}

/// `keep` is null where all columns are of the product.
static void stage(GemmKernel &kernel, const Consumer &consumer, ResultFactors factors, ValueRange fragments,
                  Value keep) {
  GemmOp gemm = kernel.gemm;
  Value staging = stagingOf(kernel, consumer.number);
  for (auto [wave, fragment] : llvm::enumerate(fragments))
    StageFragmentOp::create(kernel.builder(), kernel.loc(), fragment, staging,
                            kernel.emit.constant(wave * waveRows), keep, gemm.getIntoSchemeAttr(),
                            gemm.getExpressedAttr(), factors.encode);
}

/// Behind the last column of panels lie zeros, which the next product multiplies.
static void stagePanels(GemmKernel &kernel, const Consumer &consumer, ResultTile tile, ResultFactors factors,
                        ValueRange fragments) {
  IndexEmitter &emit = kernel.emit;
  Value n = kernel.gemm.getN();
  Value isPartial = emit.isLess(n, emit.add(tile.column, kernel.schedule.getTile()[1]));
  auto write = [&](Value keep) -> SmallVector<Value> {
    stage(kernel, consumer, factors, fragments, keep);
    return {};
  };
  writeEither(
      emit, isPartial, [&] { return write(emit.sub(n, tile.column)); }, [&] { return write(Value()); });
  CopyFenceOp::create(kernel.builder(), kernel.loc());
}

void fp8opt::writeConsumerStore(GemmKernel &kernel, const Consumer &consumer, ResultTile tile,
                                ResultFactors factors, ValueRange fragments) {
  OpBuilder &builder = kernel.builder();
  if (kernel.hasStorers()) {
    SyncOp::create(builder, kernel.loc(), kernel.empty, consumer.number);
    if (kernel.gemm.leavesPanels())
      stagePanels(kernel, consumer, tile, factors, fragments);
    else
      stage(kernel, consumer, factors, fragments, /*keep=*/Value());
    ArriveOp::create(builder, kernel.loc(), kernel.full, consumer.number);
    return;
  }
  // Slower threads may still read the tile before.
  SyncOp::create(builder, kernel.loc(), kernel.own, consumer.number);
  stage(kernel, consumer, factors, fragments, /*keep=*/Value());
  SyncOp::create(builder, kernel.loc(), kernel.own, consumer.number);
  writeStore(kernel, consumer.number, tile, consumer.thread, groupThreads);
}

void fp8opt::writeStorer(GemmKernel &kernel, Value consumer, Value thread, ResultTile tile) {
  ArriveOp::create(kernel.builder(), kernel.loc(), kernel.empty, consumer);
  SyncOp::create(kernel.builder(), kernel.loc(), kernel.full, consumer);
  if (kernel.gemm.leavesPanels())
    writePanels(kernel, consumer, tile, thread);
  else
    writeStore(kernel, consumer, tile, thread, kernel.storersOfTile() * warpThreads);
}
