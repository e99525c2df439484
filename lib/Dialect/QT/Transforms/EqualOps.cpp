// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes equal ops one.

#include "EqualOps.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace {
/// Hashes and compares ops by what they compute.
struct ByMeaning : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(Operation *op) {
    return OperationEquivalence::computeHash(op, OperationEquivalence::directHashValue,
                                             OperationEquivalence::ignoreHashValue,
                                             OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(Operation *lhs, Operation *rhs) {
    if (lhs == rhs)
      return true;
    if (lhs == getTombstoneKey() || lhs == getEmptyKey() || rhs == getTombstoneKey() || rhs == getEmptyKey())
      return false;
    return OperationEquivalence::isEquivalentTo(lhs, rhs, OperationEquivalence::IgnoreLocations);
  }
};
} // namespace

unsigned fp8opt::qt::mergeEqualOps(Operation *root, llvm::function_ref<bool(Operation *)> isAsked) {
  unsigned merged = 0;
  root->walk([&](Block *block) {
    llvm::DenseSet<Operation *, ByMeaning> seen;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (!isAsked(&op))
        continue;
      auto [earlier, isNew] = seen.insert(&op);
      if (isNew)
        continue;
      op.replaceAllUsesWith(*earlier);
      op.erase();
      ++merged;
    }
  });
  return merged;
}
