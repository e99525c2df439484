// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives products of numbers to kernels, which read both operands as they lie.

#include "UnquantizedProducts.h"

#include "LaunchEmitter.h"
#include "RowMajorOperand.h"

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
  if (type.getRank() != 2)
    return "it has batches";
  // Zeros of dynamic size stand there for the reference, which compares sizes.
  if (Value addend = op.getAddend(); addend && !isZeroFilled(addend))
    return "no kernel adds to its product";
  if (!type.getElementType().isF32())
    return "its sums are not of f32";
  SmallVector<RowMajorOperand> operands;
  for (auto [name, operand] :
       {std::pair("left", op.getLhsOperand().get()), std::pair("right", op.getRhsOperand().get())}) {
    Type element = getElementTypeOrSelf(operand);
    std::string of = "of its " + std::string(name) + " operand: ";
    if (!element.isBF16() && !element.isF16()) {
      llvm::raw_string_ostream(of) << "no kernel is for numbers of " << element;
      return of;
    }
    std::string reason = operands.emplace_back(findRowMajorOperand(operand)).whyNot();
    if (!reason.empty())
      return of + reason;
  }
  SmallVector<int64_t> likely = llvm::to_vector(type.getShape());
  likely.push_back(cast<RankedTensorType>(op.getLhsOperand().get().getType()).getDimSize(1));
  if (llvm::is_contained(likely, 0))
    return "it has a size of 0";
  if (llvm::any_of(likely, ShapedType::isDynamic))
    likely.clear();
  auto matrixOf = [](const RowMajorOperand &operand) {
    return KernelBook::Matrix{operand.source.getType().getElementType(), layoutOf(operand)};
  };
  return book.product({matrixOf(operands[0]), matrixOf(operands[1])}, getElementTypeOrSelf(resultOf(op)),
                      likely);
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
  SmallVector<Value> matrices;
  SmallVector<MatrixSizes> sizes;
  for (OpOperand *use : {&op.getLhsOperand(), &op.getRhsOperand()}) {
    // Anew: what it is made of may have been replaced since.
    RowMajorOperand operand = findRowMajorOperand(use->get());
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, operand.source.getType().getRank()));
    Value matrix = matrices.emplace_back(
        emitter.asMatrix(operand.source, order, /*batchDimensions=*/0, operand.rowDimensions));
    MatrixSizes lies = emitter.sizesOf(matrix);
    sizes.push_back(operand.isTransposed ? lies.exchanged() : lies);
  }
  Value result = resultOf(op);
  Value launched = emitter.multiply(product.kernel, matrices[0], matrices[1], qtile::getMapsBytes(target),
                                    cast<RankedTensorType>(result.getType()),
                                    {OpFoldResult(), sizes[0].rows, sizes[1].rows}, sizes[0].columns);
  result.replaceAllUsesWith(launched);
  eraseUnread(result);
}

void UnquantizedProducts::rewrite() {
  for (const Product &product : products)
    multiply(product);
}
