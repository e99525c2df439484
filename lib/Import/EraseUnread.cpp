// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes away what a rewrite has left without a reader.

#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

void fp8opt::eraseUnread(ValueRange values) {
  SmallVector<Operation *> pending;
  auto note = [&](ValueRange read) {
    for (Value value : read)
      if (Operation *op = value.getDefiningOp())
        pending.push_back(op);
  };
  note(values);
  // An op may be pending several times: it is looked up before it is looked at.
  llvm::SmallPtrSet<Operation *, 8> erased;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (erased.contains(op) || !isOpTriviallyDead(op))
      continue;
    note(op->getOperands());
    erased.insert(op);
    op->erase();
  }
}
