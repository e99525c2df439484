// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches of kernels.

#ifndef FP8_OPT_LIB_KERNELS_CONTROLFLOW_H
#define FP8_OPT_LIB_KERNELS_CONTROLFLOW_H

#include "IndexEmitter.h"

namespace fp8opt {

using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)>;
/// for i = from to end step step, carrying values.
mlir::ValueRange writeLoop(IndexEmitter &emit, mlir::Value from, mlir::Value end, mlir::Value step,
                           mlir::ValueRange carried, LoopBody body);

using Alternative = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
/// The values of one of two sides, alike in their types.
llvm::SmallVector<mlir::Value> writeEither(IndexEmitter &emit, mlir::Value condition, Alternative ifTrue,
                                           Alternative ifFalse);
void writeIf(IndexEmitter &emit, mlir::Value condition, llvm::function_ref<void()> body);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_CONTROLFLOW_H
