// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that appear whole or not at all.

#ifndef FP8_OPT_PROCESS_WHOLEFILE_H
#define FP8_OPT_PROCESS_WHOLEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace fp8opt {

/// An error where a file at `path` could not be written after long work, as its folder is missing or a folder
/// has its name: "expected ..., got ...". Writes nothing.
llvm::Error checkPlace(llvm::StringRef path);

/// Writes beside the file and then puts it in its place; a link is followed. What is no regular file
/// (a pipe, a device) is written in place. The error names the path.
llvm::Error writeWhole(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write);

/// The same for content that may turn out to have no form: then no file appears, and the
/// error says both.
llvm::Error writeWholeOrRefuse(llvm::StringRef path,
                               llvm::function_ref<llvm::Error(llvm::raw_fd_ostream &)> write);

} // namespace fp8opt

#endif // FP8_OPT_PROCESS_WHOLEFILE_H
