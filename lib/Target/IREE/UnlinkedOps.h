// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's ops, which are not linked: written as unregistered ones in their generic form.

#ifndef FP8_OPT_LIB_TARGET_IREE_UNLINKEDOPS_H
#define FP8_OPT_LIB_TARGET_IREE_UNLINKEDOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::iree {

/// Whether the context takes ops of IREE; an error at the module where it does not.
llvm::LogicalResult verifyTakesIREEOps(mlir::ModuleOp module);

/// Has a barrier read a value before `terminator`. IREE computes in the memory of what nothing reads later,
/// and writes a result where its only use wants it; the barrier vanishes.
void readBefore(mlir::Operation *terminator, mlir::Value value);

} // namespace fp8opt::iree

#endif // FP8_OPT_LIB_TARGET_IREE_UNLINKEDOPS_H
