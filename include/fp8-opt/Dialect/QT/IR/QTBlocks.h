// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a block, as scales and amaxes spell it, lies in a tensor. Included by QT.h.

#ifndef FP8_OPT_DIALECT_QT_IR_QTBLOCKS_H
#define FP8_OPT_DIALECT_QT_IR_QTBLOCKS_H

namespace fp8opt::qt {

/// A block with a size for each of `rank` dimensions; ShapedType::kDynamic is a whole dimension. `block` is
/// spelled as in numerics::ScaleLevel: -1 is a whole dimension, missing leading sizes are 1, none at all is
/// per tensor, which is [1, ..., 1, whole, whole].
llvm::SmallVector<int64_t> fullBlock(llvm::ArrayRef<int64_t> block, int64_t rank);

/// How many blocks a tensor of this shape has along each dimension, ceildiv(dimension, block); per tensor has
/// the batch dimensions only.
llvm::SmallVector<int64_t> blockCounts(llvm::ArrayRef<int64_t> block, llvm::ArrayRef<int64_t> shape);

/// The blocks along dimensions of these sizes that are `block` elements in a row along the one dimension that
/// these collapse into; nothing if they are no box. Blocks and sizes are as in fullBlock.
std::optional<llvm::SmallVector<int64_t>> splitBlock(int64_t block, llvm::ArrayRef<int64_t> sizes);

/// How many elements in a row, along the dimension that those of these sizes collapse into, a box of `blocks`
/// is; nothing if it is not in a row.
std::optional<int64_t> joinBlocks(llvm::ArrayRef<int64_t> blocks, llvm::ArrayRef<int64_t> sizes);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_IR_QTBLOCKS_H
