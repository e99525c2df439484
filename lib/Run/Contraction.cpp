// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs both inputs as f32 panels, then runs one register tile after the other over them.

#include "Contraction.h"
#include "ThreadPool.h"
#include "fp8-opt/Run/Program.h"

#include <algorithm>
#include <cstring>
#include <memory>

using namespace fp8opt::run;

// A fused multiply-add would round once where the definition rounds twice.
#pragma STDC FP_CONTRACT OFF

static float decode(float value) { return value; }

static float decodeBF16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

static float decodeF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  float value;
  if (exponent == 0) {
    // 2^-24 is the smallest subnormal; the product is exact.
    value = float(mantissa) * 0x1p-24f;
    return sign ? -value : value;
  }
  uint32_t wide = sign | (exponent == 31 ? 0xffu << 23 : (exponent + 112) << 23) | mantissa << 13;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

namespace {
/// All indices of the dimensions of one kind, flattened, as element offsets into an operand.
using Offsets = std::vector<int64_t>;

/// Rows of A and columns of B per register tile, and the kernel that computes one.
/// kernel(k, a, b, tile): a is k steps of `rows` values, b is k steps of `cols`, tile is rows x cols.
struct Tile {
  int rows, cols;
  void (*kernel)(int64_t k, const float *a, const float *b, float *tile);
};
} // namespace

template <int Rows, int Vectors, int Width>
__attribute__((always_inline)) static inline void runTile(int64_t k, const float *a, const float *b,
                                                          float *tile) {
  typedef float Vector __attribute__((vector_size(Width * 4), aligned(4)));
  constexpr int cols = Vectors * Width;
  Vector sum[Rows][Vectors];
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      sum[r][v] = *reinterpret_cast<const Vector *>(tile + r * cols + v * Width);
  for (int64_t i = 0; i < k; ++i, a += Rows, b += cols)
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v)
        sum[r][v] = sum[r][v] + a[r] * *reinterpret_cast<const Vector *>(b + v * Width);
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      *reinterpret_cast<Vector *>(tile + r * cols + v * Width) = sum[r][v];
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void runTileAvx512(int64_t k, const float *a, const float *b,
                                                             float *tile) {
  runTile<12, 2, 16>(k, a, b, tile);
}
__attribute__((target("avx2"))) static void runTileAvx2(int64_t k, const float *a, const float *b,
                                                        float *tile) {
  runTile<4, 2, 8>(k, a, b, tile);
}
#endif
static void runTileAny(int64_t k, const float *a, const float *b, float *tile) {
  runTile<4, 2, 4>(k, a, b, tile);
}

static Tile tileOf(Processor processor) {
#if defined(__x86_64__)
  bool isHost = processor == Processor::Host;
  if (isHost && __builtin_cpu_supports("avx512f"))
    return {12, 32, runTileAvx512};
  if (isHost && __builtin_cpu_supports("avx2"))
    return {4, 16, runTileAvx2};
#endif
  return {4, 8, runTileAny};
}

static Offsets offsets(const Contraction &contraction, ContractionDim kind,
                       int64_t Contraction::Dim::*stride) {
  Offsets result = {0};
  for (const Contraction::Dim &dim : contraction.dims) {
    if (dim.kind != kind)
      continue;
    Offsets longer;
    longer.reserve(result.size() * size_t(dim.extent));
    for (int64_t offset : result)
      for (int64_t i = 0; i < dim.extent; ++i)
        longer.push_back(offset + i * dim.*stride);
    result = std::move(longer);
  }
  return result;
}

/// Panels of `width` rows: for each k in order the `width` values; rows past the end are zero and never
/// stored.
template <typename Element, typename Decode>
static void packPanels(const Element *data, const Offsets &rows, const Offsets &ks, int width, float *packed,
                       ThreadPool &pool, Decode decodeElement) {
  int64_t panels = (int64_t(rows.size()) + width - 1) / width;
  pool.parallelFor(panels, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      float *out = packed + panel * width * int64_t(ks.size());
      int64_t first = panel * width, count = std::min<int64_t>(width, int64_t(rows.size()) - first);
      for (size_t k = 0; k < ks.size(); ++k, out += width) {
        for (int64_t r = 0; r < count; ++r)
          out[r] = decodeElement(data[rows[size_t(first + r)] + ks[k]]);
        std::fill(out + count, out + width, 0.0f);
      }
    }
  });
}

static void pack(const void *data, ContractionElement type, int64_t start, const Offsets &rows,
                 const Offsets &ks, int width, float *packed, ThreadPool &pool) {
  switch (type) {
  case ContractionElement::F32:
    return packPanels(static_cast<const float *>(data) + start, rows, ks, width, packed, pool, decode);
  case ContractionElement::BF16:
    return packPanels(static_cast<const uint16_t *>(data) + start, rows, ks, width, packed, pool, decodeBF16);
  case ContractionElement::F16:
    return packPanels(static_cast<const uint16_t *>(data) + start, rows, ks, width, packed, pool, decodeF16);
  }
}

namespace {
/// One batch slice with its inputs packed.
struct Slice {
  const float *a, *b;
  float *c;
  const Offsets &rowsC, &colsC;
  int64_t k;
  Tile tile;

  void computeTile(int64_t rowPanel, int64_t colPanel, int64_t firstK, int64_t countK) const;
};
} // namespace

void Slice::computeTile(int64_t rowPanel, int64_t colPanel, int64_t firstK, int64_t countK) const {
  alignas(64) float sums[12 * 32];
  int64_t row = rowPanel * tile.rows, col = colPanel * tile.cols;
  int64_t rows = std::min<int64_t>(tile.rows, int64_t(rowsC.size()) - row);
  int64_t cols = std::min<int64_t>(tile.cols, int64_t(colsC.size()) - col);
  std::fill(sums, sums + tile.rows * tile.cols, 0.0f);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t n = 0; n < cols; ++n)
      sums[r * tile.cols + n] = c[rowsC[size_t(row + r)] + colsC[size_t(col + n)]];
  tile.kernel(countK, a + (rowPanel * k + firstK) * tile.rows, b + (colPanel * k + firstK) * tile.cols, sums);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t n = 0; n < cols; ++n)
      c[rowsC[size_t(row + r)] + colsC[size_t(col + n)]] = sums[r * tile.cols + n];
}

/// Blocks of the result, each by one thread; within a block a stretch of k stays in the caches. A partial sum
/// waits in c, which is f32 and so loses nothing.
static void computeSlice(const Slice &slice, ThreadPool &pool) {
  constexpr int64_t kStretch = 1024, kBlockRows = 96, kBlockCols = 256;
  int64_t rowPanels = (int64_t(slice.rowsC.size()) + slice.tile.rows - 1) / slice.tile.rows;
  int64_t colPanels = (int64_t(slice.colsC.size()) + slice.tile.cols - 1) / slice.tile.cols;
  int64_t panelsDown = std::max<int64_t>(1, kBlockRows / slice.tile.rows);
  int64_t panelsAcross = std::max<int64_t>(1, kBlockCols / slice.tile.cols);
  int64_t blocksDown = (rowPanels + panelsDown - 1) / panelsDown;
  int64_t blocksAcross = (colPanels + panelsAcross - 1) / panelsAcross;
  auto computeBlock = [&](int64_t block) {
    int64_t rowBegin = block / blocksAcross * panelsDown, rowEnd = std::min(rowBegin + panelsDown, rowPanels);
    int64_t colBegin = block % blocksAcross * panelsAcross,
            colEnd = std::min(colBegin + panelsAcross, colPanels);
    for (int64_t k = 0; k < slice.k; k += kStretch)
      for (int64_t col = colBegin; col < colEnd; ++col)
        for (int64_t row = rowBegin; row < rowEnd; ++row)
          slice.computeTile(row, col, k, std::min(kStretch, slice.k - k));
  };
  pool.parallelFor(blocksDown * blocksAcross, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block)
      computeBlock(block);
  });
}

void fp8opt::run::contract(const Contraction &contraction, ThreadPool &pool, Processor processor) {
  using Dim = Contraction::Dim;
  Offsets batchA = offsets(contraction, ContractionDim::Batch, &Dim::strideA);
  Offsets batchB = offsets(contraction, ContractionDim::Batch, &Dim::strideB);
  Offsets batchC = offsets(contraction, ContractionDim::Batch, &Dim::strideC);
  Offsets rowsA = offsets(contraction, ContractionDim::M, &Dim::strideA);
  Offsets rowsC = offsets(contraction, ContractionDim::M, &Dim::strideC);
  Offsets colsB = offsets(contraction, ContractionDim::N, &Dim::strideB);
  Offsets colsC = offsets(contraction, ContractionDim::N, &Dim::strideC);
  Offsets ksA = offsets(contraction, ContractionDim::K, &Dim::strideA);
  Offsets ksB = offsets(contraction, ContractionDim::K, &Dim::strideB);
  if (rowsC.empty() || colsC.empty() || ksA.empty() || batchC.empty())
    return;
  Tile tile = tileOf(processor);
  auto padded = [](size_t count, int width) {
    return (count + size_t(width) - 1) / size_t(width) * size_t(width);
  };
  // Not value-initialised: packing writes every element.
  std::unique_ptr<float[]> a(new float[padded(rowsA.size(), tile.rows) * ksA.size()]);
  std::unique_ptr<float[]> b(new float[padded(colsB.size(), tile.cols) * ksB.size()]);
  for (size_t i = 0; i < batchC.size(); ++i) {
    pack(contraction.a, contraction.typeA, batchA[i], rowsA, ksA, tile.rows, a.get(), pool);
    pack(contraction.b, contraction.typeB, batchB[i], colsB, ksB, tile.cols, b.get(), pool);
    Slice slice = {a.get(), b.get(), contraction.c + batchC[i], rowsC, colsC, int64_t(ksA.size()), tile};
    computeSlice(slice, pool);
  }
}
