// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes and targets that ship, listed and shown.

#ifndef FP8_OPT_TOOLS_FP8_OPT_LIBRARY_H
#define FP8_OPT_TOOLS_FP8_OPT_LIBRARY_H

#include "mlir/IR/DialectRegistry.h"

/// Whether the command line asks for something of the library.
bool wantsLibrary();

/// Prints it; the exit code of the tool.
int runLibrary(mlir::DialectRegistry &registry);

#endif // FP8_OPT_TOOLS_FP8_OPT_LIBRARY_H
