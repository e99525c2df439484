// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that ship under a name, and files of the same kind.

#include "fp8-opt/Process/NameOrFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fp8opt;
using llvm::StringRef;

bool fp8opt::isFile(StringRef nameOrFile) { return nameOrFile.find_first_of("/.") != StringRef::npos; }

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fp8opt::openNameOrFile(StringRef kind, StringRef nameOrFile, llvm::ArrayRef<NamedText> library) {
  if (isFile(nameOrFile)) {
    auto file = llvm::MemoryBuffer::getFile(nameOrFile);
    if (!file)
      return llvm::createStringError("expected a " + kind + " file at '" + nameOrFile +
                                     "': " + file.getError().message());
    return std::move(*file);
  }
  const auto *named = llvm::find_if(library, [&](const NamedText &text) { return text.name == nameOrFile; });
  if (named != library.end())
    return llvm::MemoryBuffer::getMemBuffer(named->text, (kind + " " + named->name).str());
  auto names = llvm::map_range(library, [](const NamedText &text) { return text.name; });
  return llvm::createStringError("expected the name of a " + kind + " or the path of a " + kind +
                                 " file, got '" + nameOrFile + "'; " + kind + "s are " +
                                 llvm::join(names, ", "));
}
