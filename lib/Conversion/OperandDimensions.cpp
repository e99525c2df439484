// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions on the way back through what only renames them.

#include "OperandDimensions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fp8opt;

Dimensions fp8opt::throughTranspose(const Dimensions &dimensions, ArrayRef<int64_t> permutation) {
  Dimensions before = dimensions;
  for (SmallVector<int64_t> &group : before)
    for (int64_t &dimension : group)
      dimension = permutation[dimension];
  return before;
}

Dimensions fp8opt::throughCollapse(const Dimensions &dimensions, ArrayRef<ReassociationIndices> groups) {
  Dimensions before(dimensions.size());
  for (auto [from, to] : llvm::zip(dimensions, before))
    for (int64_t dimension : from)
      llvm::append_range(to, groups[dimension]);
  return before;
}
