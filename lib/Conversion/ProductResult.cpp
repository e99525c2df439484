// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for columns that are added to a product, and its one rounding.

#include "ProductResult.h"

#include "fp8-opt/Import/Casts.h"
#include "fp8-opt/Import/Contraction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fp8opt;

/// Whether it is a vector of whole 16 bytes, as kernels copy it, of a number for each of so many columns.
static bool isOfColumns(Value value, int64_t columns) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 1 || ShapedType::isDynamic(columns) || type.getDimSize(0) != columns)
    return false;
  Type element = type.getElementType();
  constexpr int64_t runBits = 128;
  return (element.isF32() || element.isBF16() || element.isF16()) &&
         columns * element.getIntOrFloatBitWidth() % runBits == 0;
}

static bool isParallel(linalg::GenericOp generic, unsigned inputs) {
  return generic.getNumParallelLoops() == generic.getNumLoops() && generic.getNumDpsInputs() == inputs &&
         generic.getNumResults() == 1 &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isIdentity();
}

/// The vector that is read for the columns of a matrix, whose rows may be of several dimensions.
static Value vectorOf(linalg::GenericOp generic, unsigned input) {
  OpOperand *operand = generic.getDpsInputOperand(input);
  AffineMap map = generic.getMatchingIndexingMap(operand);
  bool isOfLast = map.getNumResults() == 1 &&
                  map.getResult(0) == getAffineDimExpr(map.getNumDims() - 1, generic.getContext());
  return isOfLast ? operand->get() : Value();
}

/// Whether a number of a body is an argument of it, or one as f32.
static bool isNumber(Value value, BlockArgument argument) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    value = wide.getIn();
  return value == argument;
}

/// Whether of the dimensions of a matrix, the rows alone become several, or become of several.
static bool keepsColumns(ArrayRef<ReassociationIndices> groups) {
  return groups.size() == 2 && groups.back().size() == 1;
}

/// The vector whose numbers are all that an addend has; null if it has others.
static Value findBroadcast(Value addend, int64_t columns) {
  if (auto rows = addend.getDefiningOp<tensor::CollapseShapeOp>();
      rows && keepsColumns(rows.getReassociationIndices()))
    addend = rows.getSrc();
  Value vector;
  if (auto broadcast = addend.getDefiningOp<linalg::BroadcastOp>()) {
    if (llvm::equal(broadcast.getDimensions(),
                    llvm::seq<int64_t>(0, broadcast.getInit().getType().getRank() - 1)))
      vector = broadcast.getInput();
  } else if (auto generic = addend.getDefiningOp<linalg::GenericOp>(); generic && isParallel(generic, 1)) {
    Block *body = generic.getBody();
    if (isNumber(body->getTerminator()->getOperand(0), body->getArgument(0)))
      vector = vectorOf(generic, 0);
  }
  return vector && isOfColumns(vector, columns) ? vector : Value();
}

/// What a body adds, in f32, and rounds at once if it does; null if it does anything else.
static arith::AddFOp sumOf(Block &body) {
  Value result = body.getTerminator()->getOperand(0);
  auto rounding = result.getDefiningOp<arith::TruncFOp>();
  if (rounding && !rounding.getRoundingmode() && (rounding.getType().isBF16() || rounding.getType().isF16()))
    result = rounding.getIn();
  auto sum = result.getDefiningOp<arith::AddFOp>();
  return sum && sum.getType().isF32() ? sum : arith::AddFOp();
}

/// The op that adds a vector to a product for all that reads it, and the vector.
static std::pair<linalg::GenericOp, Value> findSum(Value product, int64_t columns) {
  auto generic =
      product.hasOneUse() ? dyn_cast<linalg::GenericOp>(*product.user_begin()) : linalg::GenericOp();
  if (!generic || !isParallel(generic, 2))
    return {};
  Block *body = generic.getBody();
  arith::AddFOp sum = sumOf(*body);
  if (!sum)
    return {};
  for (unsigned number : {0, 1}) {
    OpOperand *operand = generic.getDpsInputOperand(number);
    BlockArgument ofProduct = body->getArgument(number), ofVector = body->getArgument(1 - number);
    Value vector = vectorOf(generic, 1 - number);
    if (operand->get() != product || !generic.getMatchingIndexingMap(operand).isIdentity() || !vector ||
        !isOfColumns(vector, columns))
      continue;
    if ((sum.getLhs() == ofProduct && isNumber(sum.getRhs(), ofVector)) ||
        (sum.getRhs() == ofProduct && isNumber(sum.getLhs(), ofVector)))
      return {generic, vector};
  }
  return {};
}

ProductResult fp8opt::ownResult(qt::MatmulOp matmul) {
  // Zeros of dynamic size stand in a graph so that the reference finds sizes that contradict each other.
  Value addend = matmul.getAddend();
  return {matmul.getResult(), addend && isZeroFilled(addend) ? Value() : addend, /*bias=*/Value(),
          /*rows=*/{}};
}

ProductResult fp8opt::findResult(qt::MatmulOp matmul) {
  ProductResult found = ownResult(matmul);
  RankedTensorType type = matmul.getType();
  // A vector for each matrix of a batch is not looked for.
  if (type.getRank() != 2)
    return found;
  if (found.addend) {
    found.bias = findBroadcast(found.addend, type.getDimSize(1));
    if (found.bias)
      found.addend = {};
    return found;
  }
  bool isReadElsewhere = llvm::any_of(matmul.getAmaxes(), [](Value amax) { return !amax.use_empty(); });
  if (isReadElsewhere || !type.getElementType().isF32())
    return found;
  Value product = found.value;
  auto rows =
      product.hasOneUse() ? dyn_cast<tensor::ExpandShapeOp>(*product.user_begin()) : tensor::ExpandShapeOp();
  if (rows && keepsColumns(rows.getReassociationIndices()))
    product = rows.getResult();
  else
    rows = {};
  if (auto [sum, vector] = findSum(product, type.getDimSize(1)); sum) {
    found.rows = rows;
    found.value = sum.getResult(0);
    found.bias = vector;
    if (Operation *rounding = onlyRounding(found.value))
      found.value = rounding->getResult(0);
  }
  return found;
}
