// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sizes that are known at run time only count as, and what values take in memory by them.

#include "fp8-opt/Dialect/QT/Transforms/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static int64_t divide(int64_t a, int64_t b) { return b > 0 ? std::max<int64_t>(a / b, 1) : a; }

/// The shape of a tensor, plain or quantized; nothing of other types.
static std::optional<ArrayRef<int64_t>> shapeOf(Type type) {
  if (auto quantized = dyn_cast<QTensorType>(type))
    return quantized.getShape();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  return std::nullopt;
}

static bool isOfDynamicShape(Value value) {
  std::optional<ArrayRef<int64_t>> shape = shapeOf(value.getType());
  return shape && ShapedType::isDynamicShape(*shape);
}

Sizes::Sizes(Operation *function) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    note(op);
    // What computes elements computes no sizes.
    return op->getNumRegions() != 0 && isa<DestinationStyleOpInterface>(op) ? WalkResult::skip()
                                                                            : WalkResult::advance();
  });
}

SmallVector<int64_t> Sizes::of(Value tensor) const {
  if (auto known = tensors.find(tensor); known != tensors.end())
    return known->second;
  SmallVector<int64_t> counts(*shapeOf(tensor.getType()));
  llvm::replace(counts, ShapedType::kDynamic, int64_t(1));
  return counts;
}

Sizes::Count Sizes::integer(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), false};
  return integers.lookup(value);
}

void Sizes::note(Value value, Count count) {
  if (!count.isDynamic || count.value != 1)
    integers[value] = count;
}

void Sizes::note(Value tensor, ArrayRef<int64_t> counts) {
  if (!isOfDynamicShape(tensor))
    return;
  SmallVector<int64_t> noted(*shapeOf(tensor.getType()));
  if (noted.size() != counts.size())
    return;
  bool differs = false;
  for (auto [size, count] : llvm::zip_equal(noted, counts))
    if (ShapedType::isDynamic(size)) {
      size = count;
      differs |= count != 1;
    }
  if (differs)
    tensors[tensor] = noted;
}

void Sizes::noteSame(Value value, Value as) {
  if (isOfDynamicShape(value) && shapeOf(as.getType()))
    note(value, of(as));
  else if (value.getType().isIntOrIndex())
    note(value, integer(as));
}

SmallVector<int64_t> Sizes::withDynamic(Value tensor, ValueRange sizes) const {
  SmallVector<int64_t> counts(*shapeOf(tensor.getType()));
  for (int64_t &count : counts)
    if (ShapedType::isDynamic(count) && !sizes.empty()) {
      count = integer(sizes.front()).value;
      sizes = sizes.drop_front();
    }
  llvm::replace(counts, ShapedType::kDynamic, int64_t(1));
  return counts;
}

void Sizes::noteDynamic(Value tensor, ValueRange sizes) { note(tensor, withDynamic(tensor, sizes)); }

/// Gives the first dynamic size of `shape` what the others leave of `elements`.
static void fillUp(MutableArrayRef<int64_t> counts, ArrayRef<int64_t> shape, int64_t elements) {
  int64_t *first = nullptr, others = 1;
  for (auto [count, size] : llvm::zip_equal(counts, shape)) {
    if (ShapedType::isDynamic(size) && !first)
      first = &count;
    else
      others = multiplySizes(others, count);
  }
  if (first)
    *first = divide(elements, others);
}

/// Of a change of shape. An expanded result has a value for each of its dynamic sizes.
void Sizes::noteGrouped(Value result, Value operand, ArrayRef<ReassociationIndices> groups,
                        ValueRange sizes) {
  SmallVector<int64_t> before = of(operand), counts = withDynamic(result, sizes);
  bool isCollapse = before.size() > counts.size();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    if (isCollapse)
      counts[dim] = std::accumulate(group.begin(), group.end(), int64_t(1), [&](int64_t product, int64_t of) {
        return multiplySizes(product, before[of]);
      });
    else
      fillUp(MutableArrayRef(counts).slice(group.front(), group.size()),
             shapeOf(result.getType())->slice(group.front(), group.size()), before[dim]);
  }
  note(result, counts);
}

void Sizes::noteInteger(Operation *op) {
  auto of = [&](unsigned operand) { return integer(op->getOperand(operand)); };
  auto combine = [&](auto values) {
    Count a = of(0), b = of(1);
    note(op->getResult(0), Count{values(a.value, b.value), a.isDynamic || b.isDynamic});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::DimOp dim) {
        std::optional<int64_t> index = dim.getConstantIndex();
        std::optional<ArrayRef<int64_t>> shape = shapeOf(dim.getSource().getType());
        if (index && shape && *index >= 0 && *index < int64_t(shape->size()))
          note(dim.getResult(),
               Count{this->of(dim.getSource())[*index], ShapedType::isDynamic((*shape)[*index])});
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto cast) { note(op->getResult(0), of(0)); })
      .Case([&](arith::MulIOp) { combine(multiplySizes); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { combine(divide); })
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *sum) {
        // A constant is nothing beside a size.
        Count a = of(0), b = of(1);
        bool adds = isa<arith::AddIOp>(sum);
        if (a.isDynamic != b.isDynamic)
          note(op->getResult(0), a.isDynamic ? a : b);
        else if (int64_t value = adds ? addBytes(a.value, b.value) : a.value - b.value;
                 value > 0 || !a.isDynamic)
          note(op->getResult(0), Count{value, a.isDynamic});
      })
      .Case([&](arith::SelectOp) {
        Count a = of(1), b = of(2);
        note(op->getResult(0), a.value > b.value ? a : b);
      });
}

void Sizes::noteOp(tensor::ReshapeOp reshape) {
  SmallVector<int64_t> counts = of(reshape.getResult());
  if (auto sizes = reshape.getShape().getDefiningOp<tensor::FromElementsOp>())
    for (auto [dim, size] : llvm::enumerate(sizes.getElements()))
      counts[dim] = integer(size).value;
  int64_t elements = 1;
  if (shapeOf(reshape.getSource().getType()))
    for (int64_t count : of(reshape.getSource()))
      elements = multiplySizes(elements, count);
  fillUp(counts, *shapeOf(reshape.getType()), elements);
  note(reshape.getResult(), counts);
}

void Sizes::noteOp(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> counts;
  for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped[dim]) {
      auto value = dyn_cast<Value>(size);
      counts.push_back(value ? integer(value).value : *getConstantIntValue(size));
    }
  note(slice.getResult(), counts);
}

void Sizes::noteOp(MatmulOp matmul) {
  SmallVector<int64_t> counts = of(matmul.getLhs());
  counts.back() = of(matmul.getRhs())[counts.size() - 2];
  note(matmul.getResult(), counts);
}

void Sizes::noteOp(AmaxOp amax) {
  SmallVector<int64_t> counts = of(amax.getInput());
  for (auto [count, block] : llvm::zip_equal(counts, amax.getBlocks().getFullBlock(counts.size())))
    count = ShapedType::isDynamic(block) ? 1 : divide(count, block);
  counts.resize(shapeOf(amax.getType())->size());
  note(amax.getResult(), counts);
}

void Sizes::noteTensors(Operation *op) {
  Value result = op->getResult(0);
  auto permuted = [&](Value input, ArrayRef<int64_t> permutation) {
    return applyPermutation(of(input), permutation);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](DestinationStyleOpInterface destination) {
        for (OpResult each : op->getResults())
          if (shapeOf(each.getType()))
            noteSame(each, destination.getTiedOpOperand(each)->get());
      })
      .Case([&](tensor::EmptyOp empty) { noteDynamic(result, empty.getDynamicSizes()); })
      .Case([&](tensor::SplatOp splat) { noteDynamic(result, splat.getDynamicSizes()); })
      .Case([&](tensor::GenerateOp generate) { noteDynamic(result, generate.getDynamicExtents()); })
      .Case([&](tensor::CollapseShapeOp collapse) {
        noteGrouped(result, collapse.getSrc(), collapse.getReassociationIndices(), {});
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        noteGrouped(result, expand.getSrc(), expand.getReassociationIndices(), expand.getOutputShape());
      })
      .Case([&](ReshapeOp reshape) {
        noteGrouped(result, reshape.getInput(), reshape.getGroups(), reshape.getSizes());
      })
      .Case<tensor::ReshapeOp, tensor::ExtractSliceOp, MatmulOp, AmaxOp>([&](auto known) { noteOp(known); })
      .Case<SliceOp>([&](SliceOp slice) { noteDynamic(result, slice.getSizes()); })
      .Case<tensor::ConcatOp, ConcatOp>([&](auto concat) {
        SmallVector<int64_t> counts = of(concat.getInputs().front());
        for (Value input : concat.getInputs().drop_front())
          counts[concat.getDim()] = addBytes(counts[concat.getDim()], of(input)[concat.getDim()]);
        note(result, counts);
      })
      .Case([&](BroadcastOp broadcast) { noteDynamic(result, broadcast.getSizes()); })
      .Case<tensor::PadOp, PadOp>([&](auto) { noteSame(result, op->getOperand(0)); })
      .Case([&](TransposeOp transpose) {
        note(result, permuted(transpose.getInput(), transpose.getPermutation()));
      })
      .Case([&](MultiQuantizeOp multi) {
        for (auto [each, permutation] : llvm::zip_equal(op->getResults(), multi.getPermutations()))
          note(each, permuted(multi.getInput(), extractFromIntegerArrayAttr<int64_t>(permutation)));
      })
      // tensor.cast, conversions between plain and quantized, elementwise ops
      .Default([&](Operation *) {
        if (op->getNumOperands() == 0)
          return;
        std::optional<ArrayRef<int64_t>> from = shapeOf(op->getOperand(0).getType()),
                                         to = shapeOf(result.getType());
        if (from && to && from->size() == to->size() &&
            (isa<tensor::CastOp, QuantizeOp, RequantizeOp, DequantizeOp>(op) ||
             op->hasTrait<OpTrait::Elementwise>()))
          noteSame(result, op->getOperand(0));
      });
}

/// What goes into loops and branches, and comes out of them.
void Sizes::noteCarried(Operation *op) {
  auto same = [&](auto values, ValueRange as) {
    for (auto [value, from] : llvm::zip(values, as))
      noteSame(value, from);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    same(loop.getRegionIterArgs(), loop.getInitArgs());
    same(loop.getResults(), loop.getInitArgs());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    same(loop.getBeforeArguments(), loop.getInits());
  } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    same(loop.getAfterArguments(), condition.getArgs());
    same(loop.getResults(), condition.getArgs());
  } else if (isa<scf::YieldOp>(op) && isa<scf::IfOp, scf::ExecuteRegionOp>(op->getParentOp())) {
    same(op->getParentOp()->getResults(), op->getOperands());
  }
}

void Sizes::note(Operation *op) {
  if (isa_and_nonnull<scf::SCFDialect>(op->getDialect()))
    noteCarried(op);
  else if (op->getNumResults() == 1 && op->getResult(0).getType().isIntOrIndex())
    noteInteger(op);
  else if (llvm::any_of(op->getResults(), isOfDynamicShape))
    noteTensors(op);
}

int64_t Sizes::bytesOf(Value value) const { return bytesOf(value.getType(), value); }

int64_t Sizes::bytesOf(Type type, Value like) const {
  return shapeOf(like.getType()) ? qt::bytesOf(type, of(like)) : qt::bytesOf(type);
}

Traffic Sizes::quantizing(Value from, QTensorType to) const {
  Traffic traffic = {0, bytesOf(to, from)};
  for (unsigned time = 0; time < timesRead(to.getScheme()); ++time)
    traffic.read = addBytes(traffic.read, bytesOf(from));
  return traffic;
}

Traffic Sizes::trafficOf(QuantizeOp op) const {
  if (op.getScales().empty() && !op.getAmax())
    return quantizing(op.getInput(), op.getType());
  Traffic traffic = {0, bytesOf(op.getType(), op.getInput())};
  for (Value read : op->getOperands())
    traffic.read = addBytes(traffic.read, bytesOf(read));
  return traffic;
}

Traffic Sizes::trafficOf(RequantizeOp op) const { return quantizing(op.getInput(), op.getType()); }
