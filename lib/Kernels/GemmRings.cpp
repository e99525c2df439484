// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions in a ring, and what stands there.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

Value fp8opt::writeFirst(GemmKernel &kernel, RoleKind kind, Value ring) {
  return FirstOp::create(kernel.builder(), kernel.loc(), StageType::get(ring.getContext()), kind, ring);
}

Value fp8opt::writeAdvance(GemmKernel &kernel, Value ring, Value stage, Value condition) {
  return AdvanceOp::create(kernel.builder(), kernel.loc(), stage.getType(), ring, stage, condition);
}

ValueRange fp8opt::writeWait(GemmKernel &kernel, Value ring, Value stage) {
  ArrayRef<SharedType> tiles = cast<RingType>(ring.getType()).getTiles();
  SmallVector<Type> types(tiles.begin(), tiles.end());
  return WaitOp::create(kernel.builder(), kernel.loc(), types, ring, stage).getTiles();
}

Value fp8opt::writeSkip(GemmKernel &kernel, Value ring, Value stage, Value count) {
  IndexEmitter &emit = kernel.emit;
  return writeLoop(emit, emit.constant(0), count, emit.constant(1), stage,
                   [&](Value, ValueRange carried) -> SmallVector<Value> {
                     return {writeAdvance(kernel, ring, carried[0])};
                   })
      .front();
}

void fp8opt::writeRelease(GemmKernel &kernel, Value ring, Value stage, Value condition) {
  ReleaseOp::create(kernel.builder(), kernel.loc(), ring, stage, condition);
}
