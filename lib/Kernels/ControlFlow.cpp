// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches of kernels.

#include "ControlFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;

ValueRange fp8opt::writeLoop(IndexEmitter &emit, Value from, Value end, Value step, ValueRange carried,
                             LoopBody body) {
  auto loop = scf::ForOp::create(emit.builder, emit.loc, from, end, step, carried);
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *block = loop.getBody();
  // Without carried values the loop has made its own terminator.
  if (!block->empty())
    block->back().erase();
  emit.builder.setInsertionPointToEnd(block);
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(emit.builder, emit.loc, next);
  return loop.getResults();
}

SmallVector<Value> fp8opt::writeEither(IndexEmitter &emit, Value condition, Alternative ifTrue,
                                       Alternative ifFalse) {
  OpBuilder &builder = emit.builder;
  OpBuilder::InsertionGuard guard(builder);
  // The types are known when one side is written.
  auto branch = scf::IfOp::create(builder, emit.loc, TypeRange(), condition, /*withElseRegion=*/true);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  SmallVector<Value> yes = ifTrue();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  SmallVector<Value> no = ifFalse();
  if (yes.empty())
    return {};
  builder.setInsertionPoint(branch);
  auto typed = scf::IfOp::create(builder, emit.loc, TypeRange(yes), condition, /*withElseRegion=*/true);
  for (auto [from, to, values] : {std::tuple(branch.thenBlock(), typed.thenBlock(), ArrayRef<Value>(yes)),
                                  std::tuple(branch.elseBlock(), typed.elseBlock(), ArrayRef<Value>(no))}) {
    from->back().erase();
    to->getOperations().splice(to->end(), from->getOperations());
    builder.setInsertionPointToEnd(to);
    scf::YieldOp::create(builder, emit.loc, values);
  }
  branch.erase();
  return typed.getResults();
}

void fp8opt::writeIf(IndexEmitter &emit, Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(emit.builder, emit.loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(branch.thenBlock());
  body();
}
