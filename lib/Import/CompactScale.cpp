// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what a scale was before it was broadcast, and multiplies scales.

#include "BlockScale.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fp8opt;

/// Every element for itself.
static BlockScale elementwise(Value tensor) {
  SmallVector<int64_t> block;
  for (int64_t size : cast<RankedTensorType>(tensor.getType()).getShape())
    block.push_back(size == 1 ? kWhole : 1);
  return {tensor, block};
}

/// The block that both are constant on; nothing if only one of several elements would do.
static std::optional<int64_t> meet(int64_t a, int64_t b) {
  if (a == kWhole || b == kWhole || a == b)
    return a == kWhole ? b : a;
  return std::nullopt;
}

/// The scale without its dimensions of size one, so that it can stand beside others that have more of it.
static Value dropWhole(OpBuilder &builder, Location loc, const BlockScale &scale) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [dim, block] : llvm::enumerate(scale.block)) {
    bool isWhole = block == kWhole;
    if (!isWhole)
      groups.push_back(std::exchange(leading, {}));
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  if (groups.size() == scale.block.size())
    return scale.value;
  return builder.createOrFold<tensor::CollapseShapeOp>(loc, scale.value, groups);
}

/// Widens a float; scales keep the narrowest type that they had.
static Value widen(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::ExtFOp::create(builder, loc, type, value).getResult();
}

namespace {
/// Scales that an elementwise op reads, each constant on the blocks of a grid over the op's loops.
struct ScaleGrid {
  ScaleGrid(AffineMap order) : block(order.getNumDims(), kWhole), order(order) {}

  /// Adds a scale that the loops index by `map`; fails where its blocks and those of the grid differ.
  LogicalResult add(const BlockScale &scale, AffineMap map);
  /// Writes the op over the grid.
  Value write(OpBuilder &builder, Location loc, Type element,
              function_ref<Value(OpBuilder &, ValueRange)> compute) const;

  SmallVector<BlockScale> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> block; // along each loop
  AffineMap order;            // of the result, which has one dimension a loop
};
} // namespace

LogicalResult ScaleGrid::add(const BlockScale &scale, AffineMap map) {
  for (auto [expr, scaleBlock] : llvm::zip_equal(map.getResults(), scale.block)) {
    if (isa<AffineConstantExpr>(expr)) { // a dimension of one, as some exporters broadcast it
      if (scaleBlock != kWhole)
        return failure();
      continue;
    }
    int64_t &loop = block[cast<AffineDimExpr>(expr).getPosition()];
    std::optional<int64_t> met = meet(loop, scaleBlock);
    if (!met)
      return failure();
    loop = *met;
  }
  inputs.push_back(scale);
  maps.push_back(map);
  return success();
}

Value ScaleGrid::write(OpBuilder &builder, Location loc, Type element,
                       function_ref<Value(OpBuilder &, ValueRange)> compute) const {
  SmallVector<OpFoldResult> extents(block.size(), builder.getIndexAttr(1));
  SmallVector<AffineMap> indexing;
  SmallVector<Value> values;
  for (auto [input, map] : llvm::zip_equal(inputs, maps)) {
    SmallVector<AffineExpr> kept;
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (input.block[i] != kWhole) {
        kept.push_back(expr);
        extents[cast<AffineDimExpr>(expr).getPosition()] = tensor::getMixedSize(builder, loc, input.value, i);
      }
    values.push_back(dropWhole(builder, loc, input));
    indexing.push_back(AffineMap::get(block.size(), 0, kept, builder.getContext()));
  }
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr expr : order.getResults())
    sizes.push_back(extents[cast<AffineDimExpr>(expr).getPosition()]);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  indexing.push_back(order);
  SmallVector<utils::IteratorType> parallel(block.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), values, empty, indexing, parallel,
                                   [&](OpBuilder &inner, Location at, ValueRange args) {
                                     linalg::YieldOp::create(inner, at, compute(inner, args.drop_back()));
                                   })
      .getResult(0);
}

std::optional<BlockScale> Compactor::compute(linalg::LinalgOp op, Value scalar, ArrayRef<Operation *> slice,
                                             ArrayRef<BlockScale> inputs) {
  Block &body = *op.getBlock();
  ScaleGrid grid(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  SmallVector<BlockArgument> usedArgs;
  IRMapping mapping;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    OpOperand *operand = op.getDpsInputOperand(number);
    if (!input.value) { // a scalar, or not read
      mapping.map(body.getArgument(number), operand->get());
      continue;
    }
    if (failed(grid.add(input, op.getMatchingIndexingMap(operand))))
      return std::nullopt;
    usedArgs.push_back(body.getArgument(number));
  }
  AffineMap order = grid.order;
  SmallVector<int64_t> resultBlock;
  for (AffineExpr expr : order.getResults())
    resultBlock.push_back(grid.block[cast<AffineDimExpr>(expr).getPosition()]);
  // A copy in place is what it copies, along other dimensions too.
  if (grid.inputs.size() == 1 && scalar == usedArgs[0]) {
    llvm::SmallBitVector added(order.getNumResults(), true);
    SmallVector<AffineExpr> inOrder;
    for (auto [dim, expr] : llvm::enumerate(order.getResults()))
      if (llvm::is_contained(grid.maps[0].getResults(), expr))
        added.reset(dim), inOrder.push_back(expr);
    if (ArrayRef(inOrder) == grid.maps[0].getResults())
      return addDims(builder, op.getLoc(), grid.inputs[0], added);
  }
  bool isCopy = llvm::is_contained(usedArgs, scalar);
  Type element = isCopy ? getElementTypeOrSelf(grid.inputs[0].value) : scalar.getType();
  Value value = grid.write(builder, op.getLoc(), element, [&](OpBuilder &inner, ValueRange args) {
    for (auto [argument, arg] : llvm::zip_equal(usedArgs, args))
      mapping.map(argument, isCopy ? arg : widen(inner, op.getLoc(), arg, argument.getType()));
    for (Operation *each : slice)
      inner.clone(*each, mapping);
    return mapping.lookupOrDefault(scalar);
  });
  return BlockScale{value, resultBlock};
}

std::optional<BlockScale> Compactor::compactScalar(linalg::LinalgOp op, Value scalar) {
  Block &body = *op.getBlock();
  while (auto widening = scalar.getDefiningOp<arith::ExtFOp>())
    scalar = widening.getIn();
  // What of the body makes the scalar.
  SetVector<Value> needed;
  needed.insert(scalar);
  SmallVector<Operation *> slice;
  for (Operation &each : llvm::reverse(body.without_terminator()))
    if (llvm::any_of(each.getResults(), [&](Value result) { return needed.contains(result); })) {
      if (isa<linalg::IndexOp>(each) || !isPure(&each) || each.getNumRegions())
        return std::nullopt;
      slice.push_back(&each);
      needed.insert(each.operand_begin(), each.operand_end());
    }
  std::reverse(slice.begin(), slice.end());
  SmallVector<BlockScale> inputs(op.getNumDpsInputs()), plain = inputs;
  for (BlockArgument argument : body.getArguments()) {
    if (!needed.contains(argument))
      continue;
    unsigned number = argument.getArgNumber();
    if (number >= inputs.size() ||
        !op.getIndexingMapsArray()[number].isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
    Value tensor = op->getOperand(number);
    if (!isa<RankedTensorType>(tensor.getType()))
      continue;
    plain[number] = elementwise(tensor);
    inputs[number] = compact(tensor);
  }
  if (std::optional<BlockScale> computed = compute(op, scalar, slice, inputs))
    return computed;
  return compute(op, scalar, slice, plain);
}

BlockScale Compactor::compact(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op || budget == 0)
    return elementwise(tensor);
  --budget;
  if (placesElements(op)) {
    if (std::optional<BlockScale> moved = moveScale(builder, op, compact(op->getOperand(0))))
      return *moved;
    return elementwise(tensor);
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat()) {
    auto one = RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), type.getElementType());
    Value splat = arith::ConstantOp::create(builder, op->getLoc(), constant.resizeSplat(one));
    return {splat, SmallVector<int64_t>(type.getRank(), kWhole)};
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
      !linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0)).isPermutation())
    return elementwise(tensor);
  Value yielded = linalgOp.getBlock()->getTerminator()->getOperand(0);
  std::optional<BlockScale> computed = compactScalar(linalgOp, yielded);
  // Computing every element again would gain nothing.
  bool isElementwise = computed && computed->block == elementwise(tensor).block &&
                       computed->value.getDefiningOp<linalg::GenericOp>();
  return computed && !isElementwise ? *computed : elementwise(tensor);
}

std::optional<BlockScale> fp8opt::multiplyScales(OpBuilder &builder, Location loc,
                                                 ArrayRef<BlockScale> scales, ArrayRef<bool> divides) {
  Type f32 = builder.getF32Type();
  if (scales.size() == 1 && !divides[0] && getElementTypeOrSelf(scales[0].value) == f32)
    return scales[0];
  AffineMap identity = builder.getMultiDimIdentityMap(scales[0].block.size());
  ScaleGrid grid(identity);
  for (const BlockScale &scale : scales)
    if (failed(grid.add(scale, identity)))
      return std::nullopt;
  Value product = grid.write(builder, loc, f32, [&](OpBuilder &inner, ValueRange args) {
    Value all;
    for (auto [arg, isDivisor] : llvm::zip_equal(args, divides)) {
      Value factor = widen(inner, loc, arg, f32);
      if (isDivisor) {
        Value one = arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(1.0f));
        factor = arith::DivFOp::create(inner, loc, one, factor);
      }
      all = all ? arith::MulFOp::create(inner, loc, all, factor).getResult() : factor;
    }
    return all;
  });
  return BlockScale{product, grid.block};
}
