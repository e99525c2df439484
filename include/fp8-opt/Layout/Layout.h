// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout is: where each element of an array is stored, as affine maps that the host evaluates and IR
// applies.

#ifndef FP8_OPT_LAYOUT_LAYOUT_H
#define FP8_OPT_LAYOUT_LAYOUT_H

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace fp8opt {

/// A layout says where the elements of an array are stored, for every size of the array. The array with its
/// sizes is *logical*; what it lies in is *stored*: an array of its own shape, row major, of elements of the
/// same width. A layout is four maps over logical indices (dims) and logical sizes (symbols; symbol i is the
/// size of dim i):
///
///     map          (indices)[sizes] -> stored indices
///     inverse      (stored indices)[sizes] -> logical indices
///     storedShape  ()[sizes] -> stored sizes
///     offset       (indices)[sizes] -> elements from the start: `map`, row major over `storedShape`
///
/// Example, scale tiles of 128 rows by 4 columns, of a 200x5 array of bytes:
///
///     map          (r, c) -> (r floordiv 128, c floordiv 4, r mod 32, (r mod 128) floordiv 32, c mod 4)
///     storedShape  [R, C] -> (R ceildiv 128, C ceildiv 4, 32, 4, 4)    here 2x2x32x4x4: 2048 bytes
///     element (130, 4) is stored at (1, 1, 2, 0, 0), 3 * 512 + 2 * 16 = 1568 elements from the start
///
/// `map` is a bijection between the stored indices and the logical indices of the sizes rounded up as the
/// layout pads them; so `inverse` also has an answer for stored elements that are *padding*, outside the
/// logical sizes. An empty array is stored in no elements.
///
/// Stored things need not be memory: a fragment's stored indices are the lane, and where in the lane's
/// registers.
///
/// Units: indices, sizes and offsets count elements of `elementBits`; only names with "byte" in them count
/// bytes. Elements narrower than a byte are packed, the earlier one in the lower bits; a last byte may be
/// half used.
class Layout {
public:
  /// `map` and `inverse` have as many symbols as `map` has dims; `storedShape` has no dims.
  Layout(mlir::StringRef name, unsigned elementBits, mlir::AffineMap map, mlir::AffineMap storedShape,
         mlir::AffineMap inverse);

  /// The name in the list of layouts (Layouts.h), as a dialect spells it.
  mlir::StringRef name() const { return layoutName; }
  unsigned elementBits() const { return bits; }
  unsigned logicalRank() const { return logicalToStored.getNumDims(); }
  unsigned storedRank() const { return logicalToStored.getNumResults(); }

  mlir::AffineMap map() const { return logicalToStored; }
  mlir::AffineMap inverse() const { return storedToLogical; }
  mlir::AffineMap storedShape() const { return shape; }
  mlir::AffineMap offset() const { return linear; }
  /// (indices)[sizes] -> bytes from the start. Of an element narrower than a byte, the byte that holds it.
  mlir::AffineMap byteOffset() const;

  /// The stored indices of `other`, which lays out the same array, to those of this layout. Between a memory
  /// layout and a fragment: where in memory a lane finds what belongs in its registers.
  mlir::AffineMap mapFrom(const Layout &other) const;

  /// This layout for each index of `count` more, outermost dimensions, both logical and stored.
  Layout batched(unsigned count) const;
  /// This layout, whose padding along logical dimension `dimension` must be zeros (see isZeroPadding).
  Layout zeroPaddedAlong(unsigned dimension) const;

  // Evaluation on the host. `sizes` has logicalRank() entries.

  mlir::SmallVector<int64_t> storedShape(mlir::ArrayRef<int64_t> sizes) const;
  int64_t storedElements(mlir::ArrayRef<int64_t> sizes) const;
  int64_t storedBytes(mlir::ArrayRef<int64_t> sizes) const;
  mlir::SmallVector<int64_t> storedIndices(mlir::ArrayRef<int64_t> sizes,
                                           mlir::ArrayRef<int64_t> indices) const;
  mlir::SmallVector<int64_t> logicalIndices(mlir::ArrayRef<int64_t> sizes,
                                            mlir::ArrayRef<int64_t> stored) const;
  /// Elements from the start.
  int64_t offsetOf(mlir::ArrayRef<int64_t> sizes, mlir::ArrayRef<int64_t> indices) const;

  /// Whether no element of the array is stored there.
  bool isPadding(mlir::ArrayRef<int64_t> sizes, mlir::ArrayRef<int64_t> stored) const;
  /// Whether it is padding that writers must fill with zero bits, because products read it: behind the end of
  /// one dimension, inside all others. All other padding may hold anything; nothing of it reaches a result.
  bool isZeroPadding(mlir::ArrayRef<int64_t> sizes, mlir::ArrayRef<int64_t> stored) const;

private:
  mlir::StringRef layoutName;
  unsigned bits;
  mlir::AffineMap logicalToStored, shape, storedToLogical, linear;
  std::optional<unsigned> zeroPadded;
};

/// The results of a map at one point. Divisions are as affine expressions define them: floordiv rounds down,
/// mod is never negative.
mlir::SmallVector<int64_t> evaluate(mlir::AffineMap map, mlir::ArrayRef<int64_t> dims,
                                    mlir::ArrayRef<int64_t> symbols);

} // namespace fp8opt

#endif // FP8_OPT_LAYOUT_LAYOUT_H
