// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewritings that are wrong on purpose.

#include "Mutations.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace fp8opt;

static bool share(Operation *main) {
  SmallVector<qt::QuantizeOp> seen;
  return main
      ->walk([&](qt::QuantizeOp second) {
        for (qt::QuantizeOp first : seen)
          if (first.getType() == second.getType() && first.getInput() != second.getInput() &&
              first->getBlock() == second->getBlock()) {
            second.getResult().replaceAllUsesWith(first.getResult());
            return WalkResult::interrupt();
          }
        seen.push_back(second);
        return WalkResult::advance();
      })
      .wasInterrupted();
}

static bool readUntransposed(Operation *main) {
  return main
      ->walk([&](qt::TransposeOp op) {
        if (op.getType() != op.getInput().getType())
          return WalkResult::advance();
        op.getResult().replaceAllUsesWith(op.getInput());
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

static bool swapFactors(Operation *main) {
  return main
      ->walk([&](qt::MatmulOp op) {
        if (op.getLhs() == op.getRhs() || op.getLhs().getType() != op.getRhs().getType())
          return WalkResult::advance();
        Value lhs = op.getLhs();
        op.getLhsMutable().assign(op.getRhs());
        op.getRhsMutable().assign(lhs);
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

static bool swapOperands(Operation *main) {
  return main
      ->walk([&](Operation *op) {
        if (!isa<arith::SubFOp, arith::DivFOp>(op) || op->getOperand(0) == op->getOperand(1))
          return WalkResult::advance();
        op->setOperands({op->getOperand(1), op->getOperand(0)});
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool fp8opt::random::mutate(ModuleOp module, Mutation mutation) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  switch (mutation) {
  case Mutation::None:
    return false;
  case Mutation::Share:
    return share(main);
  case Mutation::Transpose:
    return readUntransposed(main);
  case Mutation::Swap:
    return swapFactors(main);
  case Mutation::Operands:
    return swapOperands(main);
  }
  llvm_unreachable("unknown mutation");
}

std::optional<random::Mutation> fp8opt::random::mutationNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Mutation>>(name)
      .Case("none", Mutation::None)
      .Case("share", Mutation::Share)
      .Case("transpose", Mutation::Transpose)
      .Case("swap", Mutation::Swap)
      .Case("operands", Mutation::Operands)
      .Default(std::nullopt);
}
