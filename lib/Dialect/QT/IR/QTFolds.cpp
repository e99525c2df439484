// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds. Each changes no bit; docs/Spec.md has the condition of each.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt::qt;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

/// quantize(dequantize(q)) is q only where the scales are given and are q's own: deriving them again from the decoded
/// values gives other scales for one amax in six.
static Value quantizeOfOwnDecode(QuantizeOp op) {
  auto decode = op.getInput().getDefiningOp<DequantizeOp>();
  if (!decode || op.getScales().empty() || decode.getInput().getType() != op.getType())
    return {};
  Value source = decode.getInput();
  if (auto assemble = source.getDefiningOp<AssembleOp>())
    return llvm::equal(assemble.getScales(), op.getScales()) ? source : Value();
  auto apart = op.getScales().front().getDefiningOp<DisassembleOp>();
  return apart && apart.getInput() == source && llvm::equal(apart.getScales(), op.getScales()) ? source : Value();
}

OpFoldResult QuantizeOp::fold(FoldAdaptor) { return quantizeOfOwnDecode(*this); }

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (getType() == getInput().getType() && llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank())))
    return getInput();
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t dim : getPermutation())
    composed.push_back(inner.getPermutation()[dim]);
  setPermutation(composed);
  getInputMutable().assign(inner.getInput());
  return getResult();
}

LogicalResult DisassembleOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto assemble = getInput().getDefiningOp<AssembleOp>();
  if (!assemble)
    return failure();
  results.push_back(assemble.getCodes());
  results.append(assemble.getScales().begin(), assemble.getScales().end());
  return success();
}
