// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one-command compiler: options and what they do.

#ifndef FP8_OPT_TOOLS_FP8_OPT_COMPILER_H
#define FP8_OPT_TOOLS_FP8_OPT_COMPILER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

/// What options of the compiler are listed under.
llvm::cl::OptionCategory &compilerCategory();

/// Whether the command line asks for the compiler rather than for the opt driver.
bool wantsCompiler();

/// Does what the command line asks for; the exit code of the tool.
int runCompiler(llvm::StringRef inputPath, llvm::StringRef outputPath, mlir::DialectRegistry &registry);

#endif // FP8_OPT_TOOLS_FP8_OPT_COMPILER_H
