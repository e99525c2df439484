// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions of chips that ship, and how one gets into a module.

#ifndef FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H
#define FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::nvvm {

/// A description as it ships: its name and its text, which is one `qtile.target` with its aliases.
struct ShippedTarget {
  llvm::StringRef name;
  llvm::StringRef text;
};

llvm::ArrayRef<ShippedTarget> shippedTargets();
bool isShipped(llvm::StringRef name);

/// The target of this name of the module; where it has none, the one that ships, which is put into it. An
/// error at the module for an unknown name, or a name that something else has.
mlir::FailureOr<qtile::TargetOp> loadTarget(mlir::ModuleOp module, llvm::StringRef name);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H
