// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two consumers that begin their products in turn, so that one multiplies while the other promotes.
//
// Consumer i waits at barrier i, where the other one arrives once for each wave, or under pingpong for each
// tile. The very first arrival at barrier 0 is an extra one, with nothing before it, and the very last is
// waited for with nothing behind it.
//
// Under pingpong a turn also keeps a consumer from looking for a stage before the other one has seen the ring
// up to there: a barrier tells a phase from the one before it, and from no older one.

#include "GemmKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

template <typename OpT>
static void writeAtFirstBarrier(GemmKernel &kernel, const Consumer &consumer, int64_t number) {
  IndexEmitter &emit = kernel.emit;
  Value first = emit.constant(0);
  auto branch = scf::IfOp::create(emit.builder, emit.loc, emit.isEqual(consumer.number, number),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(branch.thenBlock());
  OpT::create(emit.builder, emit.loc, kernel.turns, first);
}

void fp8opt::giveFirstTurn(GemmKernel &kernel, const Consumer &consumer) {
  writeAtFirstBarrier<ArriveOp>(kernel, consumer, /*number=*/1);
}

/// Under pingpong the turn is with the consumer whose tile would be next.
static void endTurnsOfTiles(GemmKernel &kernel, const Consumer &consumer) {
  IndexEmitter &emit = kernel.emit;
  // Of a grid with more blocks than tiles, the last ones have none.
  Value from = emit.min(kernel.block, kernel.allTiles);
  Value left = emit.sub(kernel.allTiles, from);
  Value tiles = emit.div(emit.add(left, emit.sub(kernel.blocks, 1)), kernel.blocks);
  writeIf(emit, emit.isEqual(emit.rem(tiles, kernel.schedule.getConsumers()), consumer.number),
          [&] { SyncOp::create(emit.builder, emit.loc, kernel.turns, consumer.number); });
}

void fp8opt::endTurns(GemmKernel &kernel, const Consumer &consumer) {
  if (kernel.schedule.isPingpong())
    endTurnsOfTiles(kernel, consumer);
  else
    writeAtFirstBarrier<SyncOp>(kernel, consumer, /*number=*/0);
}

void fp8opt::takeTurn(GemmKernel &kernel, const Consumer &consumer) {
  SyncOp::create(kernel.builder(), kernel.loc(), kernel.turns, consumer.number);
}

void fp8opt::passTurn(GemmKernel &kernel, const Consumer &consumer) {
  ArriveOp::create(kernel.builder(), kernel.loc(), kernel.turns, consumer.other);
}
