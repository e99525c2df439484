// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of MLIR bytecode: written with a checksum, and what is wrong with one before it is read.

#ifndef FP8_OPT_IMPORT_BYTECODEFILE_H
#define FP8_OPT_IMPORT_BYTECODEFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace fp8opt {

/// Writes a module as bytecode whose producer, "fp8-opt BLAKE3 ...", holds the checksum of what follows it,
/// where the stream can go back to write it. Nothing of the module is held in memory.
llvm::LogicalResult writeBytecode(mlir::ModuleOp module, llvm::raw_fd_ostream &os);

/// "expected ..., got ...; the file is cut short" for the first bytes of a file of MLIR bytecode, by the
/// sizes that it says its sections have, and "...; the file is damaged" where there is a checksum, and
/// another one. Empty for a whole file, and for what is no bytecode. What the sections hold is not looked at.
std::string whyDamaged(llvm::StringRef contents);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_BYTECODEFILE_H
