// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes contractions by their maps and body, named and generic ops alike.

#include "fp8-opt/Import/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace fp8opt;

StringRef fp8opt::describe(NoProduct reason) {
  switch (reason) {
  case NoProduct::None:
    return "";
  case NoProduct::Packed:
    return "its operands are packed in tiles";
  case NoProduct::ElementType:
    return "its elements are not floats of at most 32 bits or f64";
  case NoProduct::Encoding:
    return "a tensor type has an encoding";
  case NoProduct::Maps:
    return "an indexing map is not a projected permutation";
  case NoProduct::OneSided:
    return "a dimension is in one operand only or in the result only";
  case NoProduct::NoM:
    return "no dimension is in the left operand and the result only (m)";
  case NoProduct::NoN:
    return "no dimension is in the right operand and the result only (n)";
  case NoProduct::NoK:
    return "no dimension is summed over both operands (k)";
  case NoProduct::Body:
    return "its body does more than add a product of its two operands to the sum";
  }
  llvm_unreachable("all reasons are described");
}

Value Contraction::getOperand(unsigned index) const { return op->getOperand(index); }

Value Contraction::getInit() const { return op->getOperand(2); }

Type Contraction::getNarrowestType(unsigned index) const {
  for (Operation *cast : llvm::reverse(casts[index]))
    if (isa<arith::TruncFOp>(cast))
      return cast->getResult(0).getType();
  return getElementTypeOrSelf(getOperand(index));
}

FloatType Contraction::getAccumulatorType() const {
  bool isDouble =
      getNarrowestType(0).isF64() || getNarrowestType(1).isF64() || getElementTypeOrSelf(getInit()).isF64();
  Builder builder(op->getContext());
  return isDouble ? builder.getF64Type() : builder.getF32Type();
}

bool Contraction::isNormal() const {
  linalg::LinalgOp op = this->op; // Interface methods are not const.
  return isProduct() && unit.empty() && isa<linalg::ContractOp>(op.getOperation()) &&
         getElementTypeOrSelf(getInit()) == getAccumulatorType() &&
         getNarrowestType(0) == getElementTypeOrSelf(getLhs()) &&
         getNarrowestType(1) == getElementTypeOrSelf(getRhs()) &&
         op.getIndexingMapsArray() == getNormalMaps(op->getContext(), batch.size());
}

SmallVector<AffineMap, 3> fp8opt::getNormalMaps(MLIRContext *context, unsigned batchDims) {
  SmallVector<unsigned> lhs = llvm::to_vector(llvm::seq(batchDims)), rhs = lhs, result = lhs;
  unsigned m = batchDims, n = m + 1, k = m + 2;
  lhs.append({m, k});
  rhs.append({n, k});
  result.append({m, n});
  auto select = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(k + 1, dims, context);
  };
  return {select(lhs), select(rhs), select(result)};
}

bool fp8opt::isZeroFilled(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, tensor::ExtractSliceOp,
            linalg::TransposeOp>(op)) {
      tensor = op->getOperand(0);
      continue;
    }
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      return matchPattern(fill.getInputs()[0], m_PosZeroFloat());
    return matchPattern(tensor, m_PosZeroFloat());
  }
  return false;
}

// Body.

/// A cast of element values, not of their bits.
static bool isValueCast(Operation *op) {
  return op && isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && isa<CastOpInterface>(op) &&
         !isa<arith::BitcastOp>(op);
}

/// The value that `value` is a cast of; appends the casts passed, the last one first.
static Value stripCasts(Value value, SmallVectorImpl<Operation *> &casts) {
  while (isValueCast(value.getDefiningOp())) {
    casts.push_back(value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  return value;
}

/// Fills casts and product type if `value` is a product of the two inputs of the body.
static bool matchMultiplication(Value value, Block &body, Contraction &contraction) {
  SmallVector<Operation *> afterProduct;
  Operation *product = stripCasts(value, afterProduct).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  std::array<SmallVector<Operation *, 2>, 2> casts;
  std::array<Value, 2> factors;
  for (unsigned i : {0, 1})
    factors[i] = stripCasts(product->getOperand(i), casts[i]);
  bool swapped = factors[0] == body.getArgument(1);
  if (factors[swapped] != body.getArgument(0) || factors[!swapped] != body.getArgument(1))
    return false;
  for (unsigned i : {0, 1})
    contraction.casts[i].assign(casts[i != unsigned(swapped)].rbegin(), casts[i != unsigned(swapped)].rend());
  contraction.productType = product->getResult(0).getType();
  return true;
}

/// Matches `yield cast(addf(cast(out), cast(mulf(cast(a), cast(b)))))` in any operand order. Casts around the
/// sum may only widen `out` and narrow back: then the value carried from step to step has the type of `out`.
static bool matchBody(Contraction &contraction) {
  Block &body = *contraction.op.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != 1)
    return false;
  SmallVector<Operation *> afterSum;
  Operation *sum = stripCasts(yield.getOperand(0), afterSum).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  Value out = body.getArgument(2);
  for (unsigned i : {0, 1}) {
    SmallVector<Operation *> ofOut;
    if (stripCasts(sum->getOperand(i), ofOut) != out ||
        !matchMultiplication(sum->getOperand(1 - i), body, contraction))
      continue;
    return llvm::all_of(afterSum, [](Operation *op) { return isa<arith::TruncFOp, arith::TruncIOp>(op); }) &&
           llvm::all_of(ofOut,
                        [](Operation *op) { return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op); });
  }
  return false;
}

/// Whether the body multiplies elements of two different inputs. A named convolution of integers takes zero
/// points off first.
static bool multipliesInputs(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  auto findInput = [&](Value factor) {
    SmallVector<Operation *> casts;
    Value value = stripCasts(factor, casts);
    if (auto difference = value.getDefiningOp<arith::SubIOp>())
      value = stripCasts(difference.getLhs(), casts);
    auto argument = dyn_cast<BlockArgument>(value);
    bool isInput = argument && argument.getOwner() == &body && argument.getArgNumber() < op.getNumDpsInputs();
    return isInput ? int(argument.getArgNumber()) : -1;
  };
  return llvm::any_of(body.without_terminator(), [&](Operation &each) {
    if (!isa<arith::MulFOp, arith::MulIOp>(each))
      return false;
    int left = findInput(each.getOperand(0)), right = findInput(each.getOperand(1));
    return left >= 0 && right >= 0 && left != right;
  });
}

// Dimensions.

static bool isAccumulable(Type type) {
  return isa<FloatType>(type) && (type.getIntOrFloatBitWidth() <= 32 || type.isF64());
}

/// Sorts the loop dimensions into classes; false if one belongs to none.
static bool classifyDims(Contraction &contraction) {
  SmallVector<AffineMap> maps = contraction.op.getIndexingMapsArray();
  auto isIn = [&](unsigned map, unsigned dim) { return maps[map].isFunctionOfDim(dim); };
  for (unsigned dim = 0; dim != contraction.op.getNumLoops(); ++dim)
    if (isIn(0, dim) + isIn(1, dim) + isIn(2, dim) < 2)
      return false;
  auto append = [&](SmallVectorImpl<unsigned> &dims, unsigned map, bool lhs, bool rhs, bool result) {
    for (unsigned i = 0; i != maps[map].getNumResults(); ++i) {
      unsigned dim = maps[map].getDimPosition(i);
      if (isIn(0, dim) == lhs && isIn(1, dim) == rhs && isIn(2, dim) == result)
        dims.push_back(dim);
    }
  };
  append(contraction.batch, 2, true, true, true);
  append(contraction.m, 0, true, false, true);
  append(contraction.n, 1, false, true, true);
  append(contraction.k, 0, true, true, false);
  auto isOne = [&](unsigned dim) {
    return llvm::all_of(llvm::zip(maps, contraction.op->getOperands()), [&](auto operand) {
      auto [map, value] = operand;
      AffineExpr loop = getAffineDimExpr(dim, map.getContext());
      return cast<ShapedType>(value.getType()).getDimSize(*map.getResultPosition(loop)) == 1;
    });
  };
  llvm::copy_if(contraction.batch, std::back_inserter(contraction.unit), isOne);
  llvm::erase_if(contraction.batch, isOne);
  return true;
}

static NoProduct findReason(Contraction &contraction) {
  if (isa<linalg::Mmt4DOp, linalg::BatchMmt4DOp>(contraction.op.getOperation()))
    return NoProduct::Packed;
  for (unsigned i : {0, 1})
    if (!isAccumulable(contraction.getNarrowestType(i)))
      return NoProduct::ElementType;
  for (Value operand : contraction.op->getOperands()) {
    if (!isAccumulable(getElementTypeOrSelf(operand)))
      return NoProduct::ElementType;
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()); type && type.getEncoding())
      return NoProduct::Encoding;
  }
  for (AffineMap map : contraction.op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return NoProduct::Maps;
  if (!classifyDims(contraction))
    return NoProduct::OneSided;
  if (contraction.m.empty())
    return NoProduct::NoM;
  if (contraction.n.empty())
    return NoProduct::NoN;
  return contraction.k.empty() ? NoProduct::NoK : NoProduct::None;
}

std::optional<Contraction> fp8opt::matchContraction(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || linalgOp.getNumDpsInputs() < 2 ||
      linalgOp.getNumReductionLoops() == 0)
    return std::nullopt;
  Contraction contraction;
  contraction.op = linalgOp;
  if (linalgOp.getNumDpsInputs() == 2 && linalgOp->getNumOperands() == 3 && matchBody(contraction)) {
    contraction.reason = findReason(contraction);
    return contraction;
  }
  if (!multipliesInputs(linalgOp))
    return std::nullopt;
  contraction.casts = {};
  contraction.reason = NoProduct::Body;
  return contraction;
}
