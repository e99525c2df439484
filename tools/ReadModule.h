// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module from a file, as each tool reads it: a damaged file is refused, and a crash of MLIR's readers is an
// error.

#ifndef FP8_OPT_TOOLS_READMODULE_H
#define FP8_OPT_TOOLS_READMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

/// The contents of a file of MLIR, text or bytecode; "-" is standard input. Errors say that `what` was
/// expected.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openModule(llvm::StringRef path, llvm::StringRef what);

/// What the opened file says; null where the parser refuses it, which its diagnostics tell. `sources` takes
/// the contents. `first` is the parser's first error, if it does not stand on standard error yet.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef tool, llvm::StringRef path,
                                              std::unique_ptr<llvm::MemoryBuffer> contents,
                                              const std::shared_ptr<llvm::SourceMgr> &sources,
                                              mlir::MLIRContext &context, const std::string *first = nullptr);

#endif // FP8_OPT_TOOLS_READMODULE_H
