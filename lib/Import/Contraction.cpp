// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes contractions by their maps and body, named and generic ops alike.

#include "fp8-opt/Import/Contraction.h"
#include "fp8-opt/Import/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
  case NoProduct::Encoding:
    return "a tensor type has an encoding";
  case NoProduct::Maps:
    return "an indexing map is not a projected permutation";
  case NoProduct::OneSided:
    return "a dimension is in one operand only or in the result only";
  case NoProduct::NoM:
    return "it has no m dimension";
  case NoProduct::NoN:
    return "it has no n dimension";
  case NoProduct::NoK:
    return "it has no k dimension";
  case NoProduct::ElementType:
    return "its elements are not floats of at most 32 bits or f64";
  case NoProduct::Fused:
    return "its body adds products unrounded (math.fma), which no matrix product of these types does";
  case NoProduct::Body:
    return "its body is not the sum of products of two operands";
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
  tensor = throughViews(tensor, isFreeViewOrCast);
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_PosZeroFloat());
  return matchPattern(tensor, m_PosZeroFloat());
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

/// Fills casts and product type if the first two operands of `product` are the two inputs of the body.
static bool matchFactors(Operation *product, Block &body, Contraction &contraction) {
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

/// The same of the product that `value` is, up to casts.
static bool matchMultiplication(Value value, Block &body, Contraction &contraction) {
  SmallVector<Operation *> afterProduct;
  Operation *product = stripCasts(value, afterProduct).getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp, arith::AndIOp, complex::MulOp>(product) &&
         matchFactors(product, body, contraction);
}

/// Matches `yield cast(addf(cast(out), cast(mulf(cast(a), cast(b)))))` in any operand order, and `math.fma`
/// in place of both. Casts around the sum may only widen `out` and narrow back: then the value carried from
/// step to step has the type of `out`.
static bool matchBody(Contraction &contraction) {
  Block &body = *contraction.op.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != 1)
    return false;
  SmallVector<Operation *> afterSum;
  Operation *sum = stripCasts(yield.getOperand(0), afterSum).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::OrIOp, complex::AddOp, math::FmaOp>(sum))
    return false;
  contraction.isFused = isa<math::FmaOp>(sum);
  Value out = body.getArgument(2);
  auto carries = [&](Value addend) {
    SmallVector<Operation *> ofOut;
    return stripCasts(addend, ofOut) == out &&
           llvm::all_of(afterSum, [](Operation *op) { return isa<arith::TruncFOp, arith::TruncIOp>(op); }) &&
           llvm::all_of(ofOut,
                        [](Operation *op) { return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op); });
  };
  if (contraction.isFused)
    return carries(sum->getOperand(2)) && matchFactors(sum, body, contraction);
  return llvm::any_of(llvm::seq(2), [&](int i) {
    return carries(sum->getOperand(i)) && matchMultiplication(sum->getOperand(1 - i), body, contraction);
  });
}

// Dimensions.

/// Sorts the loop dimensions into classes, by two inputs and the first result; false if one belongs to none.
static bool classifyDims(Contraction &contraction, unsigned lhs = 0, unsigned rhs = 1) {
  std::array<unsigned, 3> operands = {lhs, rhs, unsigned(contraction.op.getNumDpsInputs())};
  SmallVector<AffineMap> all = contraction.op.getIndexingMapsArray();
  auto maps = llvm::map_to_vector(operands, [&](unsigned operand) { return all[operand]; });
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
    return llvm::all_of(llvm::zip(maps, operands), [&](auto each) {
      auto [map, operand] = each;
      AffineExpr loop = getAffineDimExpr(dim, map.getContext());
      auto type = cast<ShapedType>(contraction.op->getOperand(operand).getType());
      return type.getDimSize(*map.getResultPosition(loop)) == 1;
    });
  };
  llvm::copy_if(contraction.batch, std::back_inserter(contraction.unit), isOne);
  llvm::erase_if(contraction.batch, isOne);
  return true;
}

static bool isAccumulable(Type type) {
  return isa<FloatType>(type) && (type.getIntOrFloatBitWidth() <= 32 || type.isF64());
}

Type Contraction::getUnreadType() const {
  SmallVector<Type> types = {getElementTypeOrSelf(getLhs()),  getNarrowestType(0),
                             getElementTypeOrSelf(getRhs()),  getNarrowestType(1),
                             getElementTypeOrSelf(getInit()), productType};
  const auto *unread = llvm::find_if_not(types, isAccumulable);
  return unread == types.end() ? Type() : *unread;
}

/// Whether the accumulator holds the products of all elements of the operands, without a rounding. Where the
/// body carries its sum in a narrower type, it gets other roundings anyway, and the range does not matter.
static bool holdsProducts(const Contraction &contraction) {
  using llvm::APFloat;
  int precision = 0, largest = 1, smallest = 0;
  for (unsigned index : {0, 1}) {
    const auto &factor = cast<FloatType>(contraction.getNarrowestType(index)).getFloatSemantics();
    int digits = APFloat::semanticsPrecision(factor);
    precision += digits;
    largest += APFloat::semanticsMaxExponent(factor);
    smallest += APFloat::semanticsMinExponent(factor) - digits + 1;
  }
  FloatType type = contraction.getAccumulatorType();
  const llvm::fltSemantics &sum = type.getFloatSemantics();
  int digits = APFloat::semanticsPrecision(sum);
  if (precision > digits)
    return false;
  return getElementTypeOrSelf(contraction.getInit()) != type ||
         (largest <= APFloat::semanticsMaxExponent(sum) &&
          smallest >= APFloat::semanticsMinExponent(sum) - digits + 1);
}

static NoProduct findReason(Contraction &contraction) {
  if (isa<linalg::Mmt4DOp, linalg::BatchMmt4DOp>(contraction.op.getOperation()))
    return NoProduct::Packed;
  for (Value operand : contraction.op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()); type && type.getEncoding())
      return NoProduct::Encoding;
  for (AffineMap map : contraction.op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return NoProduct::Maps;
  if (!classifyDims(contraction))
    return NoProduct::OneSided;
  if (contraction.m.empty())
    return NoProduct::NoM;
  if (contraction.n.empty())
    return NoProduct::NoN;
  if (contraction.k.empty())
    return NoProduct::NoK;
  if (contraction.getUnreadType())
    return NoProduct::ElementType;
  // To an integer and back is more than a cast.
  for (Operation *cast : llvm::concat<Operation *const>(contraction.casts[0], contraction.casts[1]))
    if (!isa<arith::ExtFOp, arith::TruncFOp>(cast))
      return NoProduct::Body;
  return contraction.isFused && !holdsProducts(contraction) ? NoProduct::Fused : NoProduct::None;
}

// Bodies of another kind.

/// Whether the body multiplies two different elements that it reads: of inputs, or by tensor.extract. A named
/// convolution of integers takes zero points off first.
static bool multipliesElements(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  auto findElement = [&](Value factor) {
    SmallVector<Operation *> casts;
    Value value = stripCasts(factor, casts);
    if (auto difference = value.getDefiningOp<arith::SubIOp>())
      value = stripCasts(difference.getLhs(), casts);
    auto argument = dyn_cast<BlockArgument>(value);
    bool isInput = argument && argument.getOwner() == &body && argument.getArgNumber() < op.getNumDpsInputs();
    return isInput || value.getDefiningOp<tensor::ExtractOp>() ? value : Value();
  };
  return llvm::any_of(body.without_terminator(), [&](Operation &each) {
    if (!isa<arith::MulFOp, arith::MulIOp>(each) || each.getResult(0).getType().isIndex())
      return false;
    Value left = findElement(each.getOperand(0)), right = findElement(each.getOperand(1));
    return left && right && left != right;
  });
}

/// What some values of the body are computed from.
static llvm::SmallSetVector<Value, 16> findSources(ArrayRef<Value> values, Block &body) {
  llvm::SmallSetVector<Value, 16> sources(llvm::from_range, values);
  for (size_t i = 0; i != sources.size(); ++i)
    if (Operation *op = sources[i].getDefiningOp(); op && op->getBlock() == &body)
      sources.insert_range(op->getOperands());
  return sources;
}

/// The inputs of which the body computes what it adds to an output, or takes from it.
static SmallVector<unsigned> findAddedInputs(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  unsigned numInputs = op.getNumDpsInputs();
  auto dependsOnOutput = [&](Value value) {
    return llvm::any_of(findSources(value, body), [&](Value source) {
      return llvm::is_contained(body.getArguments().drop_front(numInputs), source);
    });
  };
  SmallVector<Value> added;
  for (Operation &sum : body.without_terminator()) {
    if (!isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(sum))
      continue;
    SmallVector<Value> addends(sum.getOperands());
    if (auto *carried = llvm::find_if(addends, dependsOnOutput); carried != addends.end()) {
      addends.erase(carried);
      llvm::append_range(added, addends);
    }
  }
  auto sources = findSources(added, body);
  SmallVector<unsigned> inputs;
  for (BlockArgument input : body.getArguments().take_front(numInputs))
    if (sources.contains(input))
      inputs.push_back(input.getArgNumber());
  return inputs;
}

/// Whether the body adds to its output what depends on two inputs, one at least of floats, that have an m, an
/// n and a k: a matrix product, but for what is added. Fills the classes.
static bool addsLikeProduct(Contraction &contraction) {
  linalg::LinalgOp op = contraction.op;
  auto isFloat = [&](unsigned operand) {
    return isa<FloatType>(getElementTypeOrSelf(op->getOperand(operand)));
  };
  SmallVector<unsigned> inputs = findAddedInputs(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isPermuted = [&](unsigned operand) { return maps[operand].isProjectedPermutation(); };
  for (auto [position, lhs] : llvm::enumerate(inputs))
    for (unsigned rhs : ArrayRef(inputs).drop_front(position + 1)) {
      Contraction candidate;
      candidate.op = op;
      if ((!isFloat(lhs) && !isFloat(rhs)) || !isPermuted(lhs) || !isPermuted(rhs) ||
          !isPermuted(op.getNumDpsInputs()) || !classifyDims(candidate, lhs, rhs) ||
          !candidate.hasProductDims())
        continue;
      contraction = candidate;
      return true;
    }
  return false;
}

std::optional<Contraction> fp8opt::matchContraction(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || linalgOp.getNumReductionLoops() == 0)
    return std::nullopt;
  Contraction contraction;
  contraction.op = linalgOp;
  if (linalgOp.getNumDpsInputs() == 2 && linalgOp->getNumOperands() == 3 && matchBody(contraction)) {
    contraction.reason = findReason(contraction);
    return contraction;
  }
  Contraction other;
  other.op = linalgOp;
  if (!addsLikeProduct(other) && !multipliesElements(linalgOp))
    return std::nullopt;
  other.reason = NoProduct::Body;
  return other;
}
