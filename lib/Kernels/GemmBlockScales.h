// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales that blocks of rows of the right operand, so columns of the result, share.

#ifndef FP8_OPT_LIB_KERNELS_GEMMBLOCKSCALES_H
#define FP8_OPT_LIB_KERNELS_GEMMBLOCKSCALES_H

#include "GemmKernel.h"

namespace fp8opt {

/// The scales of the right operand for one tile. Where it has none for blocks of rows, there are none to
/// load, and products are the scales of rows alone.
class BlockScales {
public:
  /// Writes, at the insertion point, what holds for all of the contraction.
  BlockScales(GemmKernel &kernel, ResultTile tile);

  /// The scales of a block of the contraction: one for each block of columns that the tile reaches into.
  llvm::SmallVector<mlir::Value> load(mlir::Value contractionBlock);
  /// The same, one for each equal part of the tile's columns that is sure to lie in one block.
  llvm::SmallVector<mlir::Value> spread(llvm::ArrayRef<mlir::Value> loaded);
  /// Pairs of scales, as a promotion takes them, of rows that have these two.
  llvm::SmallVector<mlir::Value> multiply(llvm::ArrayRef<mlir::Value> spread, mlir::Value first,
                                          mlir::Value second);

private:
  GemmKernel &kernel;
  /// Where the scales of a block of columns start.
  llvm::SmallVector<mlir::Value> starts;
  /// Whether the tile starts in the middle of a block; null where none can.
  mlir::Value isAmid;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_GEMMBLOCKSCALES_H
