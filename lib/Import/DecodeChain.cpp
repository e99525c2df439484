// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the values that are decoded from codes, in one walk, and reads how.

#include "DecodeChain.h"
#include "BlockScale.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fp8opt;

/// A chain longer than this is no longer followed, so that many readers of one cost what they read.
static constexpr unsigned kLongest = 32;

bool fp8opt::isCodes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element = tensor && !tensor.getEncoding() ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
  return element && element.getWidth() <= 8 && !isa<Float8E8M0FNUType>(element);
}

/// What happens to one input of a body on its way to the result; nothing if that is more than casts and
/// scales.
static std::optional<SmallVector<ScalarStep, 4>> readPath(Block &body, BlockArgument input) {
  SmallVector<ScalarStep, 4> path;
  Value value = input, yielded = body.getTerminator()->getOperand(0);
  while (value != yielded) {
    if (!value.hasOneUse())
      return std::nullopt;
    Operation *user = *value.user_begin();
    auto truncation = dyn_cast<arith::TruncFOp>(user);
    auto division = dyn_cast<arith::DivFOp>(user);
    bool isStep = isa<arith::ExtFOp, arith::MulFOp>(user) || (truncation && !truncation.getRoundingmode()) ||
                  (division && division.getLhs() == value);
    if (!isStep)
      return std::nullopt;
    Value factor;
    if (user->getNumOperands() == 2)
      factor = user->getOperand(user->getOperand(0) == value ? 1 : 0);
    path.push_back({user, factor});
    value = user->getResult(0);
  }
  return path;
}

DecodeChains::DecodeChains(func::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

void DecodeChains::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  // Codes made from decoded numbers begin anew.
  if (!type || !isa<FloatType>(type.getElementType()) || isCodes(type))
    return;
  std::optional<Link> link;
  auto consider = [&](unsigned operand, bool repeats) {
    Value source = op->getOperand(operand);
    auto before = links.find(source);
    unsigned length = 1;
    if (before != links.end()) {
      length += before->second.length;
      repeats |= before->second.repeats;
    }
    if (length <= kLongest && (!link || (link->repeats && !repeats)))
      link = Link{operand, length, repeats};
  };
  if (placesElements(op)) {
    if (isDecoded(op->getOperand(0)))
      consider(0, isa<linalg::BroadcastOp>(op));
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
             linalgOp && linalgOp.hasPureTensorSemantics() &&
             linalgOp.getNumParallelLoops() == linalgOp.getNumLoops()) {
    AffineMap order = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      unsigned number = input->getOperandNumber();
      if (isDecoded(input->get()) && order.isPermutation() &&
          linalgOp.getMatchingIndexingMap(input).isPermutation() &&
          readPath(*linalgOp.getBlock(), linalgOp.getBlock()->getArgument(number)))
        consider(number, false);
    }
  }
  if (link)
    links.try_emplace(result, *link);
}

std::optional<DecodeChain> DecodeChains::find(Value value) const {
  DecodeChain chain;
  while (!isCodes(value.getType())) {
    auto link = links.find(value);
    if (link == links.end())
      return std::nullopt;
    Operation *op = value.getDefiningOp();
    DecodeStep &step = chain.steps.emplace_back(DecodeStep{op, {}, {}});
    if (!placesElements(op)) {
      auto linalgOp = cast<linalg::LinalgOp>(op);
      Block &body = *linalgOp.getBlock();
      step.path = *readPath(body, body.getArgument(link->second.operand));
      AffineMap input = linalgOp.getIndexingMapsArray()[link->second.operand];
      for (AffineExpr loop : linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0)).getResults())
        step.permutation.push_back(*input.getResultPosition(loop));
    }
    value = op->getOperand(link->second.operand);
  }
  std::reverse(chain.steps.begin(), chain.steps.end());
  chain.codes = value;
  return chain;
}
