// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives products of numbers to kernels, which read both operands as they lie.

#include "UnquantizedProducts.h"

#include "LaunchEmitter.h"
#include "StridedBatch.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Import/Casts.h"
#include "fp8-opt/Import/Contraction.h"
#include "fp8-opt/Import/EraseUnread.h"

using namespace mlir;
using namespace fp8opt;

static qtile::OperandLayout layoutOf(const RowMajorOperand &operand) {
  return operand.isTransposed ? qtile::OperandLayout::Transposed : qtile::OperandLayout::RowMajor;
}

/// What the kernel writes: the sums, or what they are rounded to next.
static Value resultOf(qt::QuantizableOp op) {
  Operation *rounding = onlyRounding(op->getResult(0));
  return rounding ? rounding->getResult(0) : op->getResult(0);
}

KernelOrReason UnquantizedProducts::describe(qt::QuantizableOp op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // Zeros of dynamic size stand there for the reference, which compares sizes.
  if (Value addend = op.getAddend(); addend && !isZeroFilled(addend))
    return "it adds to a tensor, which kernels do for quantized operands alone";
  if (!type.getElementType().isF32())
    return "its sums are not of f32";
  StridedBatch batch = StridedBatch::find(op.getLhsOperand().get(), op.getRhsOperand().get());
  for (auto [name, operand] : {std::pair("left", &batch.lhs), std::pair("right", &batch.rhs)}) {
    Type element = operand->source.getType().getElementType();
    std::string of = "of its " + std::string(name) + " operand: ";
    if (!element.isBF16() && !element.isF16()) {
      llvm::raw_string_ostream(of) << "no kernel is for numbers of " << element;
      return of;
    }
    if (std::string reason = operand->whyNot(); !reason.empty())
      return of + reason;
    if (std::string reason = operand->whyNotCounted(); !reason.empty())
      return of + reason;
  }
  int64_t contracted = cast<RankedTensorType>(op.getLhsOperand().get().getType()).getShape().back();
  if (llvm::is_contained(type.getShape(), 0) || contracted == 0)
    return "it has a size of 0";
  if (std::string reason = whyNotCountedRows(type); !reason.empty())
    return reason;
  auto matrixOf = [](const RowMajorOperand &operand) {
    return KernelBook::Matrix{operand.source.getType().getElementType(), layoutOf(operand)};
  };
  return book.product({matrixOf(batch.lhs), matrixOf(batch.rhs)}, getElementTypeOrSelf(resultOf(op)),
                      batch.isBatched(), likelySizes(type, contracted, batch.isBatched()));
}

void UnquantizedProducts::consider(qt::QuantizableOp op) {
  KernelOrReason kernel = describe(op);
  if (auto *reason = std::get_if<std::string>(&kernel))
    return shares.stays(op, *reason);
  shares.isTaken(op);
  products.push_back({op, std::get<qtile::KernelOp>(kernel)});
}

void UnquantizedProducts::multiply(const Product &product) {
  qt::QuantizableOp op = product.op;
  OpBuilder builder(op);
  LaunchEmitter emitter(builder, op.getLoc());
  // Anew: what they are made of may have been replaced since.
  StridedBatch batch = StridedBatch::find(op.getLhsOperand().get(), op.getRhsOperand().get());
  auto inputOf = [&](const RowMajorOperand &operand) -> Value {
    if (batch.isBatched())
      return operand.source;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, operand.source.getType().getRank()));
    return emitter.asMatrix(operand.source, order, /*batchDimensions=*/0, operand.rowDimensions());
  };
  Value lhs = inputOf(batch.lhs), rhs = inputOf(batch.rhs), result = resultOf(op);
  SmallVector<OpFoldResult> integers;
  if (batch.isBatched())
    integers = batch.integers(builder, op.getLoc());
  Value launched = emitter.multiply(
      product.kernel, lhs, rhs, qtile::getMapsBytes(target), cast<RankedTensorType>(result.getType()),
      batch.sizesOfResult(builder, op.getLoc()), batch.contracted(builder, op.getLoc()), integers);
  result.replaceAllUsesWith(launched);
  eraseUnread(result);
}

void UnquantizedProducts::rewrite() {
  for (const Product &product : products)
    multiply(product);
}
