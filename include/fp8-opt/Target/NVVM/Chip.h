// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips that PTX is made for, and what a chip lacks.

#ifndef FP8_OPT_TARGET_NVVM_CHIP_H
#define FP8_OPT_TARGET_NVVM_CHIP_H

#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::nvvm {

/// What multiplies matrices in kernels: nothing, `wgmma` of four warps, or `mma.sync` with scales of blocks.
enum class Products { None, OfWarpGroups, OfWarps };

struct Chip {
  /// As llc's -mcpu and ptxas's -arch name it.
  llvm::StringLiteral name;
  /// As llc's -mattr: the version of PTX to write.
  llvm::StringLiteral features;
  Products products;
};

/// sm_90a, sm_100a, sm_120a.
llvm::ArrayRef<Chip> chips();

/// The chip of this name. Null, and an error at `location` that lists the chips, where there is none.
const Chip *findChip(mlir::Location location, llvm::StringRef name);

/// An error at each op that the chip has no instruction for, as far as the op says what it needs. What is
/// left, instruction selection and ptxas refuse.
mlir::LogicalResult checkInstructions(mlir::ModuleOp module, const Chip &chip);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_CHIP_H
