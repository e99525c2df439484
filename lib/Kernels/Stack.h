// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks: arrays of one layout after each other, each with padding of its own.

#ifndef FP8_OPT_LIB_KERNELS_STACK_H
#define FP8_OPT_LIB_KERNELS_STACK_H

#include "IndexEmitter.h"
#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

namespace fp8opt {

/// The array of a stack that has this number. `sizes` are the logical ones of each.
mlir::Value writeArrayOf(IndexEmitter &emit, mlir::Value stack, LayoutKind layout, mlir::Value number,
                         llvm::ArrayRef<mlir::Value> sizes);
/// The same of the scales of an operand of so many rows and elements along the contraction.
mlir::Value writeScalesOf(IndexEmitter &emit, mlir::Value stack, qtile::Scaling scaling, mlir::Value number,
                          mlir::Value rows, mlir::Value contraction);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_STACK_H
