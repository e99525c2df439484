// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the linalg dialect that move elements can move codes and scales.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Interfaces/Models.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using qt::QTensorType;
using qt::WhyNot;

namespace {
/// What a linalg op that only moves does: transpose the input, then repeat it along new dimensions.
struct Movement {
  SmallVector<int64_t> permutation;
  SmallVector<int64_t> dimensions;
};
} // namespace

/// The movement of an op that yields its input where its maps say; nothing if it computes, or reads an
/// element for several dimensions.
static std::optional<Movement> movementOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return std::nullopt;
  Block &body = *op.getBlock();
  AffineMap reads = op.getIndexingMapsArray()[0], writes = op.getIndexingMapsArray()[1];
  if (!llvm::hasSingleElement(body) || body.getTerminator()->getOperand(0) != body.getArgument(0) ||
      !reads.isProjectedPermutation() || !writes.isPermutation() || reads.getNumResults() == 0)
    return std::nullopt;
  // For each dimension of the input, the dimension of the result that it becomes.
  SmallVector<int64_t> becomes;
  for (AffineExpr loop : reads.getResults())
    becomes.push_back(*writes.getResultPosition(loop));
  Movement movement;
  movement.permutation = llvm::to_vector(llvm::seq<int64_t>(0, becomes.size()));
  llvm::sort(movement.permutation, [&](int64_t a, int64_t b) { return becomes[a] < becomes[b]; });
  for (int64_t dim = 0; dim < int64_t(writes.getNumResults()); ++dim)
    if (!llvm::is_contained(becomes, dim))
      movement.dimensions.push_back(dim);
  return movement;
}

/// The type between the transpose and the broadcast.
static QTensorType transposedType(linalg::LinalgOp op, const Movement &movement, QTensorType result,
                                  WhyNot &why) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  if (movement.dimensions.empty())
    return result;
  return qt::broadcastFrom(applyPermutation(shape, movement.permutation), result, movement.dimensions, why);
}

/// The size of a dynamic dimension: what an empty tensor is made with, so that it does not live on for its
/// size.
static Value sizeOf(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty.getType().isDynamicDim(dim))
    return empty.getDynamicSize(dim);
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

namespace {
template <typename OpT>
struct MovementModel : qt::ScaleTransparentOp::ExternalModel<MovementModel<OpT>, OpT> {
  SmallVector<Value> getMovedOperands(Operation *op) const {
    return movementOf(cast<linalg::LinalgOp>(op)) ? SmallVector<Value>{op->getOperand(0)}
                                                  : SmallVector<Value>();
  }

  SmallVector<QTensorType> getQuantizedTypes(Operation *op, QTensorType result, WhyNot &why) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    Movement movement = *movementOf(linalgOp);
    QTensorType type = transposedType(linalgOp, movement, result, why);
    if (type && !isIdentityPermutation(movement.permutation))
      type = qt::transposedFrom(type, movement.permutation, why);
    return type ? SmallVector<QTensorType>{type} : SmallVector<QTensorType>();
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, ValueRange operands, QTensorType result) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    Movement movement = *movementOf(linalgOp);
    WhyNot why;
    QTensorType type = transposedType(linalgOp, movement, result, why);
    Value moved = operands.front();
    if (!isIdentityPermutation(movement.permutation))
      moved = qt::TransposeOp::create(builder, op->getLoc(), type, moved, movement.permutation);
    if (movement.dimensions.empty())
      return moved;
    SmallVector<Value> sizes;
    for (int64_t dim : movement.dimensions)
      if (result.isDynamicDim(dim))
        sizes.push_back(sizeOf(builder, op->getLoc(), linalgOp.getDpsInits()[0], dim));
    return qt::BroadcastOp::create(builder, op->getLoc(), result, moved, movement.dimensions, sizes);
  }
};
} // namespace

void fp8opt::registerLinalgViewModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->loadDialect<qt::QTDialect>();
    linalg::TransposeOp::attachInterface<MovementModel<linalg::TransposeOp>>(*context);
    linalg::BroadcastOp::attachInterface<MovementModel<linalg::BroadcastOp>>(*context);
    linalg::GenericOp::attachInterface<MovementModel<linalg::GenericOp>>(*context);
  });
}
