// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of MLIR bytecode that end too early.

#ifndef FP8_OPT_IMPORT_BYTECODEFILE_H
#define FP8_OPT_IMPORT_BYTECODEFILE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fp8opt {

/// "expected ..., got ...; the file is cut short" for the first bytes of a file of MLIR bytecode, by the
/// sizes that it says its sections have; empty for a whole file, and for what is no bytecode. What the
/// sections hold is not looked at.
std::string whyCutShort(llvm::StringRef contents);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_BYTECODEFILE_H
