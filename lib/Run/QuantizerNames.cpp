// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the quantizers of a graph quantize, in words.

#include "QuantizerNames.h"

#include "fp8-opt/Import/Views.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

QuantizerNames::QuantizerNames(qt::ReportAttr report, qt::SignatureAttr signature) : signature(signature) {
  if (!report)
    return;
  for (qt::EntryAttr entry : report.getEntries()) {
    auto [known, inserted] = entries.try_emplace(entry.getLocation(), entry);
    qt::EntryAttr before = known->second;
    if (!inserted && before &&
        (before.getRoles() != entry.getRoles() || before.getLabel() != entry.getLabel() ||
         before.getGemm() != entry.getGemm()))
      known->second = {};
  }
}

/// The operands of products that the codes end up as, through what moves codes.
static SmallVector<OpOperand *> productOperands(qt::QuantizeOp quantizer) {
  SmallVector<OpOperand *> operands;
  SetVector<Value> reached;
  reached.insert(quantizer.getResult());
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      if (isa<qt::MatmulOp>(use.getOwner())) {
        operands.push_back(&use);
        continue;
      }
      // What is requantized is dequantized and turned on the way.
      bool isOnTheWay = isa<qt::DequantizeOp, linalg::TransposeOp>(use.getOwner());
      for (Value result : use.getOwner()->getResults())
        if (isOnTheWay || isa<qt::QTensorType>(result.getType()))
          reached.insert(result);
    }
  // The first product names the operand.
  for (OpOperand *&operand : operands) {
    Operation *op = operand->getOwner(), *first = operands.front()->getOwner();
    if (op->getBlock() == first->getBlock() && op->isBeforeInBlock(first))
      std::swap(operand, operands.front());
  }
  return operands;
}

static std::string operandText(qt::Role role, StringAttr weight) {
  if (!weight)
    return qt::stringifyRole(role).str();
  std::string quoted = ("'" + weight.getValue() + "'").str();
  switch (role) {
  case qt::Role::Weight:
    return "weight " + quoted;
  case qt::Role::Activation:
    return "input of " + quoted;
  case qt::Role::Gradient:
    return "gradient of the output of " + quoted;
  }
  llvm_unreachable("every role has a text");
}

/// The name of the argument that a value is a view of; null if it is of none.
static StringAttr argumentName(qt::SignatureAttr signature, Value value) {
  auto argument = dyn_cast<BlockArgument>(throughViews(value, isFreeViewOrCast));
  if (!signature || !argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      argument.getArgNumber() >= signature.getArguments().size())
    return {};
  return signature.getArguments()[argument.getArgNumber()].getName();
}

std::string QuantizerNames::nameOf(qt::QuantizeOp quantizer) const {
  std::string name;
  SetVector<qt::Gemm> products;
  for (OpOperand *operand : productOperands(quantizer)) {
    qt::EntryAttr entry = entries.lookup(LocationAttr(operand->getOwner()->getLoc()));
    if (!entry || !entry.getRoles() || !entry.getGemm())
      continue;
    bool isLhs = operand->getOperandNumber() == 0;
    if (name.empty()) {
      qt::Role role = isLhs ? entry.getRoles().getLhs() : entry.getRoles().getRhs();
      StringAttr label = entry.getLabel();
      if (StringAttr part = argumentName(signature, quantizer.getInput()); part && role == qt::Role::Weight)
        label = part;
      name = operandText(role, label);
    }
    products.insert(entry.getGemm().getValue());
  }
  SmallVector<qt::Gemm> inOrder = products.takeVector();
  llvm::sort(inOrder);
  for (auto [index, product] : llvm::enumerate(inOrder))
    name += (index == 0 ? " for " : " and ") + qt::stringifyGemm(product).str();
  return name;
}
