// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Concatenations that exporters spell out, as tensor.concat: StableHLO's as a choice for each element, TOSA's
// as a chain of insertions.

#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace {
/// What is joined along one dimension, in order.
struct Concatenation {
  int64_t dim = -1;
  SmallVector<Value> parts;
};
} // namespace

/// Whether the parts are static, agree beside the dimension and fill the result.
static bool fills(const Concatenation &found, RankedTensorType result) {
  if (found.dim < 0 || !result.hasStaticShape())
    return false;
  int64_t size = 0;
  for (Value part : found.parts) {
    auto type = cast<RankedTensorType>(part.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (!type.hasStaticShape() || type.getElementType() != result.getElementType() ||
        type.getRank() != result.getRank())
      return false;
    size += std::exchange(shape[found.dim], result.getDimSize(found.dim));
    if (shape != result.getShape())
      return false;
  }
  return size == result.getDimSize(found.dim);
}

/// The loop whose index the value is; -1 if it is none.
static int64_t loopOf(Value value) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? int64_t(index.getDim()) : -1;
}

/// `part[i, j - offset]`, j being the dimension.
static bool addExtracted(Value value, int64_t offset, Concatenation &found) {
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  if (!extract)
    return false;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    Value loop = index;
    if (int64_t(dim) == found.dim && offset != 0) {
      auto shifted = index.getDefiningOp<arith::SubIOp>();
      if (!shifted || getConstantIntValue(shifted.getRhs()) != offset)
        return false;
      loop = shifted.getLhs();
    }
    if (loopOf(loop) != int64_t(dim))
      return false;
  }
  found.parts.push_back(extract.getTensor());
  return true;
}

/// `j < end ? part[i, j - offset] : what follows`, or the last part alone.
static bool addChosen(Value value, Concatenation &found) {
  int64_t offset = 0;
  while (auto choice = value.getDefiningOp<scf::IfOp>()) {
    auto isBelow = choice.getCondition().getDefiningOp<arith::CmpIOp>();
    if (choice.getNumResults() != 1 || !isBelow || isBelow.getPredicate() != arith::CmpIPredicate::ult)
      return false;
    int64_t dim = loopOf(isBelow.getLhs());
    std::optional<int64_t> end = getConstantIntValue(isBelow.getRhs());
    if (dim < 0 || !end || (found.dim >= 0 && found.dim != dim))
      return false;
    found.dim = dim;
    if (!addExtracted(choice.thenYield().getOperand(0), offset, found) ||
        cast<ShapedType>(found.parts.back().getType()).getDimSize(dim) != *end - offset)
      return false;
    offset = *end;
    value = choice.elseYield().getOperand(0);
  }
  return found.dim >= 0 && addExtracted(value, offset, found);
}

/// A generic that reads each element from where it lies.
static std::optional<Concatenation> matchChoice(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 0 || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.getIndexingMapsArray()[0].isIdentity())
    return std::nullopt;
  Concatenation found;
  bool isOne =
      addChosen(op.getBlock()->getTerminator()->getOperand(0), found) &&
      llvm::none_of(found.parts,
                    [&](Value part) { return op->isAncestor(part.getParentBlock()->getParentOp()); }) &&
      fills(found, cast<RankedTensorType>(op->getResult(0).getType()));
  return isOne ? std::optional(found) : std::nullopt;
}

/// The last of insertions side by side that write all of a tensor and whose intermediate ones nothing else
/// reads.
static std::optional<Concatenation> matchInsertions(tensor::InsertSliceOp last) {
  RankedTensorType type = last.getType();
  Concatenation found;
  SmallVector<std::pair<int64_t, Value>> parts;
  for (tensor::InsertSliceOp op = last; op; op = op.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (op != last && !op->hasOneUse())
      break;
    auto part = cast<RankedTensorType>(op.getSource().getType());
    if (!op.hasUnitStride() || part.getRank() != type.getRank() || !part.hasStaticShape() ||
        ShapedType::isDynamicShape(op.getStaticOffsets()) || op.getStaticSizes() != part.getShape())
      return std::nullopt;
    int64_t offset = 0;
    for (int64_t dim : llvm::seq(type.getRank())) {
      if (op.getStaticOffset(dim) == 0 && part.getDimSize(dim) == type.getDimSize(dim))
        continue;
      if (found.dim >= 0 && found.dim != dim)
        return std::nullopt;
      found.dim = dim;
      offset = op.getStaticOffset(dim);
    }
    parts.push_back({offset, op.getSource()});
  }
  llvm::sort(parts, [](const auto &a, const auto &b) { return a.first < b.first; });
  int64_t end = 0;
  for (auto [offset, part] : parts) {
    if (found.dim < 0 || offset != end)
      return std::nullopt;
    end += cast<ShapedType>(part.getType()).getDimSize(found.dim);
    found.parts.push_back(part);
  }
  return fills(found, type) ? std::optional(found) : std::nullopt;
}

unsigned fp8opt::nameConcatenations(RewriterBase &rewriter, func::FuncOp function) {
  // From the last insertion of a chain back: those before it go with it.
  SmallVector<std::pair<Operation *, Concatenation>> found;
  function.walk([&](Operation *op) {
    std::optional<Concatenation> one;
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      one = matchChoice(generic);
    else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      one = matchInsertions(insertion);
    if (one)
      found.push_back({op, *one});
  });
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (const auto &[op, one] : found)
    replaced.insert(op);
  SmallVector<Value> read;
  for (const auto &[op, one] : found) {
    for (Value operand : op->getOperands())
      if (!replaced.contains(operand.getDefiningOp()))
        read.push_back(operand);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op->getResult(0).getType(), one.dim, one.parts);
  }
  eraseUnread(read);
  return found.size();
}
