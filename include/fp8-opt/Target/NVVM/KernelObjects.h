// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel of a graph as a file of its own, for the engine that launches it.

#ifndef FP8_OPT_TARGET_NVVM_KERNELOBJECTS_H
#define FP8_OPT_TARGET_NVVM_KERNELOBJECTS_H

#include "fp8-opt/Target/NVVM/Assemble.h"

namespace fp8opt::nvvm {

/// How the names of files end that hold a cubin, or PTX where there is no assembler.
constexpr llvm::StringLiteral cubinEnding = ".cubin", ptxEnding = ".ptx";

/// What a graph's kernels were assembled to.
struct KernelObjects {
  /// Of all files: cubinEnding or ptxEnding.
  std::string ending;
  /// Spills and remarks, in words, each with the name of its kernel.
  std::vector<std::string> slowness;
};

/// Writes each `qtile.kernel` of the module into `folder`, as KERNEL.cubin by the program `ptxas`, or as
/// KERNEL.ptx where that is empty. The module stays as it was. An error at a kernel that cannot be written,
/// or whose object has not the one function of its name.
mlir::FailureOr<KernelObjects> writeKernelObjects(mlir::ModuleOp module, const Chip &chip,
                                                  llvm::StringRef ptxas, llvm::StringRef folder);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_KERNELOBJECTS_H
