// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR that applies a layout computes what the host does.

#include "Breach.h"

#include "fp8-opt/Emit/LayoutEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

using namespace fp8opt;
using namespace fp8opt::test;
using namespace mlir;

namespace {

/// A block of arith ops on arguments of one type, run by folding each op on constants: upstream's folds are
/// the judge.
class LayoutEmitterTest : public testing::TestWithParam<bool> {
protected:
  LayoutEmitterTest() : context(MLIRContext::Threading::DISABLED), builder(&context) {
    context.loadDialect<arith::ArithDialect>();
    type = GetParam() ? Type(builder.getI32Type()) : Type(builder.getIndexType());
    module = ModuleOp::create(builder.getUnknownLoc());
  }

  /// Empties the block and gives it `count` arguments.
  Block *start(unsigned count) {
    module = ModuleOp::create(builder.getUnknownLoc());
    Block *block = module->getBody();
    for (unsigned i = 0; i < count; ++i)
      block->addArgument(type, builder.getUnknownLoc());
    builder.setInsertionPointToStart(block);
    return block;
  }

  SmallVector<int64_t> run(ArrayRef<Value> results, ArrayRef<int64_t> arguments) {
    DenseMap<Value, Attribute> known;
    Block *block = module->getBody();
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), arguments))
      known[argument] = builder.getIntegerAttr(type, value);
    for (Operation &op : *block) {
      SmallVector<Attribute> operands;
      for (Value operand : op.getOperands())
        operands.push_back(known.lookup(operand));
      SmallVector<OpFoldResult> folded;
      if (failed(op.fold(operands, folded)) || folded.size() != 1) {
        ADD_FAILURE() << "expected " << op.getName().getStringRef().str() << " of constants to fold";
        return {};
      }
      auto constant = dyn_cast<Attribute>(folded.front());
      known[op.getResult(0)] = constant ? constant : known.lookup(cast<Value>(folded.front()));
    }
    SmallVector<int64_t> numbers;
    for (Value result : results)
      numbers.push_back(cast<IntegerAttr>(known.lookup(result)).getInt());
    return numbers;
  }

  /// Compares all maps of a layout, with sizes that are known or that are arguments.
  void expectSame(const Layout &layout, ArrayRef<int64_t> sizes, bool constantSizes) {
    expectSame(layout.map(), sizes, sizes, constantSizes);
    expectSame(layout.offset(), sizes, sizes, constantSizes);
    expectSame(layout.byteOffset(), sizes, sizes, constantSizes);
    expectSame(layout.inverse(), layout.storedShape(sizes), sizes, constantSizes);
    expectSame(layout.storedShape(), {}, sizes, constantSizes);
  }
  void expectSame(AffineMap map, ArrayRef<int64_t> extents, ArrayRef<int64_t> sizes, bool constantSizes) {
    Block *block = start(map.getNumDims() + (constantSizes ? 0 : sizes.size()));
    SmallVector<OpFoldResult> dims, symbols;
    for (Value argument : block->getArguments())
      (dims.size() < map.getNumDims() ? dims : symbols).push_back(argument);
    if (constantSizes)
      for (int64_t size : sizes)
        symbols.push_back(builder.getIndexAttr(size));
    const SmallVector<Value> results =
        LayoutEmitter(builder, builder.getUnknownLoc(), type).apply(map, dims, symbols);
    forEachIndex(extents, [&](ArrayRef<int64_t> index) {
      Indices arguments(index);
      if (!constantSizes)
        arguments.append(sizes.begin(), sizes.end());
      ASSERT_EQ(run(results, arguments), evaluate(map, index, sizes));
    });
  }

  MLIRContext context;
  OpBuilder builder;
  Type type;
  OwningOpRef<ModuleOp> module;
};

/// All layouts, in each of four widths that they have.
void forEachLayout(MLIRContext &context, const Indices &matrix,
                   llvm::function_ref<void(const Layout &, ArrayRef<int64_t>)> visit) {
  for (LayoutKind kind : allLayoutKinds())
    for (unsigned bits : {4u, 8u, 32u, 128u})
      if (std::optional<Layout> layout = getLayout(&context, kind, bits)) {
        SCOPED_TRACE(nameOf(kind).str() + " of " + std::to_string(bits) + " bits");
        visit(*layout, kind == LayoutKind::Tensor ? Indices{}
                       : kind == LayoutKind::Row  ? Indices{matrix[0], 1}
                                                  : matrix);
      }
}

TEST_P(LayoutEmitterTest, ComputesWhatTheHostDoes) {
  forEachLayout(context, {19, 33}, [&](const Layout &layout, ArrayRef<int64_t> sizes) {
    expectSame(layout, sizes, /*constantSizes=*/true);
  });
}

TEST_P(LayoutEmitterTest, ComputesWhatTheHostDoesWithSizesAsOperands) {
  forEachLayout(context, {5, 9}, [&](const Layout &layout, ArrayRef<int64_t> sizes) {
    expectSame(layout, sizes, /*constantSizes=*/false);
  });
}

TEST_P(LayoutEmitterTest, ComputesWhatTheHostDoesInBatches) {
  for (bool constantSizes : {true, false})
    expectSame(getLayout(&context, LayoutKind::Panels, 8)->batched(1), {2, 3, 130}, constantSizes);
}

TEST_P(LayoutEmitterTest, DividesBySizesToo) {
  AffineExpr place, size;
  bindDims(&context, place);
  bindSymbols(&context, size);
  const AffineMap map = AffineMap::get(
      1, 1, {place.floorDiv(size), place % size, place.ceilDiv(size), place.ceilDiv(3)}, &context);
  for (int64_t divisor : {1, 3, 8})
    for (bool constantSizes : {true, false})
      expectSame(map, {40}, {divisor}, constantSizes);
}

TEST_P(LayoutEmitterTest, LeavesNoOpsBehindForConstants) {
  Block *block = start(0);
  const Layout layout = *getLayout(&context, LayoutKind::Panels, 8);
  auto number = [&](int64_t value) -> OpFoldResult { return builder.getIndexAttr(value); };
  const SmallVector<Value> results =
      LayoutEmitter(builder, builder.getUnknownLoc(), type)
          .apply(layout.offset(), {number(9), number(200)}, {number(100), number(256)});
  EXPECT_EQ(std::distance(block->begin(), block->end()), 1);
  auto constant = results.front().getDefiningOp<arith::ConstantOp>();
  ASSERT_TRUE(constant);
  EXPECT_EQ(cast<IntegerAttr>(constant.getValue()).getInt(), layout.offsetOf({100, 256}, {9, 200}));
}

/// What a map and its inverse, or two maps, have in common is written once, and nothing is divided but by
/// shifts.
TEST_P(LayoutEmitterTest, WritesEqualExpressionsOnceAndShifts) {
  Block *block = start(2);
  const Layout layout = *getLayout(&context, LayoutKind::Panels, 8);
  LayoutEmitter emitter(builder, builder.getUnknownLoc(), type);
  SmallVector<OpFoldResult> indices(block->getArguments().begin(), block->getArguments().end());
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(96), builder.getIndexAttr(256)};
  emitter.apply(layout.offset(), indices, sizes);
  const auto count = std::distance(block->begin(), block->end());
  emitter.apply(layout.map(), indices, sizes);
  EXPECT_EQ(std::distance(block->begin(), block->end()), count);
  for (Operation &op : *block)
    EXPECT_FALSE((isa<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp>(op)));
}

INSTANTIATE_TEST_SUITE_P(Types, LayoutEmitterTest, testing::Bool(),
                         [](const auto &isI32) { return isI32.param ? "i32" : "index"; });

} // namespace
