// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales lie where kernels read them: in runs for a tile, in tiles for tensor cores.

#include "Breach.h"

#include <gtest/gtest.h>

using namespace fp8opt;
using namespace fp8opt::test;

namespace {

constexpr int64_t raggedSizes[] = {1, 7, 16, 64, 120, 129, 192, 1000};

int64_t roundedUp(int64_t size, int64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

TEST(TensorScales, AreOneForEachBatch) {
  const Layout layout = layoutOf(LayoutKind::Tensor, 32);
  EXPECT_EQ(layout.storedBytes({}), 4);
  EXPECT_EQ(layout.offsetOf({}, {}), 0);
  EXPECT_EQ(layout.batched(1).storedBytes({5}), 20);
  EXPECT_EQ(layout.batched(1).offsetOf({5}, {3}), 3);
}

TEST(RowScales, ArePaddedTo16Bytes) {
  for (int64_t rows : raggedSizes) {
    EXPECT_EQ(layoutOf(LayoutKind::Row, 32).storedBytes({rows, 1}), roundedUp(4 * rows, 16));
    EXPECT_EQ(layoutOf(LayoutKind::Row, 8).storedBytes({rows, 1}), roundedUp(rows, 16));
  }
}

TEST(Block1x128Scales, HaveTheRowsOfATileInOneRunForEachKBlock) {
  const Layout layout = layoutOf(LayoutKind::Block1x128, 32);
  for (int64_t rows : raggedSizes)
    for (int64_t blocks : {1, 8}) {
      EXPECT_EQ(layout.storedBytes({rows, blocks}), roundedUp(4 * rows, 16) * blocks);
      forEachIndex({rows, blocks}, [&](llvm::ArrayRef<int64_t> index) {
        ASSERT_EQ(layout.offsetOf({rows, blocks}, index), index[1] * roundedUp(rows, 4) + index[0]);
      });
    }
}

TEST(Block128x128Scales, HaveTheKBlocksOfARowBlockInOneRun) {
  const Layout layout = layoutOf(LayoutKind::Block128x128, 32);
  EXPECT_EQ(layout.storedBytes({3, 7}), 3 * 8 * 4);
  EXPECT_EQ(layout.offsetOf({3, 7}, {2, 5}), 2 * 8 + 5);
}

/// The operand of the second orientation finds its scales among those that the first one stored.
TEST(Block128x128Scales, OfBothOrientationsAreTheSameBytes) {
  const Layout first = layoutOf(LayoutKind::Block128x128, 32);
  const Layout second = layoutOf(LayoutKind::Block128x128Transposed, 32);
  const Indices sizes = {3, 7}, transposed = {7, 3};
  EXPECT_EQ(first.storedShape(sizes), second.storedShape(transposed));
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index) {
    ASSERT_EQ(first.offsetOf(sizes, index), second.offsetOf(transposed, {index[1], index[0]}));
  });
}

TEST(Tiles128x4, FollowTheFormula) {
  const Layout layout = layoutOf(LayoutKind::Tiles128x4, 8);
  for (const Indices &sizes : matrixSizes) {
    const int64_t tileColumns = (sizes[1] + 3) / 4;
    EXPECT_EQ(layout.storedBytes(sizes), (sizes[0] + 127) / 128 * tileColumns * 512);
    forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index) {
      const int64_t r = index[0], c = index[1];
      ASSERT_EQ(layout.offsetOf(sizes, index),
                (r / 128 * tileColumns + c / 4) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + c % 4);
    });
  }
}

/// The example that the class's description computes.
TEST(Tiles128x4, OfAnArrayOf200x5) {
  const Layout layout = layoutOf(LayoutKind::Tiles128x4, 8);
  EXPECT_EQ(layout.storedShape({200, 5}), (Indices{2, 2, 32, 4, 4}));
  EXPECT_EQ(layout.storedBytes({200, 5}), 2048);
  EXPECT_EQ(layout.storedIndices({200, 5}, {130, 4}), (Indices{1, 1, 2, 0, 0}));
  EXPECT_EQ(layout.offsetOf({200, 5}, {130, 4}), 1568);
}

TEST(Tiles128x4, NeedZerosBehindTheColumnsOfRealRowsAlone) {
  const Layout layout = layoutOf(LayoutKind::Tiles128x4, 8);
  const Indices sizes = {129, 3};
  int zeros = 0;
  forEachIndex(layout.storedShape(sizes), [&](llvm::ArrayRef<int64_t> stored) {
    const Indices logical = layout.logicalIndices(sizes, stored);
    ASSERT_EQ(layout.isZeroPadding(sizes, stored), logical[0] < 129 && logical[1] == 3);
    zeros += layout.isZeroPadding(sizes, stored);
  });
  EXPECT_EQ(zeros, 129);
}

/// No product reads what lies behind the end of other scales.
TEST(OtherScales, NeedNoZeros) {
  for (LayoutKind kind : {LayoutKind::Block1x128, LayoutKind::Block128x128}) {
    const Layout layout = layoutOf(kind, 32);
    forEachIndex(layout.storedShape({5, 3}),
                 [&](llvm::ArrayRef<int64_t> stored) { ASSERT_FALSE(layout.isZeroPadding({5, 3}, stored)); });
  }
}

} // namespace
