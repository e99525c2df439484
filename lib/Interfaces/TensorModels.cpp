// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the tensor dialect that move elements can move codes and scales.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Interfaces/Models.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fp8opt;
using qt::QTensorType;
using qt::WhyNot;

static ArrayRef<int64_t> shapeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getShape(); }

/// A quantized tensor of another shape and the scheme and expressed type of `like`.
static QTensorType withShape(QTensorType like, ArrayRef<int64_t> shape) {
  return QTensorType::get(like.getContext(), shape, like.getElementType(), like.getScheme());
}

static SmallVector<QTensorType> oneOrNone(QTensorType type) {
  return type ? SmallVector<QTensorType>{type} : SmallVector<QTensorType>();
}

namespace {
template <typename OpT, bool isExpand>
struct ReshapeModel : qt::ScaleTransparentOp::ExternalModel<ReshapeModel<OpT, isExpand>, OpT> {
  SmallVector<Value> getMovedOperands(Operation *op) const {
    auto reshape = cast<OpT>(op);
    // To or from rank 0 there is no dimension to group by.
    bool hasDims = !shapeOf(reshape.getSrc()).empty() && !shapeOf(reshape.getResult()).empty();
    return hasDims ? SmallVector<Value>{reshape.getSrc()} : SmallVector<Value>();
  }

  SmallVector<QTensorType> getQuantizedTypes(Operation *op, QTensorType result, WhyNot &why) const {
    auto reshape = cast<OpT>(op);
    return oneOrNone(
        qt::reshapedFrom(shapeOf(reshape.getSrc()), result, reshape.getReassociationIndices(), why));
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, ValueRange operands, QTensorType result) const {
    ValueRange sizes;
    if constexpr (isExpand)
      sizes = cast<tensor::ExpandShapeOp>(op).getOutputShape();
    return qt::ReshapeOp::create(builder, op->getLoc(), result, operands.front(),
                                 cast<OpT>(op).getReassociation(), sizes);
  }

  qt::Moving getMoving(Operation *) const { return qt::Moving::Reshapes; }
};

template <typename OpT> struct SliceModel : qt::ScaleTransparentOp::ExternalModel<SliceModel<OpT>, OpT> {
  SmallVector<Value> getMovedOperands(Operation *op) const {
    auto slice = cast<OpT>(op);
    return slice.getType().getRank() == 0 ? SmallVector<Value>() : SmallVector<Value>{slice.getSource()};
  }

  SmallVector<QTensorType> getQuantizedTypes(Operation *op, QTensorType result, WhyNot &why) const {
    auto slice = cast<OpT>(op);
    QTensorType full = fullRank(slice, result, why);
    if (!full)
      return {};
    QTensorType type = withShape(full, shapeOf(slice.getSource()));
    why = qt::whyNotSlice(type, slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides());
    return oneOrNone(why.empty() ? type : QTensorType());
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, ValueRange operands, QTensorType result) const {
    auto slice = cast<OpT>(op);
    WhyNot why;
    QTensorType full = fullRank(slice, result, why);
    Value moved = qt::SliceOp::create(builder, op->getLoc(), full, operands.front(), slice.getOffsets(),
                                      slice.getSizes(), slice.getStrides(), slice.getStaticOffsets(),
                                      slice.getStaticSizes(), slice.getStaticStrides());
    if (full == result)
      return moved;
    return qt::ReshapeOp::create(builder, op->getLoc(), result, moved,
                                 getReassociationIndicesAttribute(builder, keptGroups(slice)), ValueRange());
  }

  qt::Moving getMoving(Operation *) const { return qt::Moving::ReadsPart; }

private:
  /// The result before dimensions of one are dropped.
  static QTensorType fullRank(OpT slice, QTensorType result, WhyNot &why) {
    if (slice.getDroppedDims().none())
      return result;
    return qt::reshapedFrom(slice.getStaticSizes(), result, keptGroups(slice), why);
  }

  /// The dimensions of the source that each dimension of the result comes from: one, and dropped ones beside
  /// it.
  static SmallVector<ReassociationIndices> keptGroups(OpT slice) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<ReassociationIndices> groups(1);
    bool hasKept = false;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      if (!dropped[dim] && hasKept)
        groups.emplace_back();
      hasKept |= !dropped[dim];
      groups.back().push_back(dim);
    }
    return groups;
  }
};

struct ConcatModel : qt::ScaleTransparentOp::ExternalModel<ConcatModel, tensor::ConcatOp> {
  SmallVector<Value> getMovedOperands(Operation *op) const { return op->getOperands(); }

  SmallVector<QTensorType> getQuantizedTypes(Operation *op, QTensorType result, WhyNot &why) const {
    auto concat = cast<tensor::ConcatOp>(op);
    SmallVector<QTensorType> types;
    for (Value input : concat.getInputs())
      types.push_back(withShape(result, shapeOf(input)));
    why = qt::whyNotConcat(types, concat.getDim());
    return why.empty() ? types : SmallVector<QTensorType>();
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, ValueRange operands, QTensorType result) const {
    return qt::ConcatOp::create(builder, op->getLoc(), result, operands, cast<tensor::ConcatOp>(op).getDim());
  }
};

struct PadModel : qt::ScaleTransparentOp::ExternalModel<PadModel, tensor::PadOp> {
  SmallVector<Value> getMovedOperands(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    return pad.getType().getRank() == 0 ? SmallVector<Value>() : SmallVector<Value>{pad.getSource()};
  }

  SmallVector<QTensorType> getQuantizedTypes(Operation *op, QTensorType result, WhyNot &why) const {
    auto pad = cast<tensor::PadOp>(op);
    Value with = pad.getConstantPaddingValue();
    if (!with || !matchPattern(with, m_PosZeroFloat())) {
      why = "expected zeros to be added, got other numbers";
      return {};
    }
    QTensorType type = withShape(result, shapeOf(pad.getSource()));
    why = qt::whyNotPad(type, pad.getStaticLow(), pad.getStaticHigh());
    return oneOrNone(why.empty() ? type : QTensorType());
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, ValueRange operands, QTensorType result) const {
    auto pad = cast<tensor::PadOp>(op);
    return qt::PadOp::create(builder, op->getLoc(), result, operands.front(), pad.getLow(), pad.getHigh(),
                             pad.getStaticLow(), pad.getStaticHigh());
  }
};
} // namespace

void fp8opt::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    context->loadDialect<qt::QTDialect>();
    tensor::CollapseShapeOp::attachInterface<ReshapeModel<tensor::CollapseShapeOp, /*isExpand=*/false>>(
        *context);
    tensor::ExpandShapeOp::attachInterface<ReshapeModel<tensor::ExpandShapeOp, /*isExpand=*/true>>(*context);
    tensor::ExtractSliceOp::attachInterface<SliceModel<tensor::ExtractSliceOp>>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
    tensor::PadOp::attachInterface<PadModel>(*context);
  });
}
