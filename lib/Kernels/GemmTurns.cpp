// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two consumers that begin their products in turn, so that one multiplies while the other promotes.
//
// Consumer i waits at barrier i, where the other one arrives once for each wave. The very first arrival at
// barrier 0 is an extra one, without a wave before it, and the very last is waited for without a wave behind
// it.

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

void fp8opt::endTurns(GemmKernel &kernel, const Consumer &consumer) {
  writeAtFirstBarrier<SyncOp>(kernel, consumer, /*number=*/0);
}

void fp8opt::takeTurn(GemmKernel &kernel, const Consumer &consumer) {
  SyncOp::create(kernel.builder(), kernel.loc(), kernel.turns, consumer.number);
}

void fp8opt::passTurn(GemmKernel &kernel, const Consumer &consumer) {
  ArriveOp::create(kernel.builder(), kernel.loc(), kernel.turns, consumer.other);
}
