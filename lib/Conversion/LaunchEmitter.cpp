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

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Elements that share a scale along a dimension of blocks.
static constexpr int64_t blockSide = 128;

Value LaunchEmitter::asMatrix(Value tensor, ArrayRef<int64_t> order, int64_t rowDimensions) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!llvm::equal(order, llvm::seq<int64_t>(0, type.getRank()))) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dimension : order)
      sizes.push_back(tensor::getMixedSize(builder, loc, tensor, dimension));
    Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
    tensor = linalg::TransposeOp::create(builder, loc, tensor, empty, order)->getResult(0);
  }
  if (type.getRank() == 2)
    return tensor;
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dimension : llvm::seq(type.getRank()))
    groups[dimension < rowDimensions ? 0 : 1].push_back(dimension);
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
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

SmallVector<StoredOperand> LaunchEmitter::quantize(KernelOp kernel, Value matrix, Value amax,
                                                   qt::SchemeAttr scheme, bool isAlongColumns,
                                                   bool isAlongRows) {
  Type code = builder.getIntegerType(numerics::format(scheme.getCode()).bits());
  Scaling scaling = QuantizeOp::getScalingOf(scheme);
  MatrixSizes sizes = sizesOf(matrix);
  SmallVector<Value> shapes, inputs = {matrix};
  SmallVector<Type> types;
  if (amax)
    inputs.push_back(amax);
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
    stored.push_back({launch.getResult(first), launch.getResult(first + 1), amax});
  return stored;
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

Value LaunchEmitter::multiply(KernelOp kernel, Value lhs, Value rhs, int64_t mapsBytes, RankedTensorType type,
                              MatrixSizes result, OpFoldResult contracted) {
  SmallVector<Value> shapes;
  for (auto [dimension, size] : llvm::enumerate(ArrayRef{result.rows, result.columns}))
    if (type.isDynamicDim(dimension))
      shapes.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  auto maps = RankedTensorType::get(mapsBytes, builder.getI8Type());
  return LaunchOp::create(builder, loc, TypeRange{type, maps}, kernel.getSymName(), ValueRange{lhs, rhs},
                          ValueRange{asI32(result.rows), asI32(result.columns), asI32(contracted)}, shapes,
                          ArrayRef<int64_t>{-1, -1})
      .getResult(0);
}
