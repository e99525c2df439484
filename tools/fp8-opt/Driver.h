// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opt driver: passes by name.

#ifndef FP8_OPT_TOOLS_FP8_OPT_DRIVER_H
#define FP8_OPT_TOOLS_FP8_OPT_DRIVER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

/// Whether the command line names passes.
bool namesPasses();

/// MLIR's opt driver, which says what this one's options and input lack; the exit code of the tool.
int runDriver(int argc, char **argv, llvm::StringRef inputPath, llvm::StringRef outputPath,
              mlir::DialectRegistry &registry);

#endif // FP8_OPT_TOOLS_FP8_OPT_DRIVER_H
