// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes traced through reshapes, permutations, broadcasts and slices.

#include "RoleAxes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt::qt::roles;

using Parts = SmallVector<AxisPart>;
using Shape = ArrayRef<int64_t>;

static AxisPart wholeAxis(Shape shape, int64_t axis) { return {axis, 1, shape[axis]}; }
static bool isWhole(const AxisPart &part, Shape shape) {
  return part.stride == 1 && part.size == shape[part.axis];
}
static Shape shapeOf(Value value) { return cast<ShapedType>(value.getType()).getShape(); }

/// Sorts the parts, joins those that touch, drops those of one element.
static void normalize(Parts &parts) {
  llvm::sort(parts, [](const AxisPart &a, const AxisPart &b) {
    return std::tie(a.axis, a.stride, a.size) < std::tie(b.axis, b.stride, b.size);
  });
  Parts joined;
  for (AxisPart part : parts) {
    if (part.size == 1)
      continue;
    AxisPart *last = joined.empty() ? nullptr : &joined.back();
    if (last && last->axis == part.axis && last->size > 0 && part.size > 0 &&
        last->stride * last->size == part.stride)
      last->size *= part.size;
    else
      joined.push_back(part);
  }
  parts = std::move(joined);
}

namespace {
/// Axes that are reshaped together: `from` of the result and `to` of the source hold the same elements in one
/// order.
struct Regroup {
  Shape fromShape, toShape;
  SmallVector<int64_t> from, to;
};
} // namespace

/// Spreads the part of a joined axis over the axes it is joined from, innermost last.
static void spread(AxisPart part, const Regroup &group, Parts &result) {
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(group.to)) {
    int64_t end = stride * group.toShape[axis];
    int64_t low = std::max(part.stride, stride), high = std::min(part.stride * part.size, end);
    if (low < high)
      result.push_back({axis, low / stride, high / low});
    stride = end;
  }
}

static void regroup(Parts &parts, const Regroup &group, Parts &result) {
  Parts taken;
  for (AxisPart part : parts)
    if (llvm::is_contained(group.from, part.axis))
      taken.push_back(part);
  if (taken.empty())
    return;
  bool all = llvm::all_of(group.from, [&](int64_t axis) {
    return group.fromShape[axis] == 1 || llvm::any_of(taken, [&](const AxisPart &part) {
             return part.axis == axis && isWhole(part, group.fromShape);
           });
  });
  if (all) {
    for (int64_t axis : group.to)
      result.push_back(wholeAxis(group.toShape, axis));
    return;
  }
  auto isDynamicAt = [](Shape shape) {
    return [=](int64_t axis) { return ShapedType::isDynamic(shape[axis]); };
  };
  if (llvm::any_of(group.from, isDynamicAt(group.fromShape)) ||
      llvm::any_of(group.to, isDynamicAt(group.toShape))) {
    result.push_back({group.to.front(), 1, 0});
    return;
  }
  Parts joined;
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(group.from)) {
    for (const AxisPart &part : taken)
      if (part.axis == axis)
        joined.push_back({0, part.stride * stride, part.size});
    stride *= group.fromShape[axis];
  }
  normalize(joined);
  for (const AxisPart &part : joined)
    spread(part, group, result);
}

/// Through a reshape of which `groups[i]` are the axes of the expanded side that make axis i of the other.
static void traceReassociation(Parts &parts, Value from, Value to, ArrayRef<ReassociationIndices> groups,
                               bool isCollapse) {
  Parts result;
  for (auto [axis, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> one = {int64_t(axis)}, many(group.begin(), group.end());
    regroup(parts, {shapeOf(from), shapeOf(to), isCollapse ? one : many, isCollapse ? many : one}, result);
  }
  parts = std::move(result);
}

/// Through a linalg op that permutes, broadcasts or casts its only read input.
static void traceLinalg(Parts &parts, linalg::LinalgOp op, Value source) {
  OpOperand *input = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!input && operand->get() == source)
      input = operand;
  if (!input)
    return;
  AffineMap in = op.getMatchingIndexingMap(input), out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Parts result;
  for (AxisPart part : parts)
    if (std::optional<unsigned> axis = in.getResultPosition(out.getResult(part.axis)))
      result.push_back({int64_t(*axis), part.stride, part.size});
  parts = std::move(result);
}

/// Through a slice, from its result to its source, or from the whole to what was inserted. A whole axis of
/// one is taken for a whole axis of the other.
template <typename SliceOp> static void traceSlice(Parts &parts, SliceOp slice, Value from, Value to) {
  bool isExtract = std::is_same_v<SliceOp, tensor::ExtractSliceOp>;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> axes(dropped.size(), -1);
  for (int64_t large = 0, small = 0, rank = dropped.size(); large < rank; ++large)
    if (!dropped[large])
      isExtract ? axes[small++] = large : axes[large] = small++;
  Parts result;
  for (AxisPart part : parts)
    if (int64_t axis = axes[part.axis]; axis >= 0)
      result.push_back(isWhole(part, shapeOf(from)) ? wholeAxis(shapeOf(to), axis)
                                                    : AxisPart{axis, part.stride, part.size});
  parts = std::move(result);
}

static void traceReshape(Parts &parts, tensor::ReshapeOp op) {
  Parts result;
  Regroup group = {shapeOf(op.getResult()), shapeOf(op.getSource()), {}, {}};
  group.from.append(llvm::to_vector(llvm::seq<int64_t>(group.fromShape.size())));
  group.to.append(llvm::to_vector(llvm::seq<int64_t>(group.toShape.size())));
  if (!group.to.empty())
    regroup(parts, group, result);
  parts = std::move(result);
}

/// From the result of a view, or from what a loop stacked, to its source.
static void traceThrough(Parts &parts, Operation *op, Value source) {
  Value result = op->getResult(0);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::CollapseShapeOp collapse) {
        traceReassociation(parts, result, source, collapse.getReassociationIndices(), /*isCollapse=*/true);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        traceReassociation(parts, result, source, expand.getReassociationIndices(), /*isCollapse=*/false);
      })
      .Case([&](tensor::ReshapeOp reshape) { traceReshape(parts, reshape); })
      .Case([&](tensor::ExtractSliceOp slice) { traceSlice(parts, slice, result, source); })
      .Case([&](tensor::InsertSliceOp slice) { traceSlice(parts, slice, result, source); })
      .Case([&](linalg::LinalgOp linalgOp) { traceLinalg(parts, linalgOp, source); });
  normalize(parts);
}

static Parts traceAxis(const RoleGraph &graph, ValueId operand, int64_t fromEnd) {
  Shape shape = shapeOf(graph.getValue(operand));
  Parts parts = {wholeAxis(shape, shape.size() - fromEnd)};
  normalize(parts);
  RoleGraph::ViewWalk walk{operand};
  while (std::optional<Operation *> crossed = graph.step(walk))
    if (*crossed)
      traceThrough(parts, *crossed, graph.getValue(walk.value));
  return parts;
}

Parts fp8opt::qt::roles::traceSummedAxis(const RoleGraph &graph, ValueId operand) {
  return traceAxis(graph, operand, 1);
}

Parts fp8opt::qt::roles::traceFreeAxis(const RoleGraph &graph, ValueId operand) {
  return traceAxis(graph, operand, 2);
}
