// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The named layouts: of operands, of scales, and of what instructions want in which lane.

#ifndef FP8_OPT_LAYOUT_LAYOUTS_H
#define FP8_OPT_LAYOUT_LAYOUTS_H

#include "fp8-opt/Layout/Layout.h"

namespace fp8opt {

/// The layouts of Layouts.def, which says what each is. All but `Tensor` are of matrices; Layout::batched
/// gives them batches, outermost. Where data and registers meet, two layouts of one array are composed:
///
///     layout(Panels, 128).mapFrom(layout(LdmatrixA, 128))               addresses in a tile, in chunks
///     layout(Tiles128x4, 8).mapFrom(layout(MmaScales, 8))               the scales that a lane loads
///     layout(RowMajor, 32).mapFrom(layout(WgmmaAccumulator, 32))        where a thread's sums belong
enum class LayoutKind {
#define FP8OPT_LAYOUT(kind, name, builder) kind,
#include "fp8-opt/Layout/Layouts.def"
};

/// All of them, in the order of Layouts.def.
mlir::ArrayRef<LayoutKind> allLayoutKinds();
mlir::StringRef nameOf(LayoutKind kind);
std::optional<LayoutKind> layoutKind(mlir::StringRef name);

/// The layout of elements of `elementBits`, a power of two; none where the list does not give it that width.
std::optional<Layout> getLayout(mlir::MLIRContext *context, LayoutKind kind, unsigned elementBits);

/// Which operand of an mma with scales.
enum class ScaledOperand { A, B };

/// (row, K block) -> (thread-id, byte-id): the selectors of the instruction whose tile begins at that row (of
/// A, or column of B) and K block, and which reads `blocksPerInstruction` (1, 2 or 4) scales of each row.
/// They name lanes and bytes of the register of MmaScales that holds the row and the block.
mlir::AffineMap mmaScaleSelector(mlir::MLIRContext *context, ScaledOperand operand,
                                 unsigned blocksPerInstruction);

/// Bytes of a panel's row, and of the chunks that the rows of a panel exchange; chunks of a row.
constexpr unsigned panelBytes = 128, chunkBytes = 16, chunksPerRow = panelBytes / chunkBytes;
/// Rows after which the exchange repeats: tiles of panels start at multiples of it.
constexpr unsigned exchangeRows = 8;
/// The rows of panels are padded to a multiple of this, for any tile: a value may have two consumers.
constexpr unsigned rowPadding = 16;

} // namespace fp8opt

#endif // FP8_OPT_LAYOUT_LAYOUTS_H
