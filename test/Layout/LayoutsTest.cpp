// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds of every named layout.

#include "Breach.h"

#include "mlir/IR/AffineExpr.h"

#include <gtest/gtest.h>

using namespace fp8opt;
using namespace fp8opt::test;
using namespace mlir;

namespace {

constexpr unsigned widths[] = {1, 2, 4, 8, 16, 32, 64, 128};

/// Row scales have one column, tensor scales no dimension at all.
Indices sizesFor(LayoutKind kind, const Indices &matrix) {
  if (kind == LayoutKind::Tensor)
    return {};
  return kind == LayoutKind::Row ? Indices{matrix[0], 1} : matrix;
}

class EveryLayout : public testing::TestWithParam<LayoutKind> {
protected:
  MLIRContext context{MLIRContext::Threading::DISABLED};

  void forEachWidth(llvm::function_ref<void(const Layout &)> visit) {
    for (unsigned bits : widths)
      if (std::optional<Layout> layout = getLayout(&context, GetParam(), bits)) {
        SCOPED_TRACE(std::to_string(bits) + " bits");
        visit(*layout);
      }
  }
};

TEST_P(EveryLayout, IsFoundByItsName) {
  EXPECT_EQ(layoutKind(nameOf(GetParam())), GetParam());
  int found = 0;
  forEachWidth([&](const Layout &layout) {
    ++found;
    EXPECT_EQ(layout.name(), nameOf(GetParam()));
  });
  EXPECT_GT(found, 0);
}

TEST_P(EveryLayout, IsABijection) {
  forEachWidth([&](const Layout &layout) {
    for (const Indices &sizes : matrixSizes)
      EXPECT_EQ(breach(layout, sizesFor(GetParam(), sizes)), "");
  });
}

TEST_P(EveryLayout, StoresNothingOfAnEmptyArray) {
  if (GetParam() == LayoutKind::Tensor)
    return;
  forEachWidth([](const Layout &layout) {
    EXPECT_EQ(layout.storedBytes({0, 7}), 0);
    EXPECT_EQ(layout.storedBytes({7, 0}), 0);
    EXPECT_EQ(layout.batched(1).storedBytes({0, 7, 1}), 0);
  });
}

TEST_P(EveryLayout, StandsInBatchesOneAfterTheOther) {
  forEachWidth([&](const Layout &layout) {
    const Indices sizes = sizesFor(GetParam(), {17, 9});
    Indices batchedSizes = {2, 3};
    batchedSizes.append(sizes);
    const Layout batched = layout.batched(2);
    EXPECT_EQ(breach(batched, batchedSizes), "");
    EXPECT_EQ(batched.storedElements(batchedSizes), 6 * layout.storedElements(sizes));
    forEachIndex(batchedSizes, [&](ArrayRef<int64_t> index) {
      const int64_t batch = index[0] * 3 + index[1];
      ASSERT_EQ(batched.offsetOf(batchedSizes, index),
                batch * layout.storedElements(sizes) + layout.offsetOf(sizes, index.drop_front(2)));
    });
  });
}

TEST_P(EveryLayout, IsAffineForConstantSizes) {
  forEachWidth([&](const Layout &layout) {
    SmallVector<AffineExpr> sizes;
    for (int64_t size : sizesFor(GetParam(), {129, 192}))
      sizes.push_back(getAffineConstantExpr(size, &context));
    for (AffineMap map : {layout.map(), layout.inverse(), layout.offset(), layout.byteOffset()}) {
      AffineMap constant = map.replaceDimsAndSymbols({}, sizes, map.getNumDims(), 0);
      for (AffineExpr result : constant.getResults())
        EXPECT_TRUE(result.isPureAffine());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         testing::ValuesIn(allLayoutKinds().begin(), allLayoutKinds().end()),
                         [](const auto &kind) { return nameOf(kind.param).str(); });

TEST(Layouts, UnknownNamesAndWidthsHaveNone) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  EXPECT_EQ(layoutKind("row_minor"), std::nullopt);
  EXPECT_FALSE(getLayout(&context, LayoutKind::Panels, 6));
  EXPECT_FALSE(getLayout(&context, LayoutKind::Panels, 0));
  EXPECT_FALSE(getLayout(&context, LayoutKind::Tiles128x4, 32));
  EXPECT_FALSE(getLayout(&context, LayoutKind::Row, 4));
}

TEST(Layouts, RowMajorRowsStartAtABytes) {
  const Layout layout = layoutOf(LayoutKind::RowMajor, 4);
  EXPECT_EQ(layout.storedBytes({3, 7}), 12);
  EXPECT_EQ(layout.offsetOf({3, 7}, {1, 0}), 8);
  EXPECT_EQ(layoutOf(LayoutKind::RowMajor, 16).storedBytes({3, 7}), 42);
}

/// What kernels of several products rely on: a matrix of a stack is so many blocks further on in one that is
/// longer, along the contraction or, where that is inside, along the rows.
TEST(Layouts, StacksAreLongerMatrices) {
  struct Longer {
    LayoutKind kind;
    unsigned bits;
    /// Of a matrix of the stack, as far as the next one is away.
    int64_t rows, columns;
    bool isAlongRows;
  };
  constexpr int64_t rows = 150, columns = 300, matrices = 3;
  for (const Longer &longer :
       {Longer{LayoutKind::Panels, 8, rows, 384, false}, Longer{LayoutKind::Panels, 4, rows, 512, false},
        Longer{LayoutKind::Block1x128, 32, rows, columns, false},
        Longer{LayoutKind::Block128x128, 32, rows, columns, true},
        Longer{LayoutKind::Tiles128x4, 8, 256, columns, true}}) {
    const Layout layout = layoutOf(longer.kind, longer.bits);
    SCOPED_TRACE(layout.name().str());
    const Layout stack = layout.batched(1);
    const Indices sizes = longer.isAlongRows ? Indices{matrices * longer.rows, columns}
                                             : Indices{rows, matrices * longer.columns};
    forEachIndex({matrices, rows, columns}, [&](ArrayRef<int64_t> at) {
      const Indices place = longer.isAlongRows ? Indices{at[0] * longer.rows + at[1], at[2]}
                                               : Indices{at[1], at[0] * longer.columns + at[2]};
      ASSERT_EQ(stack.offsetOf({matrices, rows, columns}, at), layout.offsetOf(sizes, place));
    });
  }
}

/// The check of bijections refuses maps that are none, each for its own reason.
TEST(Breach, NamesThePromise) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  AffineExpr row, column, rows, columns;
  bindDims(&context, row, column);
  bindSymbols(&context, rows, columns);
  auto layout = [&](ArrayRef<AffineExpr> map, ArrayRef<AffineExpr> shape, ArrayRef<AffineExpr> inverse) {
    return Layout("tried", 8, AffineMap::get(2, 2, map, &context), AffineMap::get(0, 2, shape, &context),
                  AffineMap::get(map.size(), 2, inverse, &context));
  };
  EXPECT_EQ(breach(layout({row, column}, {rows, columns}, {row, column}), {2, 3}), "");
  EXPECT_EQ(breach(layout({row, column}, {rows, columns - 1}, {row, column}), {2, 3}),
            "stored inside the shape at (0, 2) of (2, 3)");
  EXPECT_EQ(breach(layout({row, column.floorDiv(2)}, {rows, columns}, {row, column * 2}), {2, 3}),
            "stored alone at (0, 1) of (2, 3)");
  EXPECT_EQ(breach(layout({row, column}, {rows, columns}, {row, row}), {2, 3}),
            "inverse undoes map at (0, 1) of (2, 3)");
  // An inverse that sends padding back to an element.
  EXPECT_EQ(breach(layout({row, column}, {rows, columns + 1}, {row, column % columns}), {2, 3}),
            "map undoes inverse at (0, 3) of (2, 3)");
}

} // namespace
