// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exit to IREE: a graph in plain upstream dialects, and IREE's compiler on it.

#ifndef FP8_OPT_TARGET_IREE_EXIT_H
#define FP8_OPT_TARGET_IREE_EXIT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fp8opt::iree {

/// The versions of iree-base-compiler and iree-base-runtime that the exit is made for, and how to get them.
inline constexpr llvm::StringLiteral kVersion = "3.13";
inline constexpr llvm::StringLiteral kInstall =
    "pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0";

struct ExitOptions {
  std::string function = "main";
  /// Sources, codes and scales of quantizers become results.
  bool exposeQuantizers = false;
  /// How the names of the kernels' files end. Empty: a graph without kernels, for the processor.
  std::string objects;
};

/// The passes from any step from `quantize` on, or a plain graph, to what IREE takes: builtin, func, linalg,
/// arith, math, tensor, scf, cf and ml_program, with no word of the qt dialect; launches of kernels, from the
/// step `expand` on, are ops of IREE's own, for which the context must take unregistered ones.
/// docs/Rationale/IREE.md tells of each.
void addExit(mlir::OpPassManager &manager, const ExitOptions &options);

struct CompilerOptions {
  /// The path of iree-compile; empty: as PATH finds it.
  std::string compiler;
};

/// The iree-compile to use. An error where there is none, or one of another version than kVersion.
llvm::Expected<std::string> findCompiler(const CompilerOptions &options);

/// Compiles a module that has gone through the exit and writes the .vmfb. `compiler` is what findCompiler
/// found. With `objects`, the folder of the kernels' files, it is for an NVIDIA GPU; without, for the
/// processor that this machine has.
llvm::Error compileModule(mlir::ModuleOp module, llvm::StringRef compiler, llvm::StringRef objects,
                          llvm::StringRef vmfbPath);

} // namespace fp8opt::iree

#endif // FP8_OPT_TARGET_IREE_EXIT_H
