// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, with the types of what lies between them.

#include "LaunchEmitter.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Layout/Layouts.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Elements that share a scale along a dimension of blocks.
static constexpr int64_t blockSide = 128;

/// Rows and columns of a matrix as dimensions of a tensor.
static SmallVector<ReassociationIndices> groupsOf(int64_t rank, int64_t rowDimensions) {
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dimension : llvm::seq(rank))
    groups[dimension < rowDimensions ? 0 : 1].push_back(dimension);
  return groups;
}

Value LaunchEmitter::transpose(Value tensor, ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return tensor;
  SmallVector<OpFoldResult> sizes;
  for (int64_t dimension : order)
    sizes.push_back(tensor::getMixedSize(builder, loc, tensor, dimension));
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  return linalg::TransposeOp::create(builder, loc, tensor, empty, order)->getResult(0);
}

Value LaunchEmitter::asMatrix(Value tensor, ArrayRef<int64_t> order, int64_t rowDimensions) {
  tensor = transpose(tensor, order);
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (rank == 2)
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groupsOf(rank, rowDimensions));
}

Value LaunchEmitter::asTensor(Value matrix, ArrayRef<int64_t> order, int64_t rowDimensions,
                              ArrayRef<int64_t> shape) {
  if (shape.size() > 2) {
    Type element = cast<RankedTensorType>(matrix.getType()).getElementType();
    auto type = RankedTensorType::get(applyPermutation(shape, order), element);
    matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix, groupsOf(shape.size(), rowDimensions));
  }
  return transpose(matrix, invertPermutationVector(order));
}

MatrixSizes LaunchEmitter::sizesOf(Value matrix) {
  return {tensor::getMixedSize(builder, loc, matrix, 0), tensor::getMixedSize(builder, loc, matrix, 1)};
}

Value LaunchEmitter::asI32(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return arith::ConstantIntOp::create(builder, loc, *known, /*width=*/32);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), cast<Value>(size));
}

OpFoldResult LaunchEmitter::ceilDiv(OpFoldResult size, int64_t by) {
  AffineExpr symbol = builder.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(builder, loc, symbol.ceilDiv(by), {size});
}

RankedTensorType LaunchEmitter::describe(StoredKind kind, ArrayRef<OpFoldResult> sizes, Type element,
                                         SmallVectorImpl<Value> &shapes) {
  SmallVector<int64_t> logical;
  for (OpFoldResult size : sizes)
    logical.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  RankedTensorType type = StoredAttr::getTensorType(kind, logical, element);
  Layout layout = *getLayout(builder.getContext(), *layoutKind(stringifyStoredKind(kind)),
                             element.getIntOrFloatBitWidth());
  for (auto [dimension, size] : llvm::enumerate(layout.storedShape().getResults()))
    if (type.isDynamicDim(dimension))
      shapes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc,
          affine::makeComposedFoldedAffineApply(builder, loc, AffineMap::get(0, sizes.size(), size), sizes)));
  return type;
}

RankedTensorType LaunchEmitter::describeScales(Scaling scaling, OpFoldResult rows, OpFoldResult contracted,
                                               SmallVectorImpl<Value> &shapes) {
  Type f32 = builder.getF32Type();
  OpFoldResult one = builder.getIndexAttr(1);
  switch (scaling) {
  case Scaling::None:
  case Scaling::Tensor:
    return RankedTensorType::get({}, f32);
  case Scaling::Row:
    return describe(StoredKind::Row, {rows, one}, f32, shapes);
  case Scaling::Block1x128:
    return describe(StoredKind::Block1x128, {rows, ceilDiv(contracted, blockSide)}, f32, shapes);
  case Scaling::Block128x128:
    return describe(StoredKind::Block128x128, {ceilDiv(rows, blockSide), ceilDiv(contracted, blockSide)}, f32,
                    shapes);
  case Scaling::Block1x32:
  case Scaling::Block1x16: {
    Type scale = getScalesType(builder.getContext(), scaling).getElementType();
    return describe(StoredKind::Tiles128x4, {rows, ceilDiv(contracted, elementsOfScale(scale))},
                    builder.getI8Type(), shapes);
  }
  }
  llvm_unreachable("a scaling that is not listed");
}

Value LaunchEmitter::amax(KernelOp kernel, Value matrix) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  Value zero = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, 0.0f));
  MatrixSizes sizes = sizesOf(matrix);
  return LaunchOp::create(builder, loc, type, kernel.getSymName(), ValueRange{matrix, zero},
                          ValueRange{asI32(sizes.rows), asI32(sizes.columns)}, /*shapes=*/ValueRange(),
                          ArrayRef<int64_t>{1})
      .getResult(0);
}

SmallVector<StoredOperand> LaunchEmitter::launchQuantizer(KernelOp kernel, ValueRange inputs,
                                                          const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                                          bool isAlongColumns, bool isAlongRows) {
  Type code = builder.getIntegerType(numerics::format(scheme.getCode()).bits());
  Scaling scaling = QuantizeOp::getScalingOf(scheme);
  SmallVector<Value> shapes;
  SmallVector<Type> types;
  auto add = [&](OpFoldResult rows, OpFoldResult contracted) {
    types.push_back(describe(StoredKind::Panels, {rows, contracted}, code, shapes));
    types.push_back(describeScales(scaling, rows, contracted, shapes));
  };
  if (isAlongColumns)
    add(sizes.rows, sizes.columns);
  if (isAlongRows)
    add(sizes.columns, sizes.rows);
  auto launch = LaunchOp::create(builder, loc, types, kernel.getSymName(), inputs,
                                 ValueRange{asI32(sizes.rows), asI32(sizes.columns)}, shapes,
                                 SmallVector<int64_t>(types.size(), -1));
  SmallVector<StoredOperand> stored;
  for (unsigned first = 0; first < launch.getNumResults(); first += 2)
    stored.push_back({launch.getResult(first), launch.getResult(first + 1), Value()});
  return stored;
}

SmallVector<StoredOperand> LaunchEmitter::quantize(KernelOp kernel, Value matrix, Value amax,
                                                   qt::SchemeAttr scheme, bool isAlongColumns,
                                                   bool isAlongRows) {
  SmallVector<Value> inputs = {matrix};
  if (amax)
    inputs.push_back(amax);
  SmallVector<StoredOperand> stored =
      launchQuantizer(kernel, inputs, sizesOf(matrix), scheme, isAlongColumns, isAlongRows);
  for (StoredOperand &operand : stored)
    operand.amax = amax;
  return stored;
}

SmallVector<StoredOperand> LaunchEmitter::requantize(KernelOp kernel, const StoredOperand &stored,
                                                     const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                                     bool isAlongColumns, bool isAlongRows) {
  return launchQuantizer(kernel, {stored.codes, stored.scales}, sizes, scheme, isAlongColumns, isAlongRows);
}

Value LaunchEmitter::dequantize(KernelOp kernel, const StoredOperand &stored, const MatrixSizes &sizes,
                                Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> shapes;
  for (OpFoldResult size : {sizes.rows, sizes.columns}) {
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (ShapedType::isDynamic(shape.back()))
      shapes.push_back(cast<Value>(size));
  }
  return LaunchOp::create(builder, loc, RankedTensorType::get(shape, element), kernel.getSymName(),
                          ValueRange{stored.codes, stored.scales},
                          ValueRange{asI32(sizes.rows), asI32(sizes.columns)}, shapes, ArrayRef<int64_t>{-1})
      .getResult(0);
}

Value LaunchEmitter::alpha(qt::SchemeAttr lhs, Value lhsAmax, qt::SchemeAttr rhs, Value rhsAmax) {
  numerics::Scheme a = lhs.getNumerics(), b = rhs.getNumerics();
  if (!numerics::hasTensorFactor(a, b))
    return {};
  auto type = RankedTensorType::get({}, builder.getF32Type());
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), builder.getF32Type());
  // An operand without such a level is not read.
  Value first = lhsAmax ? lhsAmax : rhsAmax, second = rhsAmax ? rhsAmax : lhsAmax;
  AffineMap map = AffineMap::get(builder.getContext());
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{first, second}, empty, {map, map, map}, ArrayRef<utils::IteratorType>(),
      [&](OpBuilder &inside, Location at, ValueRange values) {
        ArithEmitter emit(inside, at);
        Value factor =
            numerics::tensorFactor(emit, a, emit.wordOfFloat(values[0]), b, emit.wordOfFloat(values[1]));
        linalg::YieldOp::create(inside, at, emit.floatOfWord(factor, inside.getF32Type()));
      });
  return generic.getResult(0);
}

Value LaunchEmitter::multiply(KernelOp kernel, const StoredOperand &lhs, const StoredOperand &rhs,
                              Value alpha, RankedTensorType type, OpFoldResult rows, OpFoldResult columns,
                              OpFoldResult contracted) {
  SmallVector<Value> shapes;
  for (OpFoldResult size : {rows, columns})
    if (!getConstantIntValue(size))
      shapes.push_back(cast<Value>(size));
  SmallVector<Value> inputs = {lhs.codes, lhs.scales, rhs.codes, rhs.scales};
  if (alpha)
    inputs.push_back(alpha);
  return LaunchOp::create(builder, loc, type, kernel.getSymName(), inputs,
                          ValueRange{asI32(rows), asI32(columns), asI32(contracted)}, shapes,
                          ArrayRef<int64_t>{-1})
      .getResult(0);
}
