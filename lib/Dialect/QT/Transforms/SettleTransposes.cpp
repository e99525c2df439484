// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of codes go up to the quantizer that can write them.

#include "SettleTransposes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// A view of codes and the transpose that reads it, written the other way around. Each function returns the
/// same view of a transpose of its operands, or null where that is no view of whole blocks of the same type.
class TransposedViews {
public:
  TransposedViews(OpBuilder &builder, TransposeOp transpose)
      : builder(builder), transpose(transpose), loc(transpose.getLoc()),
        permutation(transpose.getPermutation()) {}

  Value write(Operation *view) {
    return TypeSwitch<Operation *, Value>(view)
        .Case<ReshapeOp, SliceOp, ConcatOp, BroadcastOp, PadOp>([&](auto op) { return of(op); })
        .Default([](Operation *) { return Value(); });
  }

private:
  Value of(ReshapeOp reshape);
  Value of(SliceOp slice);
  Value of(ConcatOp concat);
  Value of(BroadcastOp broadcast);
  Value of(PadOp pad);

  /// Null where there is none.
  static QTensorType typeOf(Value operand, ArrayRef<int64_t> permutation) {
    auto type =
        TransposeOp::getTransposedType(cast<QTensorType>(operand.getType()), permutation, std::nullopt);
    return succeeded(type) ? *type : QTensorType();
  }
  Value transposed(Value operand, ArrayRef<int64_t> permutation) {
    return TransposeOp::create(builder, loc, typeOf(operand, permutation), operand, permutation);
  }
  /// Numbers of a view, one for each dimension, in the order of the transpose.
  SmallVector<OpFoldResult> permuted(ArrayRef<int64_t> numbers, ValueRange values) {
    return applyPermutation(getMixedValues(numbers, values, builder), permutation);
  }
  SmallVector<int64_t> permuted(ArrayRef<int64_t> numbers) { return applyPermutation(numbers, permutation); }
  /// Whether a type with the scheme of `like` and the shape of the transpose is the transpose's.
  bool isResult(QTensorType like) {
    QTensorType type = transpose.getType();
    return like && QTensorType::get(type.getContext(), type.getShape(), like.getElementType(),
                                    like.getScheme()) == type;
  }

  OpBuilder &builder;
  TransposeOp transpose;
  Location loc;
  ArrayRef<int64_t> permutation;
};
} // namespace

Value TransposedViews::of(ReshapeOp reshape) {
  if (!reshape.isCollapse())
    return {};
  SmallVector<ReassociationIndices> groups = reshape.getGroups(), after;
  SmallVector<int64_t> before;
  for (int64_t dim : permutation) {
    after.emplace_back();
    for (int64_t from : groups[dim]) {
      after.back().push_back(before.size());
      before.push_back(from);
    }
  }
  QTensorType type = typeOf(reshape.getInput(), before);
  if (!type || !whyNotReshape(type, transpose.getType(), after).empty())
    return {};
  return ReshapeOp::create(builder, loc, transpose.getType(), transposed(reshape.getInput(), before),
                           getReassociationIndicesAttribute(builder, after), ValueRange());
}

Value TransposedViews::of(SliceOp slice) {
  QTensorType type = typeOf(slice.getInput(), permutation);
  if (!isResult(type) || !whyNotSlice(type, permuted(slice.getStaticOffsets()),
                                      permuted(slice.getStaticSizes()), permuted(slice.getStaticStrides()))
                              .empty())
    return {};
  auto [offsets, dynamicOffsets] =
      decomposeMixedValues(permuted(slice.getStaticOffsets(), slice.getOffsets()));
  auto [sizes, dynamicSizes] = decomposeMixedValues(permuted(slice.getStaticSizes(), slice.getSizes()));
  auto [strides, dynamicStrides] =
      decomposeMixedValues(permuted(slice.getStaticStrides(), slice.getStrides()));
  return SliceOp::create(builder, loc, transpose.getType(), transposed(slice.getInput(), permutation),
                         dynamicOffsets, dynamicSizes, dynamicStrides, offsets, sizes, strides);
}

Value TransposedViews::of(ConcatOp concat) {
  SmallVector<QTensorType> types;
  for (Value input : concat.getInputs())
    if (!isResult(types.emplace_back(typeOf(input, permutation))))
      return {};
  auto dim = static_cast<int64_t>(llvm::find(permutation, static_cast<int64_t>(concat.getDim())) -
                                  permutation.begin());
  if (!whyNotConcat(types, dim).empty())
    return {};
  SmallVector<Value> inputs;
  for (Value input : concat.getInputs())
    inputs.push_back(transposed(input, permutation));
  return ConcatOp::create(builder, loc, transpose.getType(), inputs, dim);
}

Value TransposedViews::of(BroadcastOp broadcast) {
  ArrayRef<int64_t> added = broadcast.getDimensions();
  SmallVector<int64_t> kept, order, dimensions;
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < broadcast.getType().getRank(); ++dim)
    if (!llvm::is_contained(added, dim))
      kept.push_back(dim);
  for (int64_t dim : permutation) {
    if (!llvm::is_contained(added, dim)) {
      order.push_back(llvm::find(kept, dim) - kept.begin());
      continue;
    }
    dimensions.push_back(static_cast<int64_t>(order.size() + dimensions.size()));
    if (broadcast.getType().isDynamicDim(dim))
      sizes.push_back(broadcast.getSizes()[llvm::count_if(
          added, [&](int64_t other) { return other < dim && broadcast.getType().isDynamicDim(other); })]);
  }
  QTensorType type = typeOf(broadcast.getInput(), order);
  if (!type || !whyNotBroadcast(type, transpose.getType(), dimensions).empty())
    return {};
  return BroadcastOp::create(builder, loc, transpose.getType(), transposed(broadcast.getInput(), order),
                             dimensions, sizes);
}

Value TransposedViews::of(PadOp pad) {
  QTensorType type = typeOf(pad.getInput(), permutation);
  if (!isResult(type) ||
      !whyNotPad(type, permuted(pad.getStaticLow()), permuted(pad.getStaticHigh())).empty())
    return {};
  auto [low, dynamicLow] = decomposeMixedValues(permuted(pad.getStaticLow(), pad.getLow()));
  auto [high, dynamicHigh] = decomposeMixedValues(permuted(pad.getStaticHigh(), pad.getHigh()));
  return PadOp::create(builder, loc, transpose.getType(), transposed(pad.getInput(), permutation), dynamicLow,
                       dynamicHigh, low, high);
}

void fp8opt::qt::settleTransposes(OpBuilder &builder, Value moved, bool alsoAboveSlices) {
  Operation *view = moved.getDefiningOp();
  if (isa<SliceOp>(view) && !alsoAboveSlices)
    return;
  for (Operation *user : llvm::make_early_inc_range(moved.getUsers())) {
    auto transpose = dyn_cast<TransposeOp>(user);
    if (!transpose)
      continue;
    if (isa<TransposeOp>(view)) {
      // The first time it reads what the other one does, the second time it is that, or not.
      for (int time = 0; time < 2; ++time) {
        SmallVector<OpFoldResult> folded;
        if (failed(transpose->fold(folded)) || folded.empty() || !isa<Value>(folded.front()))
          continue;
        transpose.replaceAllUsesWith(cast<Value>(folded.front()));
        transpose.erase();
        break;
      }
      continue;
    }
    builder.setInsertionPoint(transpose);
    Value above = TransposedViews(builder, transpose).write(view);
    if (!above)
      continue;
    transpose.replaceAllUsesWith(above);
    transpose.erase();
    for (Value operand : view->getOperands())
      if (isa<QTensorType>(operand.getType()))
        settleTransposes(builder, operand, alsoAboveSlices);
  }
  if (view->hasTrait<MovesCodes>() && view->use_empty())
    view->erase();
}
