// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes sizes and indices that are only known in the run, and are wrong, an error instead of an access out of
// bounds.

#include "Lowering.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt::run;

namespace {
/// Writes the assertions of one op in front of it.
class Asserter {
public:
  explicit Asserter(Operation *op) : builder(op), loc(op->getLoc()) {}

  void check(tensor::CastOp op);
  void checkSizes(ShapedType type, ValueRange dynamicSizes);
  void check(memref::CastOp op);
  void check(memref::ReshapeOp op);
  void check(memref::ExpandShapeOp op);
  void check(memref::SubViewOp op);
  void check(Value buffer, ValueRange indices);
  void check(linalg::LinalgOp op);
  void checkDivision(Operation *op);

private:
  using Predicate = arith::CmpIPredicate;

  Value index(OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value size(Value buffer, unsigned axis) {
    return builder.createOrFold<memref::DimOp>(loc, buffer, constant(int64_t(axis)));
  }
  Value compare(Predicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value multiply(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  void expect(Value condition, const Twine &what) {
    auto assertion = cf::AssertOp::create(builder, loc, condition, what.str());
    fp8opt::qt::QTDialect::CheckAttrHelper(builder.getContext()).setAttr(assertion, builder.getUnitAttr());
  }

  OpBuilder builder;
  Location loc;
};
} // namespace

void Asserter::check(tensor::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType()),
       to = dyn_cast<RankedTensorType>(op.getType());
  for (int64_t axis = 0; from && to && axis < to.getRank(); ++axis) {
    int64_t promised = to.getDimSize(unsigned(axis));
    if (!from.isDynamicDim(unsigned(axis)) || ShapedType::isDynamic(promised))
      continue;
    Value size = tensor::DimOp::create(builder, loc, op.getSource(), axis);
    expect(compare(Predicate::eq, size, constant(promised)),
           "expected dimension " + Twine(axis) + " to be " + Twine(promised) + ", got another size");
  }
}

/// Sizes are not negative, and the bytes of a buffer can be counted.
void Asserter::checkSizes(ShapedType type, ValueRange dynamicSizes) {
  auto isOfTensor = [](Value size) {
    return isa_and_nonnull<tensor::DimOp, memref::DimOp>(size.getDefiningOp());
  };
  for (Value size : dynamicSizes)
    if (!isOfTensor(size))
      expect(compare(Predicate::sge, size, constant(0)), "expected sizes of at least 0, got a negative one");
  if (dynamicSizes.empty())
    return;
  // As floats, because the product of integers may wrap.
  double knownBytes = 8; // of the widest element
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      knownBytes *= double(size);
  Type f64 = builder.getF64Type();
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  };
  Value bytes = number(knownBytes);
  for (Value size : dynamicSizes) {
    Value word = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size);
    bytes = arith::MulFOp::create(builder, loc, bytes, arith::SIToFPOp::create(builder, loc, f64, word));
  }
  expect(arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, bytes, number(0x1p62)),
         "expected a tensor of less than 2^62 bytes, got a larger one");
}

/// A cast promises the static sizes of its result.
void Asserter::check(memref::CastOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType()), to = dyn_cast<MemRefType>(op.getType());
  for (unsigned axis = 0; from && to && axis < unsigned(to.getRank()); ++axis)
    if (from.isDynamicDim(axis) && !to.isDynamicDim(axis))
      expect(compare(Predicate::eq, size(op.getSource(), axis), constant(to.getDimSize(axis))),
             "expected dimension " + Twine(axis) + " to be " + Twine(to.getDimSize(axis)) +
                 ", got another size");
}

void Asserter::check(memref::ReshapeOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType()), to = dyn_cast<MemRefType>(op.getType());
  if (!from || !to)
    return;
  Value had = constant(1), wanted = constant(1);
  for (unsigned axis = 0; axis < unsigned(from.getRank()); ++axis)
    had = multiply(had, size(op.getSource(), axis));
  for (int64_t axis = 0; axis < to.getRank(); ++axis) {
    Value extent = memref::LoadOp::create(builder, loc, op.getShape(), constant(axis));
    if (!extent.getType().isIndex())
      extent = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), extent);
    if (!to.isDynamicDim(unsigned(axis)))
      expect(compare(Predicate::eq, extent, constant(to.getDimSize(unsigned(axis)))),
             "expected dimension " + Twine(axis) + " of a reshape to be " +
                 Twine(to.getDimSize(unsigned(axis))) + ", got another size");
    wanted = multiply(wanted, extent);
  }
  expect(compare(Predicate::eq, had, wanted), "expected a reshape to as many elements, got another number");
}

void Asserter::check(memref::ExpandShapeOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (llvm::all_of(group, [&](int64_t dim) { return isa<Attribute>(sizes[size_t(dim)]); }) &&
        !op.getSrcType().isDynamicDim(unsigned(axis)))
      continue;
    Value product = constant(1);
    for (int64_t dim : group)
      product = multiply(product, index(sizes[size_t(dim)]));
    expect(compare(Predicate::eq, size(op.getSrc(), unsigned(axis)), product),
           "expected the sizes that dimension " + Twine(axis) +
               " expands to to multiply to it, got another product");
  }
}

void Asserter::check(memref::SubViewOp op) {
  for (auto [axis, range] : llvm::enumerate(op.getOrCreateRanges(builder, loc))) {
    MemRefType type = op.getSourceType();
    bool isStatic = isa<Attribute>(range.offset) && isa<Attribute>(range.size) &&
                    isa<Attribute>(range.stride) && !type.isDynamicDim(unsigned(axis));
    if (isStatic || axis >= size_t(type.getRank()))
      continue;
    Value offset = index(range.offset), extent = index(range.size), zero = constant(0);
    Value steps = arith::SubIOp::create(builder, loc, extent, constant(1));
    Value last = arith::AddIOp::create(builder, loc, offset, multiply(steps, index(range.stride)));
    Value starts = compare(Predicate::sge, offset, zero);
    Value ends = compare(Predicate::slt, last, size(op.getSource(), unsigned(axis)));
    Value inside = arith::AndIOp::create(builder, loc, starts, ends);
    Value isEmpty = compare(Predicate::eq, extent, zero);
    expect(arith::OrIOp::create(builder, loc, isEmpty, inside),
           "expected a slice inside of dimension " + Twine(axis) + ", got one that reaches beyond it");
  }
}

void Asserter::check(Value buffer, ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  for (auto [axis, position] : llvm::enumerate(indices)) {
    std::optional<int64_t> known = getConstantIntValue(position);
    if (known && !type.isDynamicDim(unsigned(axis)) && *known >= 0 &&
        *known < type.getDimSize(unsigned(axis)))
      continue;
    // As unsigned numbers, negative ones are too large.
    expect(compare(Predicate::ult, position, size(buffer, unsigned(axis))),
           "expected an index inside of dimension " + Twine(axis) + ", got one beyond it");
  }
}

/// Operands must agree on the extent of each loop. Static sizes are verified.
void Asserter::check(linalg::LinalgOp op) {
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [axis, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || (!type.isDynamicDim(unsigned(axis)) && !isa<Value>(ranges[dim.getPosition()].size)))
        continue;
      Value expected = index(ranges[dim.getPosition()].size);
      expect(compare(Predicate::eq, expected, size(operand.get(), unsigned(axis))),
             "expected dimension " + Twine(axis) + " of operand " + Twine(operand.getOperandNumber()) +
                 " of '" + op->getName().getStringRef() + "' to be as long as the others of iterator " +
                 Twine(dim.getPosition()) + ", got another size");
    }
  }
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// Processors trap on a division by zero and on the one quotient that does not fit.
void Asserter::checkDivision(Operation *op) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  std::optional<int64_t> known = getConstantIntValue(divisor);
  if (!type.isIntOrIndex() || (known && *known != 0 && *known != -1))
    return;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 0));
  expect(compare(Predicate::ne, divisor, zero), "expected a divisor other than 0, got 0");
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
    return;
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth : type.getIntOrFloatBitWidth();
  Value lowest =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, APInt::getSignedMinValue(width)));
  Value minusOne = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, -1));
  Value fits = arith::OrIOp::create(builder, loc, compare(Predicate::ne, dividend, lowest),
                                    compare(Predicate::ne, divisor, minusOne));
  expect(fits, "expected a quotient that fits the type, got the lowest number divided by -1");
}

static void assertIn(ModuleOp module, llvm::function_ref<void(Operation *, Asserter)> check) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    check(op, Asserter(op));
}

void fp8opt::run::assertPromises(ModuleOp module) {
  assertIn(module, [](Operation *op, Asserter asserter) {
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      asserter.check(cast);
    else if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      asserter.checkSizes(empty.getType(), empty.getDynamicSizes());
    else if (isDivision(op))
      asserter.checkDivision(op);
  });
}

void fp8opt::run::assertAccesses(ModuleOp module) {
  assertIn(module, [](Operation *op, Asserter asserter) {
    if (auto cast = dyn_cast<memref::CastOp>(op))
      asserter.check(cast);
    else if (auto reshape = dyn_cast<memref::ReshapeOp>(op))
      asserter.check(reshape);
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      asserter.checkSizes(alloc.getType(), alloc.getDynamicSizes());
    else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
      asserter.check(expand);
    else if (auto slice = dyn_cast<memref::SubViewOp>(op))
      asserter.check(slice);
    else if (auto load = dyn_cast<memref::LoadOp>(op))
      asserter.check(load.getMemRef(), load.getIndices());
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      asserter.check(store.getMemRef(), store.getIndices());
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      asserter.check(structured);
  });
}
