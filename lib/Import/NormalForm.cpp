// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites one matrix product into linalg.contract over (batch..., m, n, k) with a wide accumulator.

#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fp8opt;

namespace {

/// Loop dimensions in memory order, in groups; each group becomes one dimension.
using Groups = SmallVector<SmallVector<unsigned>>;

class Normalizer {
public:
  Normalizer(RewriterBase &rewriter, const Contraction &contraction)
      : rewriter(rewriter), contraction(contraction), loc(contraction.op->getLoc()),
        maps(linalg::LinalgOp(contraction.op).getIndexingMapsArray()) {}

  linalg::ContractOp run();

private:
  void dropUnits();
  Value restoreUnits(Value result);
  void undoCollapses(Value expanded, Value source);
  Groups getGroups(ArrayRef<unsigned> rows, ArrayRef<unsigned> columns) const;
  SmallVector<int64_t> getPermutation(const Groups &groups, unsigned map) const;
  Value getDim(Value tensor, int64_t dim);
  Value transpose(Value tensor, ArrayRef<int64_t> permutation);
  Value arrange(Value tensor, const Groups &groups, unsigned map);
  Value castElements(Value tensor, Type elementType, ArrayRef<Operation *> casts);
  Value narrow(Value tensor, unsigned index);
  Value createInit(Value lhs, Value rhs, const Groups &groups);
  Value expand(Value product, const Groups &groups);
  void replace(Value product, const Groups &groups);
  void undoTransposes(Operation *transposed, ArrayRef<int64_t> permutation);
  void noteLeftover(Value value);
  void eraseUnused();

  RewriterBase &rewriter;
  const Contraction &contraction;
  Location loc;
  /// Of the operands below.
  SmallVector<AffineMap> maps;
  /// Both factors and what they are added to, without batches of one.
  SmallVector<Value> operands;
  /// Ops that have lost a reader.
  SmallVector<Operation *> leftovers;
};

} // namespace

static SmallVector<ReassociationIndices> getReassociation(const Groups &groups) {
  SmallVector<ReassociationIndices> reassociation;
  int64_t dim = 0;
  for (ArrayRef<unsigned> group : groups) {
    reassociation.emplace_back();
    for (unsigned i = 0; i != group.size(); ++i)
      reassociation.back().push_back(dim++);
  }
  return reassociation;
}

static bool hasSingleDims(const Groups &groups) {
  return llvm::all_of(groups, [](ArrayRef<unsigned> group) { return group.size() == 1; });
}

/// Where the units stand in the tensor of `map`, collapsed into what follows them, or precedes if nothing
/// does.
static SmallVector<ReassociationIndices> groupsOfUnits(AffineMap map, ArrayRef<unsigned> unit) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (int64_t position : llvm::seq<int64_t>(0, map.getNumResults())) {
    pending.push_back(position);
    if (!llvm::is_contained(unit, map.getDimPosition(position)))
      groups.push_back(std::exchange(pending, {}));
  }
  llvm::append_range(groups.back(), pending);
  return groups;
}

void Normalizer::dropUnits() {
  operands = llvm::to_vector(contraction.op->getOperands());
  if (contraction.unit.empty())
    return;
  for (unsigned index : {0, 1, 2}) {
    AffineMap &map = maps[index];
    operands[index] = rewriter.createOrFold<tensor::CollapseShapeOp>(loc, operands[index],
                                                                     groupsOfUnits(map, contraction.unit));
    map = map.dropResults(llvm::map_to_vector(contraction.unit, [&](unsigned dim) -> int64_t {
      return *map.getResultPosition(rewriter.getAffineDimExpr(dim));
    }));
  }
}

Value Normalizer::restoreUnits(Value result) {
  if (contraction.unit.empty())
    return result;
  AffineMap map = linalg::LinalgOp(contraction.op).getIndexingMapsArray()[2];
  auto type = cast<RankedTensorType>(contraction.getInit().getType());
  return tensor::ExpandShapeOp::create(rewriter, loc, type, result, groupsOfUnits(map, contraction.unit));
}

Groups Normalizer::getGroups(ArrayRef<unsigned> rows, ArrayRef<unsigned> columns) const {
  Groups groups;
  for (unsigned dim : contraction.batch)
    groups.push_back({dim});
  groups.emplace_back(rows);
  groups.emplace_back(columns);
  return groups;
}

/// Where in the tensor of `map` each dimension of the groups stands.
SmallVector<int64_t> Normalizer::getPermutation(const Groups &groups, unsigned map) const {
  SmallVector<int64_t> permutation;
  for (ArrayRef<unsigned> group : groups)
    for (unsigned dim : group)
      permutation.push_back(*maps[map].getResultPosition(rewriter.getAffineDimExpr(dim)));
  return permutation;
}

Value Normalizer::getDim(Value tensor, int64_t dim) {
  return rewriter.createOrFold<tensor::DimOp>(loc, tensor, dim);
}

Value Normalizer::transpose(Value tensor, ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return tensor;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, getElementTypeOrSelf(tensor));
  return linalg::TransposeOp::create(rewriter, loc, tensor, empty, permutation)->getResult(0);
}

/// Lays `tensor`, which `map` reads, out as `groups`: one transpose at most, of the first source behind
/// transposes.
Value Normalizer::arrange(Value tensor, const Groups &groups, unsigned map) {
  SmallVector<int64_t> permutation = getPermutation(groups, map), fromSource = permutation;
  Value source = tensor;
  while (auto op = source.getDefiningOp<linalg::TransposeOp>()) {
    for (int64_t &dim : fromSource)
      dim = op.getPermutation()[dim];
    source = op.getInput();
  }
  if (!isIdentityPermutation(permutation) || isIdentityPermutation(fromSource))
    tensor = transpose(source, fromSource);
  if (hasSingleDims(groups))
    return tensor;
  return rewriter.createOrFold<tensor::CollapseShapeOp>(loc, tensor, getReassociation(groups));
}

/// An elementwise op that applies copies of `casts` in order, or, if there are none, the one cast to
/// `elementType`.
Value Normalizer::castElements(Value tensor, Type elementType, ArrayRef<Operation *> casts) {
  auto castElement = [&](OpBuilder &builder, Location loc, ValueRange values) -> Value {
    Value value = values[0];
    for (Operation *op : casts) {
      IRMapping mapping;
      mapping.map(op->getOperand(0), value);
      value = builder.clone(*op, mapping)->getResult(0);
    }
    if (casts.empty() && value.getType().getIntOrFloatBitWidth() < elementType.getIntOrFloatBitWidth())
      value = arith::ExtFOp::create(builder, loc, elementType, value);
    else if (casts.empty())
      value = arith::TruncFOp::create(builder, loc, elementType, value);
    return value;
  };
  return emitElementwise(rewriter, loc, tensor, elementType, castElement);
}

/// Keeps a rounding that the body did before it multiplied. Casts after the last one that narrows are exact
/// and the contraction does them itself.
Value Normalizer::narrow(Value tensor, unsigned index) {
  ArrayRef<Operation *> casts = contraction.casts[index];
  while (!casts.empty() && !isa<arith::TruncFOp>(casts.back()))
    casts = casts.drop_back();
  return casts.empty() ? tensor : castElements(tensor, contraction.getNarrowestType(index), casts);
}

Value Normalizer::createInit(Value lhs, Value rhs, const Groups &groups) {
  FloatType accumulator = contraction.getAccumulatorType();
  auto initType = cast<RankedTensorType>(operands[2].getType());
  SmallVector<int64_t> shape;
  for (ArrayRef<unsigned> group : groups) {
    int64_t size = 1;
    for (unsigned dim : group) {
      int64_t extent = initType.getDimSize(*maps[2].getResultPosition(rewriter.getAffineDimExpr(dim)));
      size =
          ShapedType::isDynamic(size) || ShapedType::isDynamic(extent) ? ShapedType::kDynamic : size * extent;
    }
    shape.push_back(size);
  }
  auto type = RankedTensorType::get(shape, accumulator);
  if (!isZeroFilled(operands[2])) {
    Value init = arrange(operands[2], groups, /*map=*/2);
    return init.getType() == type ? init : castElements(init, accumulator, {});
  }
  // A dynamic type is the same for two orders of its dimensions, whose sizes differ.
  bool hasSameLayout = type.hasStaticShape() || isIdentityPermutation(getPermutation(groups, /*map=*/2));
  if (operands[2].getDefiningOp<linalg::FillOp>() && initType == type && hasSameLayout)
    return operands[2];
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0, columns = shape.size() - 1; dim <= columns; ++dim)
    if (ShapedType::isDynamic(shape[dim]))
      dynamicSizes.push_back(dim == columns ? getDim(rhs, dim - 1) : getDim(lhs, dim));
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(accumulator));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type, dynamicSizes);
  return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
}

/// Gives the product its several m and n dimensions back.
Value Normalizer::expand(Value product, const Groups &groups) {
  if (hasSingleDims(groups))
    return product;
  auto resultType = cast<RankedTensorType>(operands[2].getType());
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  for (auto [position, dim] :
       llvm::zip_equal(getPermutation(groups, 2),
                       llvm::concat<const unsigned>(contraction.batch, contraction.m, contraction.n))) {
    shape.push_back(resultType.getDimSize(position));
    std::optional<unsigned> inLhs = maps[0].getResultPosition(rewriter.getAffineDimExpr(dim));
    std::optional<unsigned> inRhs = maps[1].getResultPosition(rewriter.getAffineDimExpr(dim));
    if (!ShapedType::isDynamic(shape.back()))
      sizes.push_back(rewriter.getIndexAttr(shape.back()));
    else
      sizes.push_back(inLhs ? getDim(operands[0], *inLhs) : getDim(operands[1], *inRhs));
  }
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(product));
  return tensor::ExpandShapeOp::create(rewriter, loc, type, product, getReassociation(groups), sizes);
}

/// Transposes that read the result of `transposed` read its source instead; those that undo it disappear.
void Normalizer::undoTransposes(Operation *transposed, ArrayRef<int64_t> permutation) {
  Value source = transposed->getOperand(0);
  for (Operation *user : llvm::make_early_inc_range(transposed->getUsers())) {
    auto again = dyn_cast<linalg::TransposeOp>(user);
    if (!again || again.getInput() != transposed->getResult(0))
      continue;
    SmallVector<int64_t> fromSource;
    for (int64_t dim : again.getPermutation())
      fromSource.push_back(permutation[dim]);
    Value init = again.getInit();
    if (isIdentityPermutation(fromSource) && again->getResult(0).getType() == source.getType())
      rewriter.replaceOp(again, source);
    else
      rewriter.modifyOpInPlace(again, [&] {
        again.getInputMutable().assign(source);
        again.setPermutation(fromSource);
      });
    noteLeftover(init);
  }
}

/// What only drops again the dimensions that an expansion has added reads its source.
void Normalizer::undoCollapses(Value expanded, Value source) {
  for (Operation *user : llvm::make_early_inc_range(expanded.getUsers()))
    if (isa<tensor::CollapseShapeOp>(user) && user->getResult(0).getType() == source.getType()) {
      SmallVector<OpFoldResult> folded;
      if (succeeded(user->fold(folded)) && folded.size() == 1 && dyn_cast<Value>(folded[0]) == source)
        rewriter.replaceOp(user, source);
    }
}

void Normalizer::replace(Value product, const Groups &groups) {
  Type resultElement = getElementTypeOrSelf(operands[2]);
  if (getElementTypeOrSelf(product) != resultElement)
    product = castElements(product, resultElement, {});
  product = expand(product, groups);
  SmallVector<int64_t> permutation = invertPermutationVector(getPermutation(groups, 2));
  Value result = transpose(product, permutation), restored = restoreUnits(result);
  llvm::for_each(contraction.op->getOperands(), [&](Value operand) { noteLeftover(operand); });
  llvm::for_each(operands, [&](Value operand) { noteLeftover(operand); });
  rewriter.replaceOp(contraction.op, restored);
  if (restored != result) {
    undoCollapses(restored, result);
    noteLeftover(restored);
  } else if (result != product) {
    undoTransposes(result.getDefiningOp(), permutation);
    noteLeftover(result);
  }
  eraseUnused();
}

void Normalizer::noteLeftover(Value value) {
  if (Operation *op = value.getDefiningOp())
    leftovers.push_back(op);
}

/// Erases what the rewrite has left without a reader: views, fills, and what only they have read.
void Normalizer::eraseUnused() {
  // An op may stand in the list several times: it is looked up before it is looked at.
  llvm::SmallPtrSet<Operation *, 8> erased;
  while (!leftovers.empty()) {
    Operation *op = leftovers.pop_back_val();
    if (erased.contains(op) || !isOpTriviallyDead(op) ||
        !isa<linalg::FillOp, linalg::TransposeOp, tensor::EmptyOp, tensor::DimOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, arith::ConstantOp>(op))
      continue;
    llvm::for_each(op->getOperands(), [&](Value operand) { noteLeftover(operand); });
    erased.insert(op);
    rewriter.eraseOp(op);
  }
}

linalg::ContractOp Normalizer::run() {
  rewriter.setInsertionPoint(contraction.op);
  dropUnits();
  Groups resultGroups = getGroups(contraction.m, contraction.n);
  Value lhs = narrow(arrange(operands[0], getGroups(contraction.m, contraction.k), 0), 0);
  Value rhs = narrow(arrange(operands[1], getGroups(contraction.n, contraction.k), 1), 1);
  Value init = createInit(lhs, rhs, resultGroups);
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : contraction.op->getDiscardableAttrs())
    if (attribute.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      attributes.push_back(attribute);
  ArrayAttr normalMaps =
      rewriter.getAffineMapArrayAttr(getNormalMaps(rewriter.getContext(), contraction.batch.size()));
  auto contract = linalg::ContractOp::create(rewriter, loc, TypeRange(init.getType()), ValueRange{lhs, rhs},
                                             init, normalMaps, attributes);
  replace(contract->getResult(0), resultGroups);
  return contract;
}

linalg::ContractOp fp8opt::normalizeContraction(RewriterBase &rewriter, const Contraction &contraction) {
  assert(contraction.isProduct() && "only a matrix product has a normal form");
  if (contraction.isNormal())
    return cast<linalg::ContractOp>(*contraction.op);
  OpBuilder::InsertionGuard guard(rewriter);
  return Normalizer(rewriter, contraction).run();
}
