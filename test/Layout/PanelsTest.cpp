// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K panels are what the hardware's 128-byte swizzle reads after a plain copy, without bank conflicts.

#include "Breach.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace fp8opt;
using namespace fp8opt::test;
using namespace mlir;

namespace {

/// The hardware's 128-byte swizzle, on the bits of an address in shared memory: bits 4 to 6 by bits 7 to 9.
int64_t swizzled(int64_t address) { return address ^ ((address >> 7 & 7) << 4); }

int64_t roundedUp(int64_t size, int64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

class Panels : public testing::TestWithParam<unsigned> {
protected:
  unsigned bits = GetParam();
  Layout layout = layoutOf(LayoutKind::Panels, bits);
  int64_t panel = 1024 / bits;

  /// Bits from the start.
  int64_t bitOf(ArrayRef<int64_t> sizes, int64_t row, int64_t k) const {
    return layout.offsetOf(sizes, {row, k}) * bits;
  }
};

TEST_P(Panels, FollowTheFormulaInBytes) {
  for (const Indices &sizes : matrixSizes) {
    const int64_t stored = roundedUp(sizes[0], 16);
    forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
      const int64_t r = index[0], k = index[1] * bits / 8;
      const int64_t byte = (k / 128 * stored + r) * 128 + (k / 16 + r) % 2 * 16 + (k / 32 + r / 2) % 2 * 32 +
                           (k / 64 + r / 4) % 2 * 64 + k % 16;
      ASSERT_EQ(evaluate(layout.byteOffset(), index, sizes).front(), byte);
    });
  }
}

/// Whatever the tile's first row, as long as it is a multiple of 8: the copied run is what the swizzle would
/// have made of the tile's rows in order.
TEST_P(Panels, KeepTheHardwaresExchangeInTilesFromMultiplesOf8) {
  const Indices sizes = {200, 2 * panel};
  for (int64_t first : {0, 8, 24, 72, 136})
    forEachIndex({2, std::min<int64_t>(64, sizes[0] - first), panel}, [&](ArrayRef<int64_t> index) {
      const int64_t run = bitOf(sizes, first, index[0] * panel) / 8 / 128 * 128;
      const int64_t bit = index[2] * bits;
      const int64_t inTile = bitOf(sizes, first + index[1], index[0] * panel + index[2]) - run * 8;
      ASSERT_EQ(inTile, swizzled(index[1] * 128 + bit / 8) * 8 + bit % 8);
    });
}

/// The rule is needed: from row 4, the tile's exchange would be another one.
TEST_P(Panels, LoseTheExchangeInTilesFromOtherRows) {
  const Indices sizes = {16, panel};
  EXPECT_NE(bitOf(sizes, 4, 0) - 4 * 1024, swizzled(0) * 8);
}

TEST_P(Panels, HoldATileOfOneKBlockAsOneRun) {
  const Indices sizes = {120, 3 * panel - 1};
  for (int64_t block = 0; block < 3; ++block)
    for (int64_t first = 0; first < sizes[0]; first += 8)
      for (int64_t rows : {8, 16, 64}) {
        if (first + rows > sizes[0])
          continue;
        const int64_t columns = std::min(panel, sizes[1] - block * panel);
        int64_t least = INT64_MAX, most = 0;
        forEachIndex({rows, columns}, [&](ArrayRef<int64_t> index) {
          const int64_t offset = layout.offsetOf(sizes, {first + index[0], block * panel + index[1]});
          least = std::min(least, offset);
          most = std::max(most, offset);
        });
        // The run of rows * 128 bytes from the tile's first, of which the last block may end in padding.
        const int64_t start = (block * 128 + first) * panel;
        EXPECT_GE(least, start);
        EXPECT_LT(most, start + rows * panel);
        if (columns == panel) {
          EXPECT_EQ(least, start);
          EXPECT_EQ(most, start + rows * panel - 1);
        }
      }
}

TEST_P(Panels, InSharedMemoryAreTheLayoutOfAMatrixOfOnePanel) {
  const Indices sizes = {192, 3 * panel}, tile = {64, panel};
  const int64_t start = (1 * 192 + 72) * panel;
  forEachIndex(tile, [&](ArrayRef<int64_t> index) {
    ASSERT_EQ(layout.offsetOf(sizes, {72 + index[0], panel + index[1]}) - start,
              layout.offsetOf(tile, index));
  });
}

TEST_P(Panels, PadRowsTo16AndKTo128Bytes) {
  for (int64_t rows : {1, 7, 16, 64, 120, 129, 192, 1000})
    for (int64_t k : {1, 7, 16, 64, 120, 129, 192, 1000})
      EXPECT_EQ(layout.storedBytes({rows, k}), roundedUp(k, panel) * bits / 8 * roundedUp(rows, 16));
}

TEST_P(Panels, NeedZerosBehindKOfRealRowsAlone) {
  const Indices sizes = {7, panel + 1};
  forEachIndex(layout.storedShape(sizes), [&](ArrayRef<int64_t> stored) {
    const Indices logical = layout.logicalIndices(sizes, stored);
    ASSERT_EQ(layout.isZeroPadding(sizes, stored), logical[0] < 7 && logical[1] > panel);
  });
}

TEST_P(Panels, StandInBatchesAndKeepTheirZeroPadding) {
  const Layout batched = layout.batched(1);
  const Indices sizes = {2, 7, 1};
  EXPECT_TRUE(batched.isZeroPadding(sizes, batched.storedIndices({2, 7, 2}, {1, 6, 1})));
  EXPECT_FALSE(batched.isZeroPadding(sizes, batched.storedIndices({2, 8, 1}, {1, 7, 0})));
}

/// Of an operand whose contraction is first: a row for each element of the contraction. A descriptor says how
/// far apart panels are and how far 8 of those rows; the swizzle is that of the address.
TEST(PanelsOfATransposedOperand, AreWhatADescriptorReadsAcrossRows) {
  const Layout layout = layoutOf(LayoutKind::Panels, 16);
  const int64_t contracted = 64, rowsOfPanel = 64, bytes = 2, step = 16;
  const int64_t fromPanelToPanel = contracted * panelBytes, from8To8 = 8 * panelBytes;
  for (int64_t rows : {64, 176, 192, 256})
    for (int64_t first = 0; first < contracted; first += step)
      forEachIndex({step, rows}, [&](ArrayRef<int64_t> index) {
        const int64_t k = index[0], row = index[1], start = first * panelBytes;
        const int64_t address = start + row / rowsOfPanel * fromPanelToPanel + k / 8 * from8To8 +
                                k % 8 * panelBytes + row % rowsOfPanel * bytes;
        ASSERT_EQ(layout.offsetOf({contracted, rows}, {first + k, row}) * bytes, swizzled(address));
      });
}

/// A wave's rows are one panel: it starts as many rows of 128 bytes on as in an operand whose contraction is
/// last.
TEST(PanelsOfATransposedOperand, HoldTheRowsOfAWaveEach) {
  const Layout layout = layoutOf(LayoutKind::Panels, 16);
  for (int64_t wave : {0, 64, 128, 192})
    EXPECT_EQ(layout.offsetOf({64, 256}, {0, wave}) * 2, wave * panelBytes);
}

INSTANTIATE_TEST_SUITE_P(Widths, Panels, testing::Values(4u, 8u, 16u));

TEST(Panels4Bits, HaveTheEarlierCodeInTheLowNibble) {
  const Layout layout = layoutOf(LayoutKind::Panels, 4);
  const Indices sizes = {16, 512};
  forEachIndex({16, 256}, [&](ArrayRef<int64_t> index) {
    const Indices low = {index[0], 2 * index[1]}, high = {index[0], 2 * index[1] + 1};
    ASSERT_EQ(evaluate(layout.byteOffset(), low, sizes), evaluate(layout.byteOffset(), high, sizes));
    ASSERT_EQ(layout.offsetOf(sizes, low) % 2, 0);
    ASSERT_EQ(layout.offsetOf(sizes, high) % 2, 1);
  });
}

/// The page that explains layouts shows this text, and a reader in another language takes it as it is.
TEST(Panels8Bits, AreThisMap) {
  std::string text;
  llvm::raw_string_ostream(text) << layoutOf(LayoutKind::Panels, 8).map();
  EXPECT_EQ(text,
            "(d0, d1)[s0, s1] -> (d1 floordiv 128, d0, d1 mod 16 + ((d1 floordiv 16 + d0) mod 2) * 16 + "
            "((d1 floordiv 32 + d0 floordiv 2) mod 2) * 32 + "
            "((d1 floordiv 64 + d0 floordiv 4) mod 2) * 64)");
}

/// Eight lanes name eight 16-byte chunks at a time; two in one column of 16 bytes of shared memory (32 banks,
/// 128 bytes) are served one after the other.
int conflicts(ArrayRef<int64_t> chunks) {
  std::set<int64_t> columns;
  for (int64_t chunk : chunks)
    columns.insert(chunk % 8);
  return int(chunks.size() - columns.size());
}

class Addresses : public testing::TestWithParam<LayoutKind> {};

TEST_P(Addresses, MeetNoBankConflictInPanels) {
  const Layout lanes = layoutOf(GetParam(), 128), panels = layoutOf(LayoutKind::Panels, 128);
  const AffineMap addresses = panels.mapFrom(lanes);
  const Indices tile = {64, 8};
  const Indices shape = lanes.storedShape(tile);
  int inPanels = 0, inRows = 0;
  for (int64_t matrix = 0; matrix < 4; ++matrix)
    forEachIndex({shape[1], shape[2]}, [&](ArrayRef<int64_t> step) {
      SmallVector<int64_t> chunks, unexchanged;
      for (int64_t lane = 8 * matrix; lane < 8 * matrix + 8; ++lane) {
        const Indices stored = {lane, step[0], step[1]};
        const SmallVector<int64_t> place = evaluate(addresses, stored, tile);
        EXPECT_EQ(place[0], 0);
        chunks.push_back(place[1] * 8 + place[2]);
        const Indices logical = lanes.logicalIndices(tile, stored);
        unexchanged.push_back(logical[0] * 8 + logical[1]);
      }
      inPanels += conflicts(chunks);
      inRows += conflicts(unexchanged);
    });
  EXPECT_EQ(inPanels, 0);
  // The count can fail: rows of 128 bytes without the exchange meet in one column, all eight.
  EXPECT_EQ(inRows, 4 * shape[1] * shape[2] * 7);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Addresses,
                         testing::Values(LayoutKind::LdmatrixA, LayoutKind::LdmatrixB, LayoutKind::Stmatrix),
                         [](const auto &kind) { return nameOf(kind.param).str(); });

} // namespace
