// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over the contraction where sums stay in the accumulators of the instructions.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// Writes one loop. With products in flight, a stage is released an iteration later than its products began,
/// when they are known to be done.
struct AccumulatedLoop {
  GemmKernel &kernel;
  const Consumer &consumer;
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();
  bool hasInFlight = kernel.schedule.getInFlight() > 0;

  /// As accumulators between iterations are held: still written to, or finished.
  Type accumulatorType() const {
    int64_t columns = kernel.schedule.getTile()[1];
    if (hasInFlight)
      return PendingType::get(builder.getContext(), waveRows, columns, builder.getF32Type());
    return FragmentType::get(builder.getContext(), waveRows, columns, builder.getF32Type());
  }

  /// The products of a stage with all waves, as one group.
  SmallVector<Value> multiply(Value stage, ValueRange accumulators, bool isFresh) {
    ValueRange tiles = writeWait(kernel, kernel.operands, stage);
    MmaFenceOp::create(builder, loc);
    auto type =
        PendingType::get(builder.getContext(), waveRows, kernel.schedule.getTile()[1], builder.getF32Type());
    SmallVector<Value> pending;
    GemmOp gemm = kernel.gemm;
    for (auto [accumulator, row] : llvm::zip_equal(accumulators, consumer.rows))
      pending.push_back(MmaOp::create(builder, loc, type, accumulator, tiles[0], row,
                                      gemm.getLhsLayout() == OperandLayout::Transposed, tiles[1],
                                      gemm.getRhsLayout() == OperandLayout::Transposed, /*from=*/0,
                                      /*to=*/panelBytes, isFresh));
    MmaCommitOp::create(builder, loc);
    return pending;
  }

  SmallVector<Value> finish(ValueRange pending) {
    auto type =
        FragmentType::get(builder.getContext(), waveRows, kernel.schedule.getTile()[1], builder.getF32Type());
    SmallVector<Type> types(pending.size(), type);
    return llvm::to_vector_of<Value>(
        MmaWaitOp::create(builder, loc, types, /*in_flight=*/0, pending).getResults());
  }

  void release(Value stage, Value condition) {
    ReleaseOp::create(builder, loc, kernel.operands, stage, condition);
  }

  /// Carried: stage, the stage before it, accumulators. `isBehind` is whether there is a stage before it;
  /// null where there always is.
  SmallVector<Value> writeBody(Value isBehind, ValueRange carried) {
    Value stage = carried[0], previous = carried[1];
    SmallVector<Value> accumulators = multiply(stage, carried.drop_front(2), /*isFresh=*/false);
    if (hasInFlight) {
      MmaWaitOp::create(builder, loc, TypeRange(), kernel.schedule.getInFlight(), ValueRange());
      writeRelease(kernel, kernel.operands, previous, isBehind);
    } else {
      accumulators = finish(accumulators);
      writeRelease(kernel, kernel.operands, stage);
    }
    return next(stage, accumulators);
  }

  /// The first stage, whose products need no zeros to be added to.
  SmallVector<Value> writeFirstStage(Value stage, ValueRange accumulators) {
    SmallVector<Value> products = multiply(stage, accumulators, /*isFresh=*/true);
    if (!hasInFlight) {
      products = finish(products);
      writeRelease(kernel, kernel.operands, stage);
    }
    return next(stage, products);
  }

  SmallVector<Value> next(Value stage, ArrayRef<Value> accumulators) {
    SmallVector<Value> carried = {writeAdvance(kernel, kernel.operands, stage), stage};
    llvm::append_range(carried, accumulators);
    return carried;
  }
};
} // namespace

TileProducts fp8opt::writeAccumulatedLoop(GemmKernel &kernel, const Consumer &consumer, ResultTile tile,
                                          Value stage) {
  AccumulatedLoop loop{kernel, consumer};
  IndexEmitter &emit = kernel.emit;
  if (kernel.schedule.isPingpong())
    takeTurn(kernel, consumer);
  Value zero = ZeroOp::create(loop.builder, loop.loc, loop.accumulatorType());
  SmallVector<Value> zeros(consumer.rows.size(), zero), carried = {stage, stage};
  llvm::append_range(carried, zeros);
  const bool isNeverEmpty = !tile.product.isEmpty;
  if (isNeverEmpty)
    carried = loop.writeFirstStage(stage, zeros);
  ValueRange results = writeLoop(emit, emit.constant(isNeverEmpty ? 1 : 0), tile.product.blocks,
                                 emit.constant(1), carried, [&](Value block, ValueRange values) {
                                   Value isBehind;
                                   if (!isNeverEmpty)
                                     isBehind = emit.compare(arith::CmpIPredicate::ne, block, 0);
                                   return loop.writeBody(isBehind, values);
                                 });
  if (kernel.schedule.isPingpong())
    passTurn(kernel, consumer);
  SmallVector<Value> fragments = llvm::to_vector(results.drop_front(2));
  if (loop.hasInFlight) {
    fragments = loop.finish(fragments);
    Value isLast;
    if (tile.product.isEmpty)
      isLast = emit.compare(arith::CmpIPredicate::ne, tile.product.blocks, 0);
    writeRelease(kernel, kernel.operands, results[1], isLast);
  }
  return {fragments, results[0]};
}
