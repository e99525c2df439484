// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that ship under a name, and files of the same kind.

#ifndef FP8_OPT_PROCESS_NAMEORFILE_H
#define FP8_OPT_PROCESS_NAMEORFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace fp8opt {

struct NamedText {
  llvm::StringRef name;
  llvm::StringRef text;
};

/// Whether it is the path of a file: it has a '/' or a '.', which no name has.
bool isFile(llvm::StringRef nameOrFile);

/// The text of this name in the library, called "KIND NAME", or that of the file at this path. The error says
/// what was expected of a KIND, and the names there are.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openNameOrFile(llvm::StringRef kind, llvm::StringRef nameOrFile, llvm::ArrayRef<NamedText> library);

} // namespace fp8opt

#endif // FP8_OPT_PROCESS_NAMEORFILE_H
