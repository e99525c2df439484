// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers that are tested, on what numbers, and what Numerics makes of those.

#ifndef FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H
#define FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H

#include "fp8-opt/Numerics/Block.h"

#include <optional>
#include <string>
#include <vector>

namespace fp8opt::test {

/// A kernel: its name, source, scheme and outputs. An amax kernel has none.
struct Quantizer {
  std::string name;
  /// Of the numbers, also of those that codes stand for.
  numerics::FormatId source;
  numerics::Scheme scheme;
  /// The scheme as IR spells it.
  std::string text;
  bool alongColumns, alongRows;
  /// Matrices of a batch; 0 where the kernel has one matrix.
  int64_t batch = 0;
  /// One that reads codes: what left them, in one orientation; else empty.
  std::vector<Quantizer> from = {};

  /// Whether it makes numbers of codes.
  bool isDequantizer() const { return !from.empty() && !alongColumns && !alongRows; }
  /// Whether a scale is for all of the tensor, the only one, or the outer one.
  bool isTensor() const { return scheme.levels.back().block.empty(); }
  /// Whether a scale is for a row.
  bool isByRow() const { return scheme.levels[0].block == std::vector<int64_t>{1, -1}; }
  /// How many amaxes of a matrix another kernel finds: one, or one for each row and each column; 0 where none
  /// is read.
  int64_t countAmaxes(int64_t rows, int64_t columns) const;
  /// Whether scales are codes, in tiles of 128x4.
  bool isCoded() const { return scheme.levels[0].type != numerics::FormatId::F32; }
  bool isAmax() const { return from.empty() && !alongColumns && !alongRows; }
  /// The kernel that finds them.
  std::string amaxName() const;
};
std::vector<Quantizer> allQuantizers();
/// All of them as a module of the qtile dialect. Arguments: the source, or codes and scales; amaxes, if they
/// are read; codes and scales along columns, along rows, or numbers; matrices of a batch, rows, columns.
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

/// An array in memory: codes in panels, scales, or numbers. What a kernel must not or need not write, and
/// must not let through, is not in `isWritten`.
struct Array {
  explicit Array(size_t size, std::optional<numerics::FormatId> number = std::nullopt)
      : bytes(size), isWritten(size), number(number) {}

  std::vector<uint8_t> bytes, isWritten;
  /// Of its elements, if they are numbers: a NaN of these is like any other.
  std::optional<numerics::FormatId> number;
};
/// What a kernel reads of matrices of equal sizes, without an amax, with NaN where nothing is written; and
/// what it must leave, in the order of its arguments. Arrays of each matrix follow those of the one before.
std::vector<Array> inputsOf(const Quantizer &quantizer, const std::vector<Matrix> &matrices);
std::vector<Array> expect(const Quantizer &quantizer, const std::vector<Matrix> &matrices);

/// How many elements differ.
size_t countDifferences(const Array &expected, const std::vector<uint8_t> &bytes);

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_QUANTIZE_QUANTIZERCASES_H
