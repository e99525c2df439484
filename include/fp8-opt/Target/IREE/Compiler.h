// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's compiler on a module that has gone through the exit.

#ifndef FP8_OPT_TARGET_IREE_COMPILER_H
#define FP8_OPT_TARGET_IREE_COMPILER_H

#include "fp8-opt/Target/IREE/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fp8opt::iree {

/// The versions of iree-base-compiler and iree-base-runtime that the exit is made for, and how to get them.
inline constexpr llvm::StringLiteral kVersion = "3.13";
inline constexpr llvm::StringLiteral kInstall =
    "pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0";

struct CompilerOptions {
  /// The path of iree-compile; empty: as PATH finds it.
  std::string compiler;
};

/// The iree-compile to use. An error where there is none, or one of another version than kVersion.
llvm::Expected<std::string> findCompiler(const CompilerOptions &options);

/// Compiles a module that has gone through the exit and writes the .vmfb. `compiler` is what findCompiler
/// found. A processor is the one that this machine has; `objectFolder` is the folder of a device's kernels'
/// files. An error names the places of the user's program.
llvm::Error compileModule(mlir::ModuleOp module, llvm::StringRef compiler, Machine machine,
                          llvm::StringRef objectFolder, llvm::StringRef vmfbPath);

} // namespace fp8opt::iree

#endif // FP8_OPT_TARGET_IREE_COMPILER_H
