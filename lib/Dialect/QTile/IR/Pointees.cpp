// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts and sizes that products, quantizers and dequantizers read and write.

#include "Pointees.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// Sizes of a matrix, and of the batch that it is of, null where it is of none.
struct Matrix {
  Value batch, rows, columns;
};

class PointeesOfWork {
public:
  void of(GemmOp gemm);
  void of(AmaxOp amax);
  void of(QuantizeOp quantize);
  void of(RequantizeOp requantize);
  void of(DequantizeOp dequantize);

  SmallVector<Pointee> pointees;

private:
  using Sizes = SmallVector<Extent>;

  void add(Value pointer, std::optional<StoredKind> layout, std::optional<Sizes> sizes) {
    if (pointer)
      pointees.push_back({pointer, layout, std::move(sizes)});
  }
  static Sizes of(Value batch, ArrayRef<Extent> sizes) {
    Sizes all(sizes);
    if (batch)
      all.insert(all.begin(), Extent{batch});
    return all;
  }
  void addRowMajor(Value pointer, const Matrix &matrix) {
    add(pointer, std::nullopt, of(matrix.batch, {{matrix.rows}, {matrix.columns}}));
  }
  void addCells(Value pointer, Value batch) { add(pointer, std::nullopt, of(batch, {})); }
  void addPanels(Value pointer, const Matrix &matrix) {
    add(pointer, StoredKind::Panels, of(matrix.batch, {{matrix.rows}, {matrix.columns}}));
  }
  /// Of an operand whose contraction is along its columns.
  void addScales(Value pointer, Scaling scaling, const Matrix &matrix);
  void addOperand(Value pointer, OperandLayout layout, const Matrix &matrix, bool hasStrides);
  void addResults(QuantizerInterface quantizer, const Matrix &matrix);
};
} // namespace

static Matrix transposed(const Matrix &matrix) { return {matrix.batch, matrix.columns, matrix.rows}; }

void PointeesOfWork::addScales(Value pointer, Scaling scaling, const Matrix &matrix) {
  if (scaling == Scaling::None)
    return;
  ScaleLayout layout = getScaleLayout(scaling);
  if (layout.kind == LayoutKind::Tensor)
    return addCells(pointer, matrix.batch);
  Extent along = layout.elements ? Extent{matrix.columns, layout.elements} : Extent{};
  add(pointer, symbolizeStoredKind(nameOf(layout.kind)),
      of(matrix.batch, {{matrix.rows, layout.rows}, along}));
}

void PointeesOfWork::addOperand(Value pointer, OperandLayout layout, const Matrix &matrix, bool hasStrides) {
  if (layout == OperandLayout::Panels)
    addPanels(pointer, matrix);
  else if (!hasStrides)
    addRowMajor(pointer, layout == OperandLayout::RowMajor ? matrix : transposed(matrix));
}

void PointeesOfWork::of(GemmOp gemm) {
  // Groups have bounds, which tell where the rows of a matrix are.
  if (gemm.getGrouping() && *gemm.getGrouping() != Grouping::Batch)
    return;
  Value batch = gemm.getGroups();
  Matrix lhs{batch, gemm.getM(), gemm.getK()}, rhs{batch, gemm.getN(), gemm.getK()},
      result{batch, gemm.getM(), gemm.getN()};
  const bool hasStrides = static_cast<bool>(gemm.getInner());
  addOperand(gemm.getLhs(), gemm.getLhsLayout(), lhs, hasStrides);
  addScales(gemm.getLhsScales(), gemm.getLhsScaling(), lhs);
  addOperand(gemm.getRhs(), gemm.getRhsLayout(), rhs, hasStrides);
  addScales(gemm.getRhsScales(), gemm.getRhsScaling(), rhs);
  addCells(gemm.getAlpha(), batch);
  if (gemm.getIntoLayout() == ResultLayout::Panels)
    addPanels(gemm.getInto(), result);
  else
    addRowMajor(gemm.getInto(), result);
  addCells(gemm.getIntoScale(), batch);
  if (!batch)
    add(gemm.getBias(), std::nullopt, Sizes{{gemm.getN()}});
}

void PointeesOfWork::of(AmaxOp amax) {
  addRowMajor(amax.getSource(), {amax.getBatch(), amax.getRows(), amax.getColumns()});
  if (QuantizeOp::isForTensor(amax.getScheme()))
    addCells(amax.getInto(), amax.getBatch());
}

void PointeesOfWork::addResults(QuantizerInterface quantizer, const Matrix &matrix) {
  addPanels(quantizer.getColumnCodes(), matrix);
  addScales(quantizer.getColumnScales(), quantizer.getScaling(), matrix);
  addPanels(quantizer.getRowCodes(), transposed(matrix));
  addScales(quantizer.getRowScales(), quantizer.getScaling(), transposed(matrix));
}

void PointeesOfWork::of(QuantizeOp quantize) {
  Matrix matrix{quantize.getBatch(), quantize.getRows(), quantize.getColumns()};
  addRowMajor(quantize.getSource(), matrix);
  if (QuantizeOp::isForTensor(quantize.getScheme()))
    addCells(quantize.getAmax(), matrix.batch);
  addResults(cast<QuantizerInterface>(quantize.getOperation()), matrix);
}

void PointeesOfWork::of(RequantizeOp requantize) {
  Matrix matrix{requantize.getBatch(), requantize.getRows(), requantize.getColumns()};
  addPanels(requantize.getCodes(), matrix);
  addScales(requantize.getScales(), QuantizeOp::getScalingOf(requantize.getFrom()), matrix);
  addResults(cast<QuantizerInterface>(requantize.getOperation()), matrix);
}

void PointeesOfWork::of(DequantizeOp dequantize) {
  Matrix matrix{dequantize.getBatch(), dequantize.getRows(), dequantize.getColumns()};
  Matrix stored = dequantize.getAlong() == Along::Rows ? transposed(matrix) : matrix;
  addPanels(dequantize.getCodes(), stored);
  addScales(dequantize.getScales(), QuantizeOp::getScalingOf(dequantize.getFrom()), stored);
  addRowMajor(dequantize.getInto(), matrix);
}

SmallVector<Pointee> fp8opt::qtile::pointeesOf(KernelOp kernel) {
  PointeesOfWork work;
  for (Operation &op : kernel.getBody().getOps())
    TypeSwitch<Operation *>(&op).Case<GemmOp, AmaxOp, QuantizeOp, RequantizeOp, DequantizeOp>(
        [&](auto each) { work.of(each); });
  return std::move(work.pointees);
}

static std::string textOf(std::optional<StoredKind> layout) {
  return layout ? stringifyStoredKind(*layout).str() : "row major";
}

LogicalResult fp8opt::qtile::verifyPointee(LaunchOp launch, unsigned number, const Pointee &pointee,
                                           RankedTensorType tensor, ValueRange integers, ValueRange values) {
  auto stored = dyn_cast_if_present<StoredAttr>(tensor.getEncoding());
  std::optional<StoredKind> layout;
  if (stored)
    layout = stored.getLayout();
  // The graph itself repeats a scale for each row: a tensor of the stored shape.
  if (!stored && pointee.layout == StoredKind::Row)
    return success();
  if (layout != pointee.layout)
    return launch.emitOpError() << "expected a tensor stored as " << textOf(pointee.layout)
                                << " for argument " << number << " of " << launch.getKernelAttr()
                                << ", got one stored as " << textOf(layout);
  ArrayRef<int64_t> shape = stored ? stored.getSizes() : tensor.getShape();
  if (!pointee.sizes)
    return success();
  auto sizeOf = [&](const Extent &extent) -> std::optional<int64_t> {
    std::optional<int64_t> size = 1;
    if (extent.integer)
      size = getConstantIntValue(values[size_t(llvm::find(integers, extent.integer) - integers.begin())]);
    return size ? std::optional<int64_t>(llvm::divideCeil(*size, extent.divisor)) : std::nullopt;
  };
  // A row-major matrix may have its rows, or its batch, in several dimensions.
  if (!stored && shape.size() > pointee.sizes->size()) {
    int64_t elements = 1;
    for (const Extent &extent : *pointee.sizes)
      if (std::optional<int64_t> size = sizeOf(extent); !size || llvm::MulOverflow(elements, *size, elements))
        return success();
    if (!tensor.hasStaticShape() || tensor.getNumElements() == elements)
      return success();
    return launch.emitOpError() << "expected " << elements << " elements of argument " << number << " of "
                                << launch.getKernelAttr() << ", as the sizes of the launch say, got "
                                << tensor.getNumElements();
  }
  if (shape.size() != pointee.sizes->size())
    return launch.emitOpError() << "expected " << pointee.sizes->size() << " sizes of argument " << number
                                << " of " << launch.getKernelAttr() << ", got " << shape.size();
  for (auto [dimension, got, extent] : llvm::enumerate(shape, *pointee.sizes)) {
    std::optional<int64_t> size = sizeOf(extent);
    if (size && !ShapedType::isDynamic(got) && got != *size)
      return launch.emitOpError() << "expected size " << dimension << " of argument " << number << " of "
                                  << launch.getKernelAttr() << " to be " << *size
                                  << ", as the sizes of the launch say, got " << got;
  }
  return success();
}
