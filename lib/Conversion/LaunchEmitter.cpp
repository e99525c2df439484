// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, with the types of what lies between them.

#include "LaunchEmitter.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Emit/Elementwise.h"
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

/// Batch, if there are dimensions of one, rows and columns of a matrix as dimensions of a tensor.
static SmallVector<ReassociationIndices> groupsOf(int64_t rank, int64_t batchDimensions,
                                                  int64_t rowDimensions) {
  SmallVector<ReassociationIndices> groups;
  int64_t columnDimensions = rank - batchDimensions - rowDimensions, next = 0;
  for (int64_t count : {batchDimensions, rowDimensions, columnDimensions})
    if (count) {
      groups.emplace_back(llvm::to_vector(llvm::seq(next, next + count)));
      next += count;
    }
  return groups;
}

/// How rows and columns that no dimension of a tensor stands for, as they have one element, are added to a
/// matrix without them: beside the dimension in front, else behind.
static SmallVector<ReassociationIndices> groupsWithUnits(int64_t rank, int64_t batchDimensions,
                                                         int64_t rowDimensions) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices units;
  int64_t columnDimensions = rank - batchDimensions - rowDimensions, next = 0;
  if (batchDimensions)
    groups.push_back({next++});
  for (int64_t count : {rowDimensions, columnDimensions}) {
    if (count)
      groups.emplace_back(std::exchange(units, {})).push_back(next);
    else
      (groups.empty() ? units : groups.back()).push_back(next);
    ++next;
  }
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

Value LaunchEmitter::asMatrix(Value tensor, ArrayRef<int64_t> order, int64_t batchDimensions,
                              int64_t rowDimensions) {
  tensor = transpose(tensor, order);
  auto groups = groupsOf(order.size(), batchDimensions, rowDimensions);
  if (groups.size() != order.size())
    tensor = tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
  const int64_t rank = 2 + (batchDimensions > 0);
  if (static_cast<int64_t>(groups.size()) == rank)
    return tensor;
  auto withUnits = groupsWithUnits(order.size(), batchDimensions, rowDimensions);
  auto from = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(rank, 1);
  SmallVector<OpFoldResult> sizes(rank, builder.getIndexAttr(1));
  for (auto [dimension, group] : llvm::enumerate(withUnits)) {
    // Units stand behind the dimension, or all in front of it.
    int64_t place = dimension == 0 && !batchDimensions && !rowDimensions ? group.back() : group.front();
    shape[place] = from.getDimSize(dimension);
    sizes[place] = tensor::getMixedSize(builder, loc, tensor, dimension);
  }
  return tensor::ExpandShapeOp::create(builder, loc, from.clone(shape), tensor, withUnits, sizes);
}

Value LaunchEmitter::asTensor(Value matrix, ArrayRef<int64_t> order, int64_t batchDimensions,
                              int64_t rowDimensions, ArrayRef<int64_t> shape) {
  auto groups = groupsOf(order.size(), batchDimensions, rowDimensions);
  if (auto rank = cast<RankedTensorType>(matrix.getType()).getRank();
      static_cast<int64_t>(groups.size()) != rank)
    matrix = tensor::CollapseShapeOp::create(builder, loc, matrix,
                                             groupsWithUnits(order.size(), batchDimensions, rowDimensions));
  if (groups.size() != order.size()) {
    Type element = cast<RankedTensorType>(matrix.getType()).getElementType();
    auto type = RankedTensorType::get(applyPermutation(shape, order), element);
    matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix, groups);
  }
  return transpose(matrix, invertPermutationVector(order));
}

MatrixSizes LaunchEmitter::sizesOf(Value matrix) {
  int64_t rank = cast<ShapedType>(matrix.getType()).getRank();
  MatrixSizes sizes;
  if (rank > 2)
    sizes.batch = tensor::getMixedSize(builder, loc, matrix, 0);
  sizes.rows = tensor::getMixedSize(builder, loc, matrix, rank - 2);
  sizes.columns = tensor::getMixedSize(builder, loc, matrix, rank - 1);
  return sizes;
}

Value LaunchEmitter::asI32(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return arith::ConstantIntOp::create(builder, loc, *known, /*width=*/32);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), cast<Value>(size));
}

SmallVector<Value> LaunchEmitter::asI32(const MatrixSizes &sizes) {
  return llvm::map_to_vector(sizes.shape(), [&](OpFoldResult size) { return asI32(size); });
}

OpFoldResult LaunchEmitter::ceilDiv(OpFoldResult size, int64_t by) {
  AffineExpr symbol = builder.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(builder, loc, symbol.ceilDiv(by), {size});
}

SmallVector<OpFoldResult> MatrixSizes::shape() const {
  SmallVector<OpFoldResult> sizes = {rows, columns};
  if (batch)
    sizes.insert(sizes.begin(), batch);
  return sizes;
}

RankedTensorType LaunchEmitter::describe(StoredKind kind, const MatrixSizes &matrix, Type element,
                                         SmallVectorImpl<Value> &shapes) {
  SmallVector<OpFoldResult> sizes = matrix.shape();
  SmallVector<int64_t> logical;
  for (OpFoldResult size : sizes)
    logical.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  RankedTensorType type = StoredAttr::getTensorType(kind, logical, element);
  Layout layout =
      getLayout(builder.getContext(), *layoutKind(stringifyStoredKind(kind)), element.getIntOrFloatBitWidth())
          ->batched(sizes.size() - 2);
  for (auto [dimension, size] : llvm::enumerate(layout.storedShape().getResults()))
    if (type.isDynamicDim(dimension))
      shapes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc,
          affine::makeComposedFoldedAffineApply(builder, loc, AffineMap::get(0, sizes.size(), size), sizes)));
  return type;
}

RankedTensorType LaunchEmitter::describe(ArrayRef<OpFoldResult> sizes, Type element,
                                         SmallVectorImpl<Value> &shapes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes) {
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (ShapedType::isDynamic(shape.back()))
      shapes.push_back(cast<Value>(size));
  }
  return RankedTensorType::get(shape, element);
}

RankedTensorType LaunchEmitter::describeCells(OpFoldResult batch, SmallVectorImpl<Value> &shapes) {
  SmallVector<OpFoldResult> sizes;
  if (batch)
    sizes.push_back(batch);
  return describe(sizes, builder.getF32Type(), shapes);
}

RankedTensorType LaunchEmitter::describeScales(Scaling scaling, const MatrixSizes &operand,
                                               SmallVectorImpl<Value> &shapes) {
  ScaleLayout layout = getScaleLayout(scaling);
  if (layout.kind == LayoutKind::Tensor)
    return describeCells(operand.batch, shapes);
  Type element = getScalesType(builder.getContext(), scaling).getElementType();
  if (!element.isF32())
    element = builder.getI8Type();
  OpFoldResult one = builder.getIndexAttr(1);
  MatrixSizes scales = {operand.batch, ceilDiv(operand.rows, layout.rows),
                        layout.elements ? ceilDiv(operand.columns, layout.elements) : one};
  return describe(*symbolizeStoredKind(nameOf(layout.kind)), scales, element, shapes);
}

Value LaunchEmitter::amax(KernelOp kernel, Value matrix, qt::SchemeAttr scheme) {
  MatrixSizes sizes = sizesOf(matrix);
  SmallVector<OpFoldResult> extents;
  if (sizes.batch)
    extents.push_back(sizes.batch);
  if (!QuantizeOp::isForTensor(scheme)) {
    AffineExpr rows = builder.getAffineSymbolExpr(0), columns = builder.getAffineSymbolExpr(1);
    extents.push_back(
        affine::makeComposedFoldedAffineApply(builder, loc, rows + columns, {sizes.rows, sizes.columns}));
  }
  SmallVector<Value> shapes;
  RankedTensorType type = describe(extents, builder.getF32Type(), shapes);
  Value cells;
  if (shapes.empty()) {
    cells = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, 0.0f));
  } else {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Value empty = tensor::EmptyOp::create(builder, loc, type, shapes);
    cells = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  }
  return LaunchOp::create(builder, loc, type, kernel.getSymName(), ValueRange{matrix, cells}, asI32(sizes),
                          /*shapes=*/ValueRange(), ArrayRef<int64_t>{1})
      .getResult(0);
}

SmallVector<StoredOperand> LaunchEmitter::launchQuantizer(KernelOp kernel, ValueRange inputs,
                                                          const MatrixSizes &sizes, qt::SchemeAttr scheme,
                                                          bool isAlongColumns, bool isAlongRows) {
  Type code = builder.getIntegerType(numerics::format(scheme.getCode()).bits());
  Scaling scaling = QuantizeOp::getScalingOf(scheme);
  SmallVector<Value> shapes;
  SmallVector<Type> types;
  auto add = [&](const MatrixSizes &operand) {
    types.push_back(describe(StoredKind::Panels, operand, code, shapes));
    types.push_back(describeScales(scaling, operand, shapes));
  };
  if (isAlongColumns)
    add(sizes);
  if (isAlongRows)
    add(sizes.transposed());
  auto launch = LaunchOp::create(builder, loc, types, kernel.getSymName(), inputs, asI32(sizes), shapes,
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
  SmallVector<Value> shapes;
  RankedTensorType type = describe(sizes.shape(), element, shapes);
  return LaunchOp::create(builder, loc, type, kernel.getSymName(), ValueRange{stored.codes, stored.scales},
                          asI32(sizes), shapes, ArrayRef<int64_t>{-1})
      .getResult(0);
}

/// One block of scales is row major.
Value LaunchEmitter::repeatForRows(Value scale, const MatrixSizes &operand) {
  SmallVector<Value> shapes;
  RankedTensorType type = describeScales(Scaling::Row, operand, shapes).dropEncoding();
  Value empty = tensor::EmptyOp::create(builder, loc, type, shapes);
  auto repeated =
      llvm::to_vector(llvm::seq(cast<RankedTensorType>(scale.getType()).getRank(), type.getRank()));
  return linalg::BroadcastOp::create(builder, loc, scale, empty, repeated)->getResult(0);
}

Value LaunchEmitter::alpha(qt::SchemeAttr lhs, Value lhsAmax, qt::SchemeAttr rhs, Value rhsAmax) {
  numerics::Scheme a = lhs.getNumerics(), b = rhs.getNumerics();
  if (!numerics::hasTensorFactor(a, b))
    return {};
  // An operand without such a level is not read.
  Value first = lhsAmax ? lhsAmax : rhsAmax, second = rhsAmax ? rhsAmax : lhsAmax;
  return emitElementwise(builder, loc, {first, second}, builder.getF32Type(),
                         [&](OpBuilder &inside, Location at, ValueRange values) {
                           ArithEmitter emit(inside, at);
                           Value factor = numerics::tensorFactor(emit, a, emit.wordOfFloat(values[0]), b,
                                                                 emit.wordOfFloat(values[1]));
                           return emit.floatOfWord(factor, inside.getF32Type());
                         });
}

Value LaunchEmitter::multiply(KernelOp kernel, const StoredOperand &lhs, const StoredOperand &rhs, Met met,
                              Type element, const MatrixSizes &sizes, OpFoldResult contracted) {
  SmallVector<Value> shapes;
  RankedTensorType type = describe(sizes.shape(), element, shapes);
  SmallVector<Value> inputs = {lhs.codes, lhs.scales, rhs.codes, rhs.scales};
  for (Value value : {met.alpha, met.bias})
    if (value)
      inputs.push_back(value);
  SmallVector<Value> integers = asI32(sizes);
  integers.push_back(asI32(contracted));
  int64_t tied = -1;
  if (met.addend) {
    tied = static_cast<int64_t>(inputs.size());
    met.addend = collapseBatch(met.addend, static_cast<bool>(sizes.batch));
    inputs.push_back(met.addend);
    type = cast<RankedTensorType>(met.addend.getType());
    shapes.clear();
  }
  return unlessEmpty(contracted, met, type, shapes, [&] {
    return LaunchOp::create(builder, loc, type, kernel.getSymName(), inputs, integers, shapes, tied)
        .getResult(0);
  });
}

/// Of a matrix with so many dimensions of a batch: those are one, in front, or begin the rows.
static SmallVector<ReassociationIndices> groupsOfBatch(int64_t batch, bool isBatched) {
  SmallVector<ReassociationIndices> groups = {llvm::to_vector(llvm::seq<int64_t>(0, batch))};
  if (isBatched)
    groups.emplace_back();
  groups.back().push_back(batch);
  groups.push_back({batch + 1});
  return groups;
}

Value LaunchEmitter::collapseBatch(Value tensor, bool isBatched) {
  const int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (rank == (isBatched ? 3 : 2))
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groupsOfBatch(rank - 2, isBatched));
}

Value LaunchEmitter::expandBatch(Value result, ArrayRef<OpFoldResult> batch, RankedTensorType type) {
  if (cast<ShapedType>(result.getType()).getRank() != type.getRank()) {
    MatrixSizes sizes = sizesOf(result);
    SmallVector<OpFoldResult> shape;
    for (auto [dimension, size] : llvm::enumerate(type.getShape().drop_back(2)))
      shape.push_back(ShapedType::isDynamic(size) ? batch[dimension]
                                                  : OpFoldResult(builder.getIndexAttr(size)));
    shape.append({sizes.rows, sizes.columns});
    auto [sized, unused] = decomposeMixedValues(shape);
    (void)unused;
    result = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(sized, type.getElementType()), result,
        groupsOfBatch(type.getRank() - 2, static_cast<bool>(sizes.batch)), shape);
  }
  return result.getType() == type ? result : tensor::CastOp::create(builder, loc, type, result);
}

Value LaunchEmitter::multiply(KernelOp kernel, Value lhs, Value rhs, int64_t mapsBytes, RankedTensorType type,
                              ArrayRef<OpFoldResult> result, OpFoldResult contracted,
                              ArrayRef<OpFoldResult> batch) {
  SmallVector<Value> shapes;
  for (auto [dimension, size] : llvm::enumerate(result))
    if (type.isDynamicDim(dimension))
      shapes.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  auto maps = RankedTensorType::get(mapsBytes, builder.getI8Type());
  SmallVector<OpFoldResult> sizes(batch);
  llvm::append_range(sizes, result.take_back(2));
  sizes.push_back(contracted);
  auto integers = llvm::map_to_vector(sizes, [&](OpFoldResult size) { return asI32(size); });
  return unlessEmpty(contracted, Met(), type, shapes, [&] {
    return LaunchOp::create(builder, loc, TypeRange{type, maps}, kernel.getSymName(), ValueRange{lhs, rhs},
                            integers, shapes, ArrayRef<int64_t>{-1, -1})
        .getResult(0);
  });
}
