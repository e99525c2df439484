// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg.contract is quantizable.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Interfaces/Models.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fp8opt;

/// Whether a value is zero in every element: a fill with, or a constant of, plus zero.
static bool isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.value(), m_PosZeroFloat());
  return matchPattern(value, m_PosZeroFloat());
}

/// Where the size of a dynamic dimension comes from: a dimension of a tensor, or a value (without dimension).
static std::pair<Value, int64_t> findSize(Value tensor, int64_t dim) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      tensor = structured.getDpsInits()[cast<OpResult>(tensor).getResultNumber()];
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      tensor = cast.getSource();
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      // The one dimension of the group that is not 1 has its size.
      auto isOne = [&](int64_t from) { return collapse.getSrcType().getDimSize(from) == 1; };
      ReassociationIndices group = collapse.getReassociationIndices()[dim];
      llvm::erase_if(group, isOne);
      if (group.size() != 1)
        break;
      tensor = collapse.getSrc();
      dim = group.front();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op); empty && empty.getType().isDynamicDim(dim)) {
      Value size = empty.getDynamicSize(dim);
      auto dimOp = size.getDefiningOp<tensor::DimOp>();
      if (!dimOp || !dimOp.getConstantIndex())
        return {size, -1};
      tensor = dimOp.getSource();
      dim = *dimOp.getConstantIndex();
    } else {
      break;
    }
  }
  return {tensor, dim};
}

/// Whether every dynamic size of the init is that of an operand for all that can be seen.
static bool hasSizesOfOperands(linalg::ContractOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(2).getType());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    auto size = findSize(op->getOperand(2), dim);
    auto isOfOperand = [&](unsigned operand) {
      std::optional<unsigned> position = maps[operand].getResultPosition(maps[2].getResult(dim));
      return position && findSize(op->getOperand(operand), *position) == size;
    };
    if (!isOfOperand(0) && !isOfOperand(1))
      return false;
  }
  return true;
}

namespace {
struct ContractModel : qt::QuantizableOp::ExternalModel<ContractModel, linalg::ContractOp> {
  OpOperand &getLhsOperand(Operation *op) const { return op->getOpOperand(0); }
  OpOperand &getRhsOperand(Operation *op) const { return op->getOpOperand(1); }

  Value getAddend(Operation *op) const {
    auto contract = cast<linalg::ContractOp>(op);
    Value init = contract.getDpsInits()[0];
    // A zero whose size may contradict the operands stays, so that the run finds out.
    return isZero(init) && hasSizesOfOperands(contract) ? Value() : init;
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, Value lhs, Value rhs, bool promoted) const {
    return qt::MatmulOp::create(builder, op->getLoc(), op->getResult(0).getType(), lhs, rhs, getAddend(op),
                                promoted)
        .getResult();
  }
};
} // namespace

void fp8opt::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->loadDialect<qt::QTDialect>();
    linalg::ContractOp::attachInterface<ContractModel>(*context);
  });
}
