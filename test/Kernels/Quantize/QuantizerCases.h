// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers that are tested, on what numbers, and what Numerics makes of those.

#ifndef FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H
#define FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H

#include "fp8-opt/Numerics/Block.h"

#include <string>
#include <vector>

namespace fp8opt::test {

/// A kernel: its name, source, scheme and outputs. An amax kernel has none.
struct Quantizer {
  std::string name;
  numerics::FormatId source;
  numerics::Scheme scheme;
  /// The scheme as IR spells it.
  std::string text;
  bool alongColumns, alongRows;
  /// Matrices of a batch; 0 where the kernel has one matrix.
  int64_t batch = 0;

  /// Whether a scale is for all of the tensor: the only one, or the outer one.
  bool isTensor() const { return scheme.levels.back().block.empty(); }
  /// Whether scales are codes, in tiles of 128x4.
  bool isCoded() const { return scheme.levels[0].type != numerics::FormatId::F32; }
  bool isAmax() const { return !alongColumns && !alongRows; }
  /// The kernel whose result it reads.
  std::string amaxName() const;
};
std::vector<Quantizer> allQuantizers();
/// All of them as a module of the qtile dialect. Arguments: source, amax (by tensor), codes and scales along
/// columns, along rows, matrices of a batch, rows, columns.
std::string moduleText();

/// What is put into the matrix: normal numbers of many sizes; the same among zeros, NaN, infinities and
/// subnormals; all patterns of 16 bits one after the other, or those of them up to a limit.
enum class Filling { Normal, Special, Patterns, SmallPatterns };

struct Matrix {
  int64_t rows, columns;
  Filling filling;
  std::vector<uint8_t> bytes;
};
Matrix makeMatrix(numerics::FormatId source, int64_t rows, int64_t columns, Filling filling, unsigned seed);

/// Codes in panels and scales of one orientation, as a kernel must leave them: what it must not or need not
/// write is not in `isCodeWritten`, `isScaleWritten`.
struct Expected {
  std::vector<uint8_t> codes, isCodeWritten;
  /// Bytes: of an f32 each, or a code each.
  std::vector<uint8_t> scales, isScaleWritten;
  bool hasF32Scales = true;
};
/// Of matrices of equal sizes, those of each after the other.
Expected expect(const Quantizer &quantizer, const std::vector<Matrix> &matrices, bool alongRows);

/// How many codes and scales differ; a NaN is like any other.
size_t countDifferences(const Expected &expected, const std::vector<uint8_t> &codes,
                        const std::vector<uint8_t> &scales);

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H
