// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 128x128 that are quantized by one block of threads, in one orientation or both.

#ifndef FP8_OPT_LIB_KERNELS_QUANTIZETILE_H
#define FP8_OPT_LIB_KERNELS_QUANTIZETILE_H

#include "QuantizeKernel.h"

#include <functional>

namespace fp8opt {

/// A thread has a square of 8x8 numbers; 16 threads have 8 rows of the tile.
constexpr int64_t squareSide = 8, threadsAcross = 16;

/// Where the square of a thread lies.
struct Square {
  /// The tile, in tiles, and how many there are.
  mlir::Value rowTile, columnTile, rowTiles, columnTiles;
  /// The square in the tile, in squares; and its first element in the matrix.
  mlir::Value squareRow, squareColumn, row, column;
};
/// Of the thread whose square has these numbers in the tile; the tile is set already.
void placeSquare(IndexEmitter &emit, Square &square, mlir::Value squareRow, mlir::Value squareColumn);
/// Loads the codes of a square; the function decodes a row of it where it is called. What lies outside of the
/// matrix is zero.
std::function<mlir::Value(int64_t)> loadSquare(QuantizeKernel &kernel, const Square &square,
                                               const StoredMatrix &stored);

/// A tile that is read.
struct Tile : Square {
  explicit Tile(QuantizeKernel &kernel) : kernel(kernel) {}

  QuantizeKernel &kernel;
  /// The rows of the square.
  llvm::SmallVector<mlir::Value> numbers;
};
/// Places the thread in the tile of this number; how many there are is set already.
void placeTile(Tile &tile, mlir::Value number);
/// Of a thread that is placed.
void loadNumbers(Tile &tile);

struct QuantizeTile : Tile {
  QuantizeTile(QuantizeKernel &kernel, qtile::QuantizerInterface quantize)
      : Tile(kernel), quantize(quantize) {}

  qtile::QuantizerInterface quantize;
  /// The bits of amaxes that are read: the tensor's under two levels; by row, those of the lane's row and the
  /// thread's column. Else null.
  mlir::Value tensorAmax, rowAmax, columnAmax;

  bool isAlongColumns() { return static_cast<bool>(quantize.getColumnCodes()); }
  bool isAlongRows() { return static_cast<bool>(quantize.getRowCodes()); }
  /// Whether rows and columns have a scale each, which other tiles share.
  bool isByRow() { return quantize.getScaling() == qtile::Scaling::Row; }
};

/// Of the numbers of the square. They are made where they are asked for: kept from one orientation to the
/// other, they would take as many registers as the numbers.
llvm::SmallVector<mlir::Value> magnitudesOf(Tile &tile);

// Rows and columns, an amax each, as bits of an f32: found in the tile, or of all of the matrix.

/// The row of the square that has the lane's number, modulo 8, and the column of the tile that has the
/// thread's; of the matrix.
mlir::Value rowOfLane(Tile &tile);
mlir::Value columnOfThread(Tile &tile);
/// Of that row.
mlir::Value writeRowAmax(Tile &tile, mlir::ValueRange magnitudes);
/// Of columns in each warp, in shared memory, when all threads have written theirs; and then of that column.
mlir::Value stageColumnAmaxes(Tile &tile, mlir::ValueRange magnitudes);
mlir::Value readColumnAmax(Tile &tile, mlir::Value staged);
/// As qtile.amax left them. Outside of the matrix they are those of its last row and column.
mlir::Value loadRowAmax(QuantizeTile &tile);
mlir::Value loadColumnAmax(QuantizeTile &tile);

// Each finds amaxes, writes the scales made of them, and yields what the numbers of the square meet.

/// Scales of the tile's rows: the factor of row i of the square, in lane i of the square's row of threads.
mlir::Value writeRowScales(QuantizeTile &tile);
/// From there to all lanes.
mlir::Value readRowFactor(QuantizeTile &tile, mlir::Value factors, int64_t row);
/// The same of scales that are codes: factor of row i in register i / L, in lane i mod L of the L that share
/// their scales.
llvm::SmallVector<mlir::Value> writeCodedRowScales(QuantizeTile &tile);
mlir::Value readCodedRowFactor(QuantizeTile &tile, llvm::ArrayRef<mlir::Value> factors, int64_t row);
/// Scales of the tile's columns: a vector of factors, one for each column of the square.
mlir::Value writeColumnScales(QuantizeTile &tile);
mlir::Value writeCodedColumnScales(QuantizeTile &tile);
/// One scale, a code, for each 16x16, the same in both orientations.
mlir::Value writeCodedSquareScale(QuantizeTile &tile);
/// One scale for all of the tile, or for all of the tensor; its codes are the same in both orientations.
mlir::Value writeOneScale(QuantizeTile &tile);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_QUANTIZETILE_H
