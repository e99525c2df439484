// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments are what the instructions are documented to hold, and what ldmatrix and stmatrix, imitated here,
// move.

#include "Breach.h"

#include <gtest/gtest.h>
#include <set>

using namespace fp8opt;
using namespace fp8opt::test;
using namespace mlir;

namespace {

TEST(WgmmaAccumulator, IsAsDocumentedForEveryThreadAndRegister) {
  const Layout layout = layoutOf(LayoutKind::WgmmaAccumulator, 32);
  for (int64_t n : {8, 64, 120, 128, 256}) {
    const Indices sizes = {64, n};
    EXPECT_EQ(layout.storedShape(sizes), (Indices{128, 1, n / 2}));
    for (int64_t t = 0; t < 128; ++t) {
      const int64_t w = t / 32, g = t % 32 / 4, p = t % 4;
      for (int64_t i = 0; i < n / 8; ++i)
        for (int64_t low : {0, 1}) {
          ASSERT_EQ(layout.logicalIndices(sizes, {t, 0, 4 * i + low}),
                    (Indices{16 * w + g, 8 * i + 2 * p + low}));
          ASSERT_EQ(layout.logicalIndices(sizes, {t, 0, 4 * i + 2 + low}),
                    (Indices{16 * w + g + 8, 8 * i + 2 * p + low}));
        }
    }
  }
}

TEST(WgmmaAccumulator, NeedsTwoRowScalesAThread) {
  const Layout layout = layoutOf(LayoutKind::WgmmaAccumulator, 32);
  for (int64_t t = 0; t < 128; ++t) {
    std::set<int64_t> rows;
    for (int64_t held = 0; held < 128; ++held)
      rows.insert(layout.logicalIndices({64, 256}, {t, 0, held})[0]);
    EXPECT_EQ(rows.size(), 2u);
  }
}

TEST(WgmmaAccumulator, OfAWarpIsMmaC) {
  const Layout wgmma = layoutOf(LayoutKind::WgmmaAccumulator, 32), mma = layoutOf(LayoutKind::MmaC, 32);
  forEachIndex({16, 64}, [&](ArrayRef<int64_t> index) {
    const Indices thread = wgmma.storedIndices({64, 64}, {32 + index[0], index[1]});
    const Indices lane = mma.storedIndices({16, 64}, index);
    ASSERT_EQ(thread[0], 64 + lane[0]);
    ASSERT_EQ(thread[2], lane[2] * 4 + lane[3]);
  });
}

class MmaFragments : public testing::TestWithParam<unsigned> {
protected:
  unsigned bits = GetParam();
  int64_t inWord = 32 / bits, depth = 256 / bits;
};

TEST_P(MmaFragments, AreAsDocumentedForEveryLane) {
  const Layout a = layoutOf(LayoutKind::MmaA, bits), b = layoutOf(LayoutKind::MmaB, bits);
  const Layout c = layoutOf(LayoutKind::MmaC, 32);
  for (int64_t g = 0; g < 8; ++g)
    for (int64_t p = 0; p < 4; ++p) {
      const int64_t lane = 4 * g + p;
      for (int64_t e = 0; e < inWord; ++e) {
        const int64_t near = inWord * p + e, far = depth / 2 + near;
        const Indices inA[] = {{g, near}, {g + 8, near}, {g, far}, {g + 8, far}};
        for (int64_t held = 0; held < 4; ++held)
          ASSERT_EQ(a.logicalIndices({16, depth}, {lane, 0, 0, held, e}), inA[held]);
        ASSERT_EQ(b.logicalIndices({8, depth}, {lane, 0, 0, 0, e}), (Indices{g, near}));
        ASSERT_EQ(b.logicalIndices({8, depth}, {lane, 0, 0, 1, e}), (Indices{g, far}));
      }
      const Indices inC[] = {{g, 2 * p}, {g, 2 * p + 1}, {g + 8, 2 * p}, {g + 8, 2 * p + 1}};
      for (int64_t held = 0; held < 4; ++held)
        ASSERT_EQ(c.logicalIndices({16, 8}, {lane, 0, 0, held}), inC[held]);
    }
}

/// Memory or registers by nibbles, the narrowest elements there are; each knows which nibble of the matrix it
/// holds.
using Nibbles = std::vector<int64_t>;

/// A matrix as a layout stores it. A nibble of an element is known by its place in a plain row-major matrix.
Nibbles stored(const Layout &layout, ArrayRef<int64_t> sizes, unsigned bits) {
  Nibbles memory(layout.storedBytes(sizes) * 2, -1);
  const int64_t nibbles = bits / 4;
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    for (int64_t i = 0; i < nibbles; ++i)
      memory[layout.offsetOf(sizes, index) * nibbles + i] = (index[0] * sizes[1] + index[1]) * nibbles + i;
  });
  return memory;
}

/// ldmatrix.x4 of matrices of eight rows of 16 bytes: lane l gets bytes 4 (l mod 4) of row l / 4 of each
/// matrix i, whose addresses lanes 8 i to 8 i + 7 name. Returns [lane][register][nibble].
Nibbles ldmatrix(const Nibbles &memory, llvm::function_ref<int64_t(int64_t lane)> byteAddress) {
  Nibbles registers;
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t matrix = 0; matrix < 4; ++matrix)
      for (int64_t i = 0; i < 8; ++i)
        registers.push_back(memory[(byteAddress(8 * matrix + lane / 4) + lane % 4 * 4) * 2 + i]);
  return registers;
}

/// Where in bytes the lanes of an addressing layout look for step (i, j) of a tile in shared memory.
int64_t byteAddress(LayoutKind kind, ArrayRef<int64_t> step, int64_t lane) {
  const Layout panels = layoutOf(LayoutKind::Panels, 128);
  const Indices tile = {64, 8};
  const SmallVector<int64_t> place =
      evaluate(panels.mapFrom(layoutOf(kind, 128)), {lane, step[0], step[1]}, tile);
  return (place[1] * 8 + place[2]) * 16;
}

TEST_P(MmaFragments, AreWhatLdmatrixLoadsFromPanels) {
  const Indices tile = {64, 1024 / int64_t(bits)};
  const Nibbles memory = stored(layoutOf(LayoutKind::Panels, bits), tile, bits);
  const Nibbles a = stored(layoutOf(LayoutKind::MmaA, bits), tile, bits);
  const Nibbles b = stored(layoutOf(LayoutKind::MmaB, bits), tile, bits);
  // Steps of 16 rows and 32 bytes; a register is 8 nibbles.
  forEachIndex({4, 4}, [&](ArrayRef<int64_t> step) {
    auto load = [&](LayoutKind kind) {
      return ldmatrix(memory, [&](int64_t lane) { return byteAddress(kind, step, lane); });
    };
    const Nibbles loadedA = load(LayoutKind::LdmatrixA), loadedB = load(LayoutKind::LdmatrixB);
    forEachIndex({32, 4, 8}, [&](ArrayRef<int64_t> at) {
      const int64_t lane = at[0], held = at[1], nibble = at[2];
      const int64_t loaded = (lane * 4 + held) * 8 + nibble;
      ASSERT_EQ(loadedA[loaded], a[(((lane * 4 + step[0]) * 4 + step[1]) * 4 + held) * 8 + nibble]);
      // Registers 0 and 1 are the first eight rows' B, 2 and 3 the next eight rows'.
      const int64_t tileOfB = step[0] * 2 + held / 2;
      ASSERT_EQ(loadedB[loaded], b[(((lane * 8 + tileOfB) * 4 + step[1]) * 2 + held % 2) * 8 + nibble]);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Widths, MmaFragments, testing::Values(4u, 8u, 16u));

/// A warp's accumulators, rounded to 16 bits and packed in pairs, go to the place in a tile of 64 columns
/// that panels of 16-bit elements have for them.
TEST(Stmatrix, WritesAccumulatorsAsPanels) {
  const Layout accumulator = layoutOf(LayoutKind::MmaC, 32);
  const Indices tile = {64, 64};
  Nibbles memory(64 * 64 * 4, -1);
  forEachIndex({4, 4}, [&](ArrayRef<int64_t> step) {
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t matrix = 0; matrix < 4; ++matrix)
        for (int64_t half : {0, 1}) {
          // Packed register `matrix` of the instruction: rows of eight and columns of eight alternate.
          const Indices index = accumulator.logicalIndices(
              tile, {lane, step[0], step[1] * 2 + matrix / 2, matrix % 2 * 2 + half});
          const int64_t row = byteAddress(LayoutKind::Stmatrix, step, 8 * matrix + lane / 4);
          for (int64_t i = 0; i < 4; ++i)
            memory[(row + lane % 4 * 4 + half * 2) * 2 + i] = (index[0] * 64 + index[1]) * 4 + i;
        }
  });
  EXPECT_EQ(memory, stored(layoutOf(LayoutKind::Panels, 16), tile, 16));
}

/// What an mma with block_scale takes for row `row` of A or column `row` of B and its `block`-th scale: PTX's
/// rule.
int64_t suppliedBy(ScaledOperand operand, const Nibbles &registers, int64_t row, int64_t block,
                   ArrayRef<int64_t> selector) {
  const int64_t lane =
      operand == ScaledOperand::A ? 4 * (row % 8) + 2 * selector[0] + row / 8 : 4 * row + selector[0];
  return registers[lane * 4 + selector[1] + block];
}

class MmaScales : public testing::TestWithParam<std::tuple<ScaledOperand, unsigned>> {
protected:
  ScaledOperand operand = std::get<0>(GetParam());
  unsigned blocksPerInstruction = std::get<1>(GetParam());
};

TEST_P(MmaScales, ReachTheScaleOfEveryRowAndBlock) {
  const Layout scales = layoutOf(LayoutKind::MmaScales, 8);
  const AffineMap selector = mmaScaleSelector(scales.map().getContext(), operand, blocksPerInstruction);
  const Indices sizes = {128, 8};
  const int64_t rows = operand == ScaledOperand::A ? 16 : 8, blocks = blocksPerInstruction;
  // The registers that a warp holds for 32 rows and 4 blocks, and all instructions that they serve.
  forEachIndex({4, 2}, [&](ArrayRef<int64_t> group) {
    Nibbles registers;
    forEachIndex({32, 4}, [&](ArrayRef<int64_t> at) {
      const Indices held = scales.logicalIndices(sizes, {at[0], group[0], group[1], at[1]});
      registers.push_back(held[0] * 8 + held[1]);
    });
    forEachIndex({32 / rows, 4 / blocks}, [&](ArrayRef<int64_t> instruction) {
      const int64_t firstRow = group[0] * 32 + instruction[0] * rows;
      const int64_t firstBlock = group[1] * 4 + instruction[1] * blocks;
      const SmallVector<int64_t> selected = evaluate(selector, {firstRow, firstBlock}, {});
      forEachIndex({rows, blocks}, [&](ArrayRef<int64_t> at) {
        ASSERT_EQ(suppliedBy(operand, registers, at[0], at[1], selected),
                  (firstRow + at[0]) * 8 + firstBlock + at[1]);
      });
    });
  });
}

TEST_P(MmaScales, AreSelectedInTheRangesThatTheAssemblerChecks) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  const AffineMap selector = mmaScaleSelector(&context, operand, blocksPerInstruction);
  std::set<int64_t> threads, bytes;
  forEachIndex({256, 16}, [&](ArrayRef<int64_t> index) {
    const SmallVector<int64_t> at = evaluate(selector, index, {});
    threads.insert(at[0]);
    bytes.insert(at[1]);
  });
  EXPECT_EQ(threads, (operand == ScaledOperand::A ? std::set<int64_t>{0, 1} : std::set<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(bytes, (blocksPerInstruction == 1   ? std::set<int64_t>{0, 1, 2, 3}
                    : blocksPerInstruction == 2 ? std::set<int64_t>{0, 2}
                                                : std::set<int64_t>{0}));
}

INSTANTIATE_TEST_SUITE_P(Operands, MmaScales,
                         testing::Combine(testing::Values(ScaledOperand::A, ScaledOperand::B),
                                          testing::Values(1u, 2u, 4u)));

/// Lane l reads word 8 (l mod 4) + l / 4 of a tile, group of 32 rows by group.
TEST(ScaleRegisters, AreWordsOfTiles128x4) {
  const Layout tiles = layoutOf(LayoutKind::Tiles128x4, 8), scales = layoutOf(LayoutKind::MmaScales, 8);
  const Indices sizes = {128, 4};
  const AffineMap load = tiles.mapFrom(scales);
  forEachIndex({32, 4, 4}, [&](ArrayRef<int64_t> at) {
    const int64_t lane = at[0], group = at[1], byte = at[2];
    const SmallVector<int64_t> place = evaluate(load, {lane, group, 0, byte}, sizes);
    EXPECT_EQ(place[0], 0);
    EXPECT_EQ(place[1], 0);
    ASSERT_EQ(place[2] * 16 + place[3] * 4 + place[4], (8 * (lane % 4) + lane / 4) * 16 + 4 * group + byte);
  });
}

} // namespace
