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

/// Makes a quantizer write one of its results as the input lies.
static bool writeUntransposed(qt::MultiQuantizeOp op) {
  Builder builder(op.getContext());
  for (unsigned result = 0; result < op.getNumResults(); ++result) {
    SmallVector<int64_t> identity = llvm::to_vector(llvm::seq<int64_t>(0, op.getInput().getType().getRank()));
    if (op.getPermutation(result) == identity || op.getUnpermutedType(result) != op.getType(result))
      continue;
    SmallVector<Attribute> permutations(op.getPermutations().begin(), op.getPermutations().end());
    permutations[result] = builder.getI64ArrayAttr(identity);
    op.setPermutationsAttr(builder.getArrayAttr(permutations));
    return true;
  }
  return false;
}

static bool readUntransposed(Operation *main) {
  return main
      ->walk([&](Operation *op) {
        auto transpose = dyn_cast<qt::TransposeOp>(op);
        if (transpose && transpose.getType() == transpose.getInput().getType()) {
          transpose.getResult().replaceAllUsesWith(transpose.getInput());
          return WalkResult::interrupt();
        }
        auto quantizer = dyn_cast<qt::MultiQuantizeOp>(op);
        return WalkResult(quantizer && writeUntransposed(quantizer) ? WalkResult::interrupt()
                                                                    : WalkResult::advance());
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
