// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 128x128 that are quantized by one block of threads, in one orientation or both.

#ifndef FP8_OPT_LIB_KERNELS_QUANTIZETILE_H
#define FP8_OPT_LIB_KERNELS_QUANTIZETILE_H

#include "QuantizeKernel.h"

namespace fp8opt {

/// A thread has a square of 8x8 numbers; 16 threads have 8 rows of the tile.
constexpr int64_t squareSide = 8, threadsAcross = 16;

struct QuantizeTile {
  QuantizeKernel &kernel;
  qtile::QuantizeOp quantize;
  /// The tile, in tiles, and how many there are.
  mlir::Value rowTile, columnTile, rowTiles, columnTiles;
  /// The square of the thread in the tile, in squares; and its first element in the matrix.
  mlir::Value squareRow, squareColumn, row, column;
  /// The rows of the square, and their magnitudes, which a tensor scale does not ask for.
  llvm::SmallVector<mlir::Value> numbers, magnitudes;

  bool isAlongColumns() { return static_cast<bool>(quantize.getColumnCodes()); }
  bool isAlongRows() { return static_cast<bool>(quantize.getRowCodes()); }
};

/// What the numbers of the square meet, and stored scales, where they are not written yet.
struct SquareFactors {
  /// Along columns: one f32 for each row. Along rows: a vector of them, one for each column. Where all
  /// numbers meet one factor, the codes of both orientations are the same.
  llvm::SmallVector<mlir::Value> ofRows;
  mlir::Value ofColumns;
  bool isOne = false;
};

/// Finds the amaxes of the tile and writes the scales made of them.
SquareFactors writeTileScales(QuantizeTile &tile);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_QUANTIZETILE_H
