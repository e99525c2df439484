// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends the life of buffers after their last use.

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fp8opt::run;

/// The last operation of the block of `alloc` that uses the buffer, or nothing where its end is not in sight.
/// Uses through views are uses; a buffer that a terminator or a loop passes on may live on elsewhere.
static Operation *lastUse(memref::AllocOp alloc) {
  Block *block = alloc->getBlock();
  Operation *last = alloc;
  SmallVector<Value> names = {alloc.getResult()};
  while (!names.empty()) {
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() || user->getNumRegions() != 0)
        return nullptr;
      if (isa<ViewLikeOpInterface>(user))
        names.push_back(user->getResult(0));
      else if (llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>) &&
               !isa<memref::ExtractStridedMetadataOp>(user))
        return nullptr;
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor)
        return nullptr;
      if (last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
  }
  return last;
}

void fp8opt::run::freeBuffers(ModuleOp module, const LoweringState &state) {
  module.walk([](memref::AllocOp alloc) {
    if (Operation *last = lastUse(alloc)) {
      OpBuilder builder(alloc.getContext());
      builder.setInsertionPointAfter(last);
      memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    }
  });
}
