// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole products of MXFP8 and NVFP4 as a warp's mma with block_scale computes them, without the chip:
// operands and scales are stored by layouts, copied to shared memory, gathered into registers by layouts,
// multiplied exactly by what PTX documents of each lane, and scattered. All padding that writers need not
// write is NaN.

#include "Breach.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;
using namespace mlir;

namespace {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t poison = 0xFF;
constexpr int64_t lanes = 32, chunksOfRow = 8, stageBytes = 128, stepBytes = 32, tileOfScales = 512;

/// What is multiplied: an instruction, its codes and scales.
struct Kind {
  const char *name;
  FormatId lhs, rhs, scale;
  int64_t bits, elementsOfScale;

  int64_t stage() const { return stageBytes * 8 / bits; }
  int64_t step() const { return stepBytes * 8 / bits; }
  /// Scales of a row that an instruction takes, and tiles of them in a stage.
  int64_t blocks() const { return step() / elementsOfScale; }
  int64_t scaleTiles() const { return stage() / elementsOfScale / 4; }
};

std::ostream &operator<<(std::ostream &os, const Kind &kind) { return os << kind.name; }

/// A number as a multiple of 2^-18, exactly; or a NaN.
struct Exact {
  __int128 value = 0;
  bool isNan = false;
};

const Exact &exact(FormatId id, uint8_t code) {
  static std::map<FormatId, std::vector<Exact>> tables;
  std::vector<Exact> &table = tables[id];
  for (uint32_t i = table.size(); i < 256; ++i) {
    Host host;
    const float number = floatOf(decode(host, format(id), i));
    // A scale of 2^127 does not fit, and none is used.
    const bool isUsed = std::fabs(number) < std::ldexp(1.0f, 64);
    table.push_back({isUsed ? __int128(std::ldexp(double(number), 18)) : 0, std::isnan(number)});
  }
  return table[code];
}

void add(Exact &sum, const Exact &a, const Exact &sa, const Exact &b, const Exact &sb) {
  sum.value += ((a.value * b.value) >> 18) * ((sa.value * sb.value) >> 18);
  sum.isNan |= a.isNan || sa.isNan || b.isNan || sb.isNan;
}

/// An operand [rows, k]: logical codes and scales, and what is stored of them.
struct Operand {
  FormatId code;
  int64_t rows, k;
  Bytes codes, scales, storedCodes, storedScales;
};

uint8_t readBits(const Bytes &memory, int64_t element, int64_t bits) {
  return bits == 8 ? memory[element] : (memory[element / 2] >> (element % 2 * 4)) & 0xF;
}

void writeBits(Bytes &memory, int64_t element, int64_t bits, uint8_t code) {
  if (bits == 8)
    memory[element] = code;
  else
    memory[element / 2] =
        uint8_t((memory[element / 2] & (0xF0 >> (element % 2 * 4))) | code << (element % 2 * 4));
}

/// Stores logical elements, zeros where a layout wants them, and poison elsewhere.
Bytes store(const Layout &layout, ArrayRef<int64_t> sizes, const Bytes &logical) {
  const int64_t bits = layout.elementBits();
  Bytes stored(layout.storedBytes(sizes), poison);
  const Indices shape = layout.storedShape(sizes);
  int64_t element = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    if (layout.isZeroPadding(sizes, at))
      writeBits(stored, element, bits, 0);
    else if (!layout.isPadding(sizes, at)) {
      const Indices index = layout.logicalIndices(sizes, at);
      writeBits(stored, element, bits, logical[index[0] * sizes[1] + index[1]]);
    }
    ++element;
  });
  return stored;
}

Operand makeOperand(const Kind &kind, FormatId code, int64_t rows, int64_t k, unsigned seed) {
  std::mt19937 random(seed);
  Operand operand = {code, rows, k, {}, {}, {}, {}};
  const int64_t blocks = (k + kind.elementsOfScale - 1) / kind.elementsOfScale;
  while (int64_t(operand.codes.size()) < rows * k) {
    const uint8_t drawn = uint8_t(random()) & uint8_t((1 << kind.bits) - 1);
    // Only codes of a size whose products are multiples of 2^-18.
    const Exact value = exact(code, drawn);
    if (!value.isNan && value.value % (1 << 9) == 0)
      operand.codes.push_back(drawn);
  }
  for (int64_t i = 0; i < rows * blocks; ++i)
    operand.scales.push_back(kind.scale == FormatId::F8E8M0FNU ? uint8_t(120 + random() % 12)
                                                               : uint8_t(random() % 0x7F));
  operand.storedCodes = store(layoutOf(LayoutKind::Panels, kind.bits), {rows, k}, operand.codes);
  operand.storedScales = store(layoutOf(LayoutKind::Tiles128x4, 8), {rows, blocks}, operand.scales);
  return operand;
}

/// What a stage of one operand is in shared memory: rows from `row` on of a panel, and their tiles of scales,
/// of which the last along k stands for those behind it.
struct Stage {
  Bytes codes;
  std::vector<Bytes> scales;
};

Stage copyStage(const Kind &kind, const Operand &operand, int64_t row, int64_t rows, int64_t block) {
  const int64_t padded = (operand.rows + 15) / 16 * 16;
  Stage stage = {Bytes(rows * stageBytes, poison), {}};
  const int64_t count = std::min(rows, padded - row) * stageBytes;
  std::copy_n(operand.storedCodes.begin() + (block * padded + row) * stageBytes, count, stage.codes.begin());
  const int64_t blocks = (operand.k + kind.elementsOfScale - 1) / kind.elementsOfScale,
                tiles = (blocks + 3) / 4;
  for (int64_t i = 0; i < kind.scaleTiles(); ++i) {
    const int64_t tile = row / 128 * tiles + std::min(block * kind.scaleTiles() + i, tiles - 1);
    const auto *from = operand.storedScales.data() + tile * tileOfScales;
    stage.scales.emplace_back(from, from + tileOfScales);
  }
  return stage;
}

/// ldmatrix.x4, at 16 rows and 32 bytes: [lane][register][byte].
Bytes loadMatrices(const Stage &stage, LayoutKind kind, int64_t rows, int64_t firstRow, int64_t step) {
  const AffineMap place = layoutOf(LayoutKind::Panels, 128).mapFrom(layoutOf(kind, 128));
  Bytes registers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t matrix = 0; matrix < 4; ++matrix) {
      const Indices named = evaluate(place, {8 * matrix + lane / 4, 0, step}, {rows, chunksOfRow});
      const auto *from =
          stage.codes.data() + (firstRow + named[1]) * stageBytes + named[2] * 16 + lane % 4 * 4;
      registers.insert(registers.end(), from, from + 4);
    }
  return registers;
}

/// A register of scales for 32 rows: [lane][byte].
Bytes loadScales(const Bytes &tile, int64_t row) {
  const Layout tiles = layoutOf(LayoutKind::Tiles128x4, 8);
  const AffineMap place = tiles.mapFrom(layoutOf(LayoutKind::MmaScales, 8));
  Bytes registers;
  forEachIndex({lanes, 4}, [&](ArrayRef<int64_t> at) {
    const Indices where = evaluate(place, {at[0], row / 32, 0, at[1]}, {128, 4});
    registers.push_back(tile[where[2] * 16 + where[3] * 4 + where[4]]);
  });
  return registers;
}

/// The operands of one instruction.
struct Instruction {
  Bytes lhs, rhs, lhsScales, rhsScales;
  SmallVector<int64_t> lhsSelector, rhsSelector;
};

/// mma m16n8k32 or m16n8k64 with block_scale as PTX documents it: what lane 4 g + p holds of A, B and C, and
/// who supplies scales.
void multiply(const Kind &kind, const Instruction &made, std::vector<Exact> &accumulators) {
  const int64_t inWord = 32 / kind.bits;
  auto codeOf = [&](const Bytes &registers, int64_t words, int64_t lane, int64_t word, int64_t element) {
    return readBits(registers, (lane * words + word) * inWord + element, kind.bits);
  };
  forEachIndex({lanes, 4}, [&](ArrayRef<int64_t> at) {
    const int64_t g = at[0] / 4, p = at[0] % 4, row = g + at[1] / 2 * 8, column = 2 * p + at[1] % 2;
    Exact &sum = accumulators[at[0] * 4 + at[1]];
    for (int64_t k = 0; k < kind.step(); ++k) {
      // Half of k, place in the group of four lanes, element of a register.
      const int64_t half = k / (4 * inWord), inGroup = k / inWord % 4, element = k % inWord;
      const uint8_t a = codeOf(made.lhs, 4, 4 * (row % 8) + inGroup, 2 * half + row / 8, element);
      const uint8_t b = codeOf(made.rhs, 2, 4 * column + inGroup, half, element);
      const int64_t block = k / kind.elementsOfScale;
      const int64_t laneOfA = 4 * (row % 8) + 2 * made.lhsSelector[0] + row / 8;
      const int64_t laneOfB = 4 * column + made.rhsSelector[0];
      add(sum, exact(kind.lhs, a),
          exact(kind.scale, made.lhsScales[laneOfA * 4 + made.lhsSelector[1] + block]), exact(kind.rhs, b),
          exact(kind.scale, made.rhsScales[laneOfB * 4 + made.rhsSelector[1] + block]));
    }
  });
}

/// 16 rows and 16 columns of the result from a tile's row and column on: two instructions, one after the
/// other.
std::vector<Exact> multiplyPart(const Kind &kind, const Operand &lhs, const Operand &rhs,
                                ArrayRef<int64_t> tile, ArrayRef<int64_t> part) {
  constexpr int64_t tileRows = 128;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  const AffineMap ofLhs = mmaScaleSelector(&context, ScaledOperand::A, kind.blocks()),
                  ofRhs = mmaScaleSelector(&context, ScaledOperand::B, kind.blocks());
  std::vector<Exact> accumulators(2 * lanes * 4);
  for (int64_t block = 0; block * kind.stage() < lhs.k; ++block) {
    const Stage a = copyStage(kind, lhs, tile[0], tileRows, block),
                b = copyStage(kind, rhs, tile[1], tileRows, block);
    for (int64_t step = 0; step < stageBytes / stepBytes; ++step) {
      const int64_t firstBlock = step * kind.blocks(), inTile = firstBlock % 4;
      const Bytes loaded = loadMatrices(b, LayoutKind::LdmatrixB, tileRows, part[1], step);
      for (int64_t half : {0, 1}) {
        const int64_t column = part[1] + half * 8;
        Instruction made = {loadMatrices(a, LayoutKind::LdmatrixA, tileRows, part[0], step),
                            {},
                            loadScales(a.scales[firstBlock / 4], part[0]),
                            loadScales(b.scales[firstBlock / 4], column),
                            evaluate(ofLhs, {part[0], inTile}, {}),
                            evaluate(ofRhs, {column, inTile}, {})};
        // Registers 0 and 1 are the first eight columns', 2 and 3 the next eight's.
        for (int64_t lane = 0; lane < lanes; ++lane)
          made.rhs.insert(made.rhs.end(), loaded.begin() + lane * 16 + half * 8,
                          loaded.begin() + lane * 16 + half * 8 + 8);
        std::vector<Exact> sums(accumulators.begin() + half * lanes * 4,
                                accumulators.begin() + (half + 1) * lanes * 4);
        multiply(kind, made, sums);
        std::copy(sums.begin(), sums.end(), accumulators.begin() + half * lanes * 4);
      }
    }
  }
  return accumulators;
}

Exact reference(const Kind &kind, const Operand &lhs, const Operand &rhs, int64_t row, int64_t column) {
  const int64_t blocks = (lhs.k + kind.elementsOfScale - 1) / kind.elementsOfScale;
  Exact sum;
  for (int64_t k = 0; k < lhs.k; ++k)
    add(sum, exact(kind.lhs, lhs.codes[row * lhs.k + k]),
        exact(kind.scale, lhs.scales[row * blocks + k / kind.elementsOfScale]),
        exact(kind.rhs, rhs.codes[column * lhs.k + k]),
        exact(kind.scale, rhs.scales[column * blocks + k / kind.elementsOfScale]));
  return sum;
}

class ScaledProduct : public testing::TestWithParam<std::tuple<Kind, Indices>> {};

TEST_P(ScaledProduct, IsTheReferenceBitForBit) {
  const Kind &kind = std::get<0>(GetParam());
  const Indices &sizes = std::get<1>(GetParam());
  const Operand lhs = makeOperand(kind, kind.lhs, sizes[0], sizes[2], 1),
                rhs = makeOperand(kind, kind.rhs, sizes[1], sizes[2], 2);
  const Layout held = layoutOf(LayoutKind::MmaC, 32);
  // Every part of the result that has an element; the tiles are 128x128.
  forEachIndex({(sizes[0] + 15) / 16, (sizes[1] + 15) / 16}, [&](ArrayRef<int64_t> number) {
    const Indices first = {number[0] * 16, number[1] * 16};
    const Indices tile = {first[0] / 128 * 128, first[1] / 128 * 128},
                  part = {first[0] % 128, first[1] % 128};
    const std::vector<Exact> sums = multiplyPart(kind, lhs, rhs, tile, part);
    forEachIndex({16, 16}, [&](ArrayRef<int64_t> at) {
      const int64_t row = first[0] + at[0], column = first[1] + at[1];
      if (row >= sizes[0] || column >= sizes[1])
        return;
      const Indices place = held.storedIndices({16, 16}, at);
      const Exact &sum = sums[(place[2] * lanes + place[0]) * 4 + place[3]];
      ASSERT_FALSE(sum.isNan) << row << ", " << column;
      ASSERT_TRUE(sum.value == reference(kind, lhs, rhs, row, column).value) << row << ", " << column;
    });
  });
}

const Kind kinds[] = {{"mxfp8", FormatId::F8E4M3FN, FormatId::F8E4M3FN, FormatId::F8E8M0FNU, 8, 32},
                      {"mxfp8_mixed", FormatId::F8E4M3FN, FormatId::F8E5M2, FormatId::F8E8M0FNU, 8, 32},
                      {"nvfp4", FormatId::F4E2M1FN, FormatId::F4E2M1FN, FormatId::F8E4M3FN, 4, 16}};

// Of whole tiles; ragged in all sizes; a contraction whose last stage has fewer tiles of scales than others.
INSTANTIATE_TEST_SUITE_P(Sizes, ScaledProduct,
                         testing::Combine(testing::ValuesIn(kinds),
                                          testing::Values(Indices{32, 32, 256}, Indices{135, 40, 200},
                                                          Indices{20, 150, 272})));

} // namespace
