// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of codes go up to the quantizer that can write them.

#include "SettleTransposes.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

void fp8opt::qt::settleTransposes(OpBuilder &builder, Value moved) {
  auto reshape = moved.getDefiningOp<ReshapeOp>();
  for (Operation *user : llvm::make_early_inc_range(moved.getUsers())) {
    auto transpose = dyn_cast<TransposeOp>(user);
    if (!transpose)
      continue;
    if (moved.getDefiningOp<TransposeOp>()) {
      SmallVector<OpFoldResult> folded;
      if (succeeded(transpose->fold(folded)) && !folded.empty() && isa<Value>(folded.front())) {
        transpose.replaceAllUsesWith(cast<Value>(folded.front()));
        transpose.erase();
      }
      continue;
    }
    if (!reshape || !reshape.isCollapse())
      continue;
    SmallVector<ReassociationIndices> groups = reshape.getGroups(), after;
    SmallVector<int64_t> permutation;
    for (int64_t dim : transpose.getPermutation()) {
      after.emplace_back();
      for (int64_t from : groups[dim]) {
        after.back().push_back(permutation.size());
        permutation.push_back(from);
      }
    }
    SmallVector<Type> types;
    TransposeOp::Properties properties;
    properties.permutation = builder.getDenseI64ArrayAttr(permutation);
    if (failed(TransposeOp::inferReturnTypes(builder.getContext(), std::nullopt, reshape.getInput(), {},
                                             &properties, {}, types)) ||
        !whyNotReshape(cast<QTensorType>(types.front()), transpose.getType(), after).empty())
      continue;
    builder.setInsertionPoint(transpose);
    Value first =
        TransposeOp::create(builder, transpose.getLoc(), types.front(), reshape.getInput(), permutation);
    Value second = ReshapeOp::create(builder, transpose.getLoc(), transpose.getType(), first,
                                     getReassociationIndicesAttribute(builder, after), ValueRange());
    transpose.replaceAllUsesWith(second);
    transpose.erase();
    settleTransposes(builder, reshape.getInput());
  }
  if (reshape && reshape->use_empty())
    reshape.erase();
}
