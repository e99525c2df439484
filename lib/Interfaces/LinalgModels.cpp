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

namespace {
struct ContractModel : qt::QuantizableOp::ExternalModel<ContractModel, linalg::ContractOp> {
  OpOperand &getLhsOperand(Operation *op) const { return op->getOpOperand(0); }
  OpOperand &getRhsOperand(Operation *op) const { return op->getOpOperand(1); }

  Value getAddend(Operation *op) const {
    Value init = cast<linalg::ContractOp>(op).getDpsInits()[0];
    return isZero(init) ? Value() : init;
  }

  Value buildQuantized(Operation *op, OpBuilder &builder, Value lhs, Value rhs) const {
    return qt::MatmulOp::create(builder, op->getLoc(), op->getResult(0).getType(), lhs, rhs, getAddend(op));
  }
};
} // namespace

void fp8opt::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->loadDialect<qt::QTDialect>();
    linalg::ContractOp::attachInterface<ContractModel>(*context);
  });
}
