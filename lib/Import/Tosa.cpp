// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-scaled TOSA, which upstream has no lowering for, as linalg: codes widened, times the scales of their
// blocks.

#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace fp8opt {
#define GEN_PASS_DEF_IMPORTTOSAPASS
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;

static int64_t sizeOf(tosa::BlockSizeAttr block) {
  return tosa::BlockSizeAttr::getBlockSizeValue(block.getValue());
}

/// Scales of blocks of the last dimension, for each element.
static Value spread(OpBuilder &builder, Location loc, Value scale, int64_t block) {
  auto type = cast<RankedTensorType>(scale.getType());
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, scale);
  sizes.push_back(builder.getIndexAttr(block));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value blocks =
      linalg::BroadcastOp::create(builder, loc, scale, empty, ArrayRef<int64_t>{rank})->getResult(0);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank);
  return tensor::CollapseShapeOp::create(builder, loc, blocks, groups);
}

/// The numbers that codes and scales stand for, in f32 and then rounded to `element`.
static Value decode(OpBuilder &builder, Location loc, Value codes, Value scale, int64_t block, Type element) {
  auto type = cast<RankedTensorType>(codes.getType());
  Value spreaded = spread(builder, loc, scale, block);
  // One of the two may know a size that the other does not.
  Type wanted = type.clone(getElementTypeOrSelf(scale));
  if (spreaded.getType() != wanted)
    spreaded = tensor::CastOp::create(builder, loc, wanted, spreaded);
  return fp8opt::emitElementwise(
      builder, loc, {codes, spreaded}, element,
      [&](OpBuilder &inner, Location at, ValueRange values) -> Value {
        Type f32 = inner.getF32Type();
        Value value = arith::MulFOp::create(inner, at, arith::ExtFOp::create(inner, at, f32, values[0]),
                                            arith::ExtFOp::create(inner, at, f32, values[1]));
        return element == f32 ? value : arith::TruncFOp::create(inner, at, element, value);
      });
}

/// The operands must have shapes, and elements that are floats outside of TOSA too.
static LogicalResult verifyOperands(Operation *op) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || !isa<FloatType>(ranked.getElementType()))
      return op->emitOpError() << "expected ranked tensors of floats to lower, got " << type
                               << " for operand " << index;
  }
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result)
    return op->emitOpError() << "expected a ranked result, got " << op->getResult(0).getType();
  return success();
}

/// A of [N, H, C] by B of [N or 1, W, C], transposed.
static LogicalResult lowerMatmul(tosa::MatmulTBlockScaledOp op) {
  if (failed(verifyOperands(op)))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  int64_t block = sizeOf(op.getBlockSizeAttr());
  Type f32 = builder.getF32Type();
  Value a = decode(builder, loc, op.getAData(), op.getAScale(), block, f32);
  Value b = decode(builder, loc, op.getBData(), op.getBScale(), block, f32);
  auto aType = cast<RankedTensorType>(a.getType()), bType = cast<RankedTensorType>(b.getType());
  // One B for all of the batch is a matrix: rows of A are one dimension then.
  bool isShared = bType.getDimSize(0) == 1 && aType.getDimSize(0) != 1;
  if (isShared)
    b = tensor::CollapseShapeOp::create(builder, loc, b, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, a);
  sizes[2] = tensor::getMixedSize(builder, loc, b, isShared ? 0 : 1);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, f32);
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  AffineExpr n, h, w, c;
  bindDims(op.getContext(), n, h, w, c);
  auto map = [&](ArrayRef<AffineExpr> dims) { return AffineMap::get(4, 0, dims, op.getContext()); };
  AffineMap bMap = isShared ? map({w, c}) : map({n, w, c});
  Value product =
      linalg::ContractOp::create(builder, loc, init.getType(), ValueRange{a, b}, init,
                                 builder.getAffineMapArrayAttr({map({n, h, c}), bMap, map({n, h, w})}))
          ->getResult(0);
  if (product.getType() != op.getType())
    product = tensor::CastOp::create(builder, loc, op.getType(), product);
  op.replaceAllUsesWith(product);
  op.erase();
  return success();
}

static LogicalResult lowerCast(tosa::CastFromBlockScaledOp op) {
  if (failed(verifyOperands(op)))
    return failure();
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value numbers = decode(builder, op.getLoc(), op.getInputData(), op.getInputScale(),
                         sizeOf(op.getBlockSizeAttr()), type.getElementType());
  if (numbers.getType() != type)
    numbers = tensor::CastOp::create(builder, op.getLoc(), type, numbers);
  op.replaceAllUsesWith(numbers);
  op.erase();
  return success();
}

namespace {

struct ImportTosa : fp8opt::impl::ImportTosaPassBase<ImportTosa> {
  using ImportTosaPassBase::ImportTosaPassBase;

  void runOnOperation() final {
    bool hasTosa = false;
    WalkResult walked = getOperation().walk([&](Operation *op) -> WalkResult {
      hasTosa |= isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
      if (auto matmul = dyn_cast<tosa::MatmulTBlockScaledOp>(op))
        return lowerMatmul(matmul);
      if (auto decoding = dyn_cast<tosa::CastFromBlockScaledOp>(op))
        return lowerCast(decoding);
      if (isa<tosa::CastToBlockScaledOp>(op))
        return op->emitOpError(
            "expected codes and scales that are there already, got a cast that makes them by a "
            "rule that the op does not name; give the numbers, and a recipe");
      return success();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
    if (!hasTosa) // nothing to verify again
      markAllAnalysesPreserved();
  }
};

} // namespace
