// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of the ops that move quantized tensors. All are exact: no number changes. docs/Spec.md, section
// Folds, has them all.

#include "QTConstants.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  // The type follows from the operand's and the permutation, so an identity has the operand's type, dynamic
  // sizes or not.
  if (isIdentityPermutation(getPermutation()))
    return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
  // A second copy of a large constant costs memory and file size that a transpose of codes does not.
  if (auto constant = dyn_cast_or_null<DenseAttr>(adaptor.getInput()))
    return moveConstant(constant, getInput().getType(), getType(), /*mayCopy=*/getInput().hasOneUse(),
                        [&](ArrayRef<int64_t> strides, ArrayRef<int64_t>) {
                          return Placement{0, applyPermutation(strides, getPermutation())};
                        });
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  setPermutation(applyPermutation(inner.getPermutation(), getPermutation()));
  getInputMutable().assign(inner.getInput());
  return getResult();
}

/// Whether each group has at most one dynamic dimension, so that its sizes follow from their product.
static bool sizesFollow(QTensorType type, ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return type.isDynamicDim(dim); }) < 2;
  });
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (auto constant = dyn_cast_or_null<DenseAttr>(adaptor.getInput()))
    return getType().hasStaticShape() ? reshapeConstant(constant, getType()) : DenseAttr();
  auto inner = getInput().getDefiningOp<ReshapeOp>();
  if (!inner || inner.getInput().getType() != getType() || inner.getReassociation() != getReassociation())
    return {};
  // What was expanded collapses to what it was; what was collapsed may expand to other sizes.
  return isCollapse() || sizesFollow(getType(), getGroups()) ? OpFoldResult(inner.getInput())
                                                             : OpFoldResult();
}

static bool areAll(ArrayRef<int64_t> numbers, int64_t number) {
  return llvm::all_of(numbers, [=](int64_t one) { return one == number; });
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> offsets = getStaticOffsets(), strides = getStaticStrides();
  if (getType() == getInput().getType() && getType().hasStaticShape() && areAll(offsets, 0) &&
      areAll(strides, 1))
    return getInput();
  auto constant = dyn_cast_or_null<DenseAttr>(adaptor.getInput());
  if (!constant || !getOffsets().empty() || !getSizes().empty() || !getStrides().empty())
    return {};
  return moveConstant(constant, getInput().getType(), getType(), /*mayCopy=*/getInput().hasOneUse(),
                      [&](ArrayRef<int64_t> from, ArrayRef<int64_t> block) {
                        Placement place;
                        for (auto [dim, stride] : llvm::enumerate(from)) {
                          bool isAll = ShapedType::isDynamic(block[dim]);
                          place.start += isAll ? 0 : offsets[dim] / block[dim] * stride;
                          place.strides.push_back(block[dim] == 1 ? stride * strides[dim] : stride);
                        }
                        return place;
                      });
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? OpFoldResult(getInputs().front()) : OpFoldResult();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getDimensions().empty())
    return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
  auto constant = dyn_cast_or_null<DenseAttr>(adaptor.getInput());
  if (!constant || !getType().hasStaticShape())
    return {};
  return moveConstant(constant, getInput().getType(), getType(), /*mayCopy=*/false,
                      [&](ArrayRef<int64_t> from, ArrayRef<int64_t>) {
                        Placement place;
                        for (int64_t dim = 0; dim < getType().getRank(); ++dim) {
                          bool isNew = llvm::is_contained(getDimensions(), dim);
                          place.strides.push_back(isNew ? 0 : from.front());
                          from = from.drop_front(isNew ? 0 : 1);
                        }
                        return place;
                      });
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  return areAll(getStaticLow(), 0) && areAll(getStaticHigh(), 0) ? OpFoldResult(getInput()) : OpFoldResult();
}
