// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of quantizers, and what they share.

#ifndef FP8_OPT_LIB_KERNELS_QUANTIZEKERNEL_H
#define FP8_OPT_LIB_KERNELS_QUANTIZEKERNEL_H

#include "ControlFlow.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Layout/Layouts.h"
#include "fp8-opt/Numerics/Scheme.h"

namespace fp8opt {

/// Threads of a block of every quantizer, and warps of it.
constexpr int64_t quantizeThreads = 256, quantizeWarps = 8, warpLanes = 32;
/// Elements of a side of a tile, and of a block of scales of f32. Of 8 bits, a row of a panel has as many
/// codes.
constexpr int64_t panelElements = 128;

/// A matrix as a quantizer left it: codes in panels, scales of f32.
struct StoredMatrix {
  mlir::Value codes, scales;
  qt::SchemeAttr scheme;
  /// Which dimension of the matrix the contraction runs along.
  qtile::Along along;
};

/// A matrix that is quantized, or made of codes: what all threads know.
struct QuantizeKernel {
  /// `source` is row major, of numbers. `batch` is how many such matrices there are, null where there is one.
  QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, mlir::Value source, mlir::Value rows,
                 mlir::Value columns, mlir::Value batch);
  /// The numbers are of type `element`, and made of codes.
  QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, const StoredMatrix &stored, mlir::Type element,
                 mlir::Value rows, mlir::Value columns, mlir::Value batch);

  IndexEmitter &emit;
  qt::SchemeAttr scheme;
  numerics::Scheme numbers;
  /// What a NaN is in amaxes that are sought: of the innermost level, unless a kernel says otherwise.
  numerics::NanAmax nan;
  /// Null where the numbers are made of codes.
  mlir::Value source;
  std::optional<StoredMatrix> stored;
  mlir::Value rows, columns;
  /// Of the numbers, and the integer of its width.
  mlir::Type element, bits;
  mlir::Value thread, lane, warp;
  /// The matrix of a batch that this thread block has a part of, null where there is one. `source` and scales
  /// that are read are where it lies, `block` the number of the thread block among those of the matrix.
  mlir::Value batch, matrix, block;

  mlir::OpBuilder &builder() const { return emit.builder; }
  mlir::Location loc() const { return emit.loc; }
  /// Thread blocks of the matrix.
  mlir::Value countBlocks();
  /// Elements of the source in 16 bytes.
  int64_t elementsOfChunk() const { return 128 / element.getIntOrFloatBitWidth(); }
  /// Codes in a byte, and in a row of a panel.
  int64_t codesOfByte() const { return 8 / numerics::format(numbers.code).bits(); }
  int64_t codesOfPanel() const { return panelBytes * codesOfByte(); }
  /// Elements along the contraction that share a scale that is a code; 0 where scales are f32. And along the
  /// rows: 16 where a square of them does.
  int64_t elementsOfScale() const;
  int64_t rowsOfScale() const { return numbers.levels.front().block.front(); }

private:
  /// Of neither yet.
  QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, mlir::Type element, mlir::Value rows,
                 mlir::Value columns, mlir::Value batch);
};

// Vectors of the source.

/// Elements of a row of the source from a column on.
struct Run {
  mlir::Value row, column;
};
/// Whether rows of the source begin at multiples of 16 bytes.
mlir::Value writeIsAligned(QuantizeKernel &kernel);
/// A vector of `length` elements for each run; what lies outside of the matrix is 0. All are loaded before
/// any is used. Whether rows are aligned is asked for, unless it is known that they are.
llvm::SmallVector<mlir::Value> loadRuns(QuantizeKernel &kernel, llvm::ArrayRef<Run> runs, int64_t length,
                                        bool isAligned = false);
/// How many of `all` elements there are from number `first` on, which a vector may have fewer of; i32 or i64.
mlir::Value countFrom(IndexEmitter &emit, mlir::Value first, mlir::Value all);

// Magnitudes, as integers of the source's width.

mlir::Value writeMagnitudes(QuantizeKernel &kernel, mlir::Value numbers);
mlir::Value writeMax(QuantizeKernel &kernel, mlir::Value a, mlir::Value b);
/// Of all of some vectors, element by element.
mlir::Value writeMax(QuantizeKernel &kernel, mlir::ValueRange vectors);
/// The largest element of each vector.
mlir::Value writeVectorMax(QuantizeKernel &kernel, mlir::ValueRange vectors);
mlir::Value writeLaneMax(QuantizeKernel &kernel, mlir::Value value, int64_t over, int64_t stride = 1);
/// The largest of all threads of the block, in all of them; of a vector, element by element. `amaxes` is
/// shared memory with room for an element of each warp, or for as many as the vector has; null where there is
/// none yet.
mlir::Value writeBlockMax(QuantizeKernel &kernel, mlir::Value value, mlir::Value amaxes = {});
/// A magnitude as the bits of an f32.
mlir::Value writeWord(QuantizeKernel &kernel, mlir::Value magnitude);

// Scales and codes.

/// What an amax becomes: the stored scale, and what elements meet; both f32.
struct ScaleAndFactor {
  mlir::Value stored, factor;
};
ScaleAndFactor writeScale(QuantizeKernel &kernel, mlir::Value amaxWord);
/// Of the amax of all of the tensor, in memory.
ScaleAndFactor writeTensorScale(QuantizeKernel &kernel, mlir::Value amax);
/// The codes of a vector under a factor or a vector of them.
mlir::Value writeEncode(QuantizeKernel &kernel, mlir::Value numbers, mlir::Value factor);
/// The codes as they are stored: those of 4 bits in pairs.
mlir::Value writePack(QuantizeKernel &kernel, mlir::Value codes);
/// Zero codes from number `count` on. `isPartial`, where given, says whether there is a number of them that
/// is not kept: worth a branch where all threads of a block go one way.
mlir::Value writeKeepFirst(QuantizeKernel &kernel, mlir::Value codes, mlir::Value count,
                           mlir::Value isPartial = {});

/// Where `count` is given, elements from number `count` on are not written.
void writeStore(IndexEmitter &emit, mlir::Value value, mlir::Value into, mlir::Value offset,
                mlir::Value count = {}, bool isAligned = false);
mlir::Value writeAlloc(IndexEmitter &emit, llvm::ArrayRef<int64_t> shape, mlir::Type element);
mlir::Value writeLoadShared(IndexEmitter &emit, mlir::Type type, mlir::Value tile, mlir::Value offset);
void writeStoreShared(IndexEmitter &emit, mlir::Value value, mlir::Value tile, mlir::Value offset);

/// Scales that are codes.
struct CodedScale {
  /// As i8, and what elements meet, f32.
  mlir::Value stored, factor;
};
/// Of the amax of a block; `tensorAmax` is that of the tensor, both bits of an f32, or null under one level.
CodedScale writeCodedScale(QuantizeKernel &kernel, mlir::Value amaxWord, mlir::Value tensorAmax);
/// The bits of the tensor's amax, under two levels; else null.
mlir::Value loadTensorAmax(QuantizeKernel &kernel, mlir::Value amax);

/// An array of tiles_128x4: scales of `rows` rows, for `columns` elements along the contraction each.
struct ScaleTiles {
  mlir::Value scales, rows, columns;
};
/// Stores the scale of a row for the elements from `column` on; zero where that is behind the last element,
/// and nothing where neither the scale nor its padding is in the array.
void writeTiledScale(QuantizeKernel &kernel, const ScaleTiles &tiles, mlir::Value row, mlir::Value column,
                     mlir::Value scale);

/// Codes in panels, how many rows are stored, and the elements along the contraction.
struct Panels {
  mlir::Value codes, storedRows, contraction;
};
/// Where code `inRow` of a panel's row lies, of a vector of codes that stays within 16 bytes: chunks of 16
/// are exchanged by the row. Of a batch, the matrices before this one are panels before its first.
mlir::Value panelOffset(QuantizeKernel &kernel, const Panels &panels, mlir::Value panel, mlir::Value row,
                        mlir::Value inRow);

// The kernels. Each writes all of it, and sets how many blocks there are.

/// Along columns, by 1x128 or by tensor.
void writeQuantizeColumns(QuantizeKernel &kernel, qtile::QuantizeOp quantize);
/// Along columns, by scales that are codes, of a row's elements.
void writeQuantizeCoded(QuantizeKernel &kernel, qtile::QuantizeOp quantize);
/// Along columns alone, by row.
void writeQuantizeRow(QuantizeKernel &kernel, qtile::QuantizeOp quantize);
/// Tiles of 128x128, by row, 1x128, 128x128, tensor or scales that are codes, in any orientation.
void writeQuantizeTile(QuantizeKernel &kernel, qtile::QuantizerInterface quantize);
/// Tiles of 128x128, of codes in any orientation.
void writeDequantize(QuantizeKernel &kernel, qtile::DequantizeOp dequantize);
/// Of all of a matrix, read as one row.
void writeAmax(QuantizeKernel &kernel, qtile::AmaxOp amax);
/// Tiles of 128x128, of each row and each column.
void writeRowAmaxes(QuantizeKernel &kernel, qtile::AmaxOp amax);

/// Sets threads, resident blocks, and the grid as a function of rows and columns (symbols 0 and 1).
void setLaunch(mlir::Operation *op, QuantizeKernel &kernel, int64_t resident, mlir::AffineExpr blocks);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_QUANTIZEKERNEL_H
