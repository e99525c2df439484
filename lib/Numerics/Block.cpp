// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks tensors row by row. Each row has its factors spread out beside it, so that the loops over elements
// are plain loops over arrays whatever the blocks look like.

#include "fp8-opt/Numerics/Block.h"

#include "fp8-opt/Numerics/Host.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace fp8opt::numerics;

using Words = std::vector<uint32_t>;

static int64_t product(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
}

namespace {
/// The blocks of one level: their extents, and how many there are along each dimension.
struct Grid {
  Grid(const ScaleLevel &level, const Shape &shape) : block(shape.size(), 1), counts(shape) {
    const bool perMatrix = level.block.empty();
    const size_t given = perMatrix ? std::min<size_t>(2, shape.size()) : level.block.size();
    for (size_t i = 0; i < given; ++i) {
      const size_t dimension = shape.size() - given + i;
      const bool whole = perMatrix || level.block[i] < 0;
      block[dimension] = whole ? std::max<int64_t>(1, shape[dimension]) : level.block[i];
      counts[dimension] = whole ? 1 : (shape[dimension] + block[dimension] - 1) / block[dimension];
    }
  }
  /// The index of the scale of the element at `position`.
  int64_t indexAt(const Shape &position) const {
    int64_t index = 0;
    for (size_t i = 0; i < position.size(); ++i)
      index = index * counts[i] + position[i] / block[i];
    return index;
  }
  /// The first element of a block.
  Shape positionOf(int64_t index) const {
    Shape position(counts.size());
    for (size_t i = counts.size(); i-- > 0; index /= counts[i])
      position[i] = index % counts[i] * block[i];
    return position;
  }

  Shape block, counts;
};

/// A tensor of some shape under a scheme.
class Tensor {
public:
  Tensor(const Scheme &scheme, FormatId expressed, Shape wholeShape)
      : code(format(scheme.code)), conversion(conversionOf(scheme)), shape(std::move(wholeShape)),
        arithmetic(host, scheme, expressed) {
    if (shape.empty())
      shape = {1};
    columns = shape.back();
    for (const ScaleLevel &level : scheme.levels)
      grids.emplace_back(level, shape);
  }

  std::vector<Words> amaxes(const Numbers &input);
  /// Calls `visit(words)` for each innermost block in order, with one word of each level for it.
  template <class Visit> void forEachBlock(const std::vector<Words> &levels, Visit visit) const;
  std::vector<uint8_t> encodeAll(const Numbers &input, const Words &factors, const uint32_t *randomBits);
  std::vector<float> decodeAll(const std::vector<uint8_t> &codes, const Words &factors,
                               const Format &expressed);
  SchemeArithmetic<Host> &scales() { return arithmetic; }

private:
  /// Calls `visit(index of the first element, its position)` for each row along the last dimension.
  template <class Visit> void forEachRow(Visit visit) const;
  /// Spreads the value of each innermost block over the elements of a row.
  void spread(const Words &values, const Shape &position, Words &row) const;

  Host host;
  const Format &code;
  const Conversion conversion;
  Shape shape;
  int64_t columns;
  SchemeArithmetic<Host> arithmetic;
  std::vector<Grid> grids;
};
} // namespace

template <class Visit> void Tensor::forEachRow(Visit visit) const {
  Shape position(shape.size(), 0);
  const int64_t size = product(shape);
  for (int64_t first = 0; first < size; first += columns) {
    visit(first, position);
    for (size_t i = shape.size() - 1; i-- > 0 && ++position[i] == shape[i];)
      position[i] = 0;
  }
}

void Tensor::spread(const Words &values, const Shape &position, Words &row) const {
  const uint32_t *value = &values[grids[0].indexAt(position)];
  const int64_t block = grids[0].block.back();
  for (int64_t column = 0; column < columns; column += block)
    std::fill(row.begin() + column, row.begin() + std::min(columns, column + block), *value++);
}

// With the format a compile-time constant and all calls inlined, the loops over elements vectorize.

template <FormatId Id, Rounding R, Overflow O>
[[gnu::flatten]] static void encodeRowTo(NanCode nan, const uint32_t *random, size_t size, uint32_t *row) {
  Host host;
  constexpr Format to = format(Id);
  const Conversion how = {R, O, nan};
  for (size_t i = 0; i < size; ++i)
    row[i] = encode(host, to, how, row[i], R == Rounding::Stochastic ? random[i] : 0);
}

template <FormatId Id>
static void encodeRowTo(const Conversion &how, const uint32_t *random, size_t size, uint32_t *row) {
#define FP8OPT_ROUNDING(R)                                                                                   \
  if (how.rounding == R)                                                                                     \
    return how.overflow == Overflow::Ieee                                                                    \
               ? encodeRowTo<Id, R, Overflow::Ieee>(how.nan, random, size, row)                              \
               : encodeRowTo<Id, R, Overflow::Saturate>(how.nan, random, size, row);
  FP8OPT_ROUNDING(Rounding::NearestEven)
  FP8OPT_ROUNDING(Rounding::TowardZero)
  FP8OPT_ROUNDING(Rounding::HalfAway)
  FP8OPT_ROUNDING(Rounding::Stochastic)
#undef FP8OPT_ROUNDING
}

template <FormatId Id> [[gnu::flatten]] static void decodeRowFrom(size_t size, uint32_t *row) {
  Host host;
  constexpr Format from = format(Id);
  for (size_t i = 0; i < size; ++i)
    row[i] = decode(host, from, row[i]);
}

static void encodeRow(FormatId to, const Conversion &how, const uint32_t *random, Words &row) {
  switch (to) {
#define FP8OPT_FORMAT(Id, name, exponentBits, mantissaBits, bias, specials)                                  \
  case FormatId::Id:                                                                                         \
    return encodeRowTo<FormatId::Id>(how, random, row.size(), row.data());
#include "fp8-opt/Numerics/Formats.def"
  }
}

static void decodeRow(FormatId from, Words &row) {
  switch (from) {
#define FP8OPT_FORMAT(Id, name, exponentBits, mantissaBits, bias, specials)                                  \
  case FormatId::Id:                                                                                         \
    return decodeRowFrom<FormatId::Id>(row.size(), row.data());
#include "fp8-opt/Numerics/Formats.def"
  }
}

static void loadRow(const Numbers &numbers, int64_t first, Words &row) {
  if (numbers.type == FormatId::F32) {
    std::memcpy(row.data(), static_cast<const uint32_t *>(numbers.elements) + first, 4 * row.size());
    return;
  }
  const uint16_t *elements = static_cast<const uint16_t *>(numbers.elements) + first;
  std::copy_n(elements, row.size(), row.begin());
  decodeRow(numbers.type, row);
}

std::vector<Words> Tensor::amaxes(const Numbers &input) {
  std::vector<Words> found;
  for (const Grid &grid : grids)
    found.emplace_back(product(grid.counts), 0);
  Words row(columns);
  forEachRow([&](int64_t first, const Shape &position) {
    loadRow(input, first, row);
    for (size_t level = 0; level < grids.size(); ++level) {
      const int64_t block = grids[level].block.back();
      uint32_t *amax = &found[level][grids[level].indexAt(position)];
      for (int64_t column = 0; column < columns; column += block, ++amax) {
        uint32_t largest = *amax;
        for (int64_t i = column, end = std::min(columns, column + block); i < end; ++i)
          largest = arithmetic.maxOf(largest, arithmetic.amaxOf(level, row[i]));
        *amax = largest;
      }
    }
  });
  return found;
}

template <class Visit> void Tensor::forEachBlock(const std::vector<Words> &levels, Visit visit) const {
  const int64_t blocksInRow = grids[0].counts.back();
  Words words(grids.size());
  for (int64_t first = 0, end = levels[0].size(); first < end; first += blocksInRow) {
    Shape position = grids[0].positionOf(first);
    for (int64_t i = 0; i < blocksInRow; ++i) {
      words[0] = levels[0][first + i];
      for (size_t level = 1; level < grids.size(); ++level)
        words[level] = levels[level][grids[level].indexAt(position)];
      visit(words);
      position.back() += grids[0].block.back();
    }
  }
}

std::vector<uint8_t> Tensor::encodeAll(const Numbers &input, const Words &factors,
                                       const uint32_t *randomBits) {
  const bool narrow = code.storageBits() == 8;
  std::vector<uint8_t> codes(product(shape) * (narrow ? 1 : 2));
  Words row(columns), rowFactors(columns);
  std::vector<uint16_t> wide(columns);
  forEachRow([&](int64_t first, const Shape &position) {
    loadRow(input, first, row);
    spread(factors, position, rowFactors);
    for (int64_t i = 0; i < columns; ++i)
      row[i] = arithmetic.scaleElement(row[i], rowFactors[i]);
    encodeRow(code.id, conversion, randomBits ? randomBits + first : nullptr, row);
    if (narrow) {
      std::copy(row.begin(), row.end(), codes.begin() + first);
    } else {
      std::copy(row.begin(), row.end(), wide.begin());
      std::memcpy(&codes[2 * first], wide.data(), 2 * columns);
    }
  });
  return codes;
}

std::vector<float> Tensor::decodeAll(const std::vector<uint8_t> &codes, const Words &factors,
                                     const Format &expressed) {
  const bool narrow = code.storageBits() == 8;
  const Conversion truncation = {Rounding::NearestEven, Overflow::Ieee, NanCode::Max};
  std::vector<float> numbers(product(shape));
  Words row(columns), rowFactors(columns);
  std::vector<uint16_t> wide(columns);
  forEachRow([&](int64_t first, const Shape &position) {
    if (narrow) {
      std::copy_n(codes.begin() + first, columns, row.begin());
    } else {
      std::memcpy(wide.data(), &codes[2 * first], 2 * columns);
      std::copy(wide.begin(), wide.end(), row.begin());
    }
    spread(factors, position, rowFactors);
    decodeRow(code.id, row);
    for (int64_t i = 0; i < columns; ++i)
      row[i] = Host::mulF(row[i], rowFactors[i]);
    if (expressed.id != FormatId::F32) {
      encodeRow(expressed.id, truncation, nullptr, row);
      decodeRow(expressed.id, row);
    }
    std::memcpy(&numbers[first], row.data(), 4 * columns);
  });
  return numbers;
}

Shape fp8opt::numerics::fullBlock(const ScaleLevel &level, const Shape &shape) {
  return Grid(level, shape).block;
}

Shape fp8opt::numerics::scaleShape(const ScaleLevel &level, const Shape &shape) {
  Shape counts = Grid(level, shape).counts;
  if (level.block.empty())
    counts.resize(shape.size() - std::min<size_t>(2, shape.size()));
  return counts;
}

static std::vector<Words> wordsOf(const std::vector<Scales> &scales) {
  std::vector<Words> levels;
  for (const Scales &level : scales)
    levels.push_back(level.words);
  return levels;
}

QuantizedNumbers fp8opt::numerics::quantize(const Scheme &scheme, const Numbers &input,
                                            const uint32_t *randomBits) {
  Tensor tensor(scheme, input.type, input.shape);
  SchemeArithmetic<Host> &arithmetic = tensor.scales();
  const std::vector<Words> amaxes = tensor.amaxes(input);
  QuantizedNumbers result = {input.shape, {}, {}};
  for (const ScaleLevel &level : scheme.levels)
    result.scales.push_back({scaleShape(level, input.shape), {}});
  if (amaxes.size() == 2)
    for (uint32_t amax : amaxes[1])
      result.scales[1].words.push_back(arithmetic.storedScale(1, {amax, amax}));
  Words factors;
  tensor.forEachBlock(amaxes, [&](const Words &ofBlock) {
    const Words stored = arithmetic.storedScales(ofBlock);
    result.scales[0].words.push_back(stored[0]);
    factors.push_back(arithmetic.encodeFactor(ofBlock, stored));
  });
  result.codes = tensor.encodeAll(input, factors, randomBits);
  return result;
}

QuantizedNumbers fp8opt::numerics::quantizeByScales(const Scheme &scheme, const Numbers &input,
                                                    std::vector<Scales> scales, const uint32_t *randomBits) {
  Tensor tensor(scheme, input.type, input.shape);
  Words factors;
  tensor.forEachBlock(wordsOf(scales), [&](const Words &stored) {
    factors.push_back(tensor.scales().givenEncodeFactor(stored));
  });
  return {input.shape, tensor.encodeAll(input, factors, randomBits), std::move(scales)};
}

std::vector<float> fp8opt::numerics::dequantize(const Scheme &scheme, FormatId expressed,
                                                const QuantizedNumbers &input) {
  Tensor tensor(scheme, expressed, input.shape);
  Words factors;
  tensor.forEachBlock(wordsOf(input.scales),
                      [&](const Words &stored) { factors.push_back(tensor.scales().decodeFactor(stored)); });
  return tensor.decodeAll(input.codes, factors, format(expressed));
}
