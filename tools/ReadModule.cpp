// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module from a file: opened, asked whether it is whole, and parsed under a guard.

#include "ReadModule.h"
#include "ParserGuard.h"

#include "fp8-opt/Import/BytecodeFile.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"

using namespace mlir;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openModule(StringRef path, StringRef what) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> contents = openInputFile(path, &problem);
  if (!contents)
    return llvm::createStringError("expected " + what + " at '" + path + "': " + problem);
  if (contents->getBuffer().starts_with("PK\x03\x04"))
    return llvm::createStringError("expected " + what + " at '" + path +
                                   "', got what IREE compiled; fp8-run runs it");
  if (std::string why = fp8opt::whyDamaged(contents->getBuffer()); !why.empty())
    return llvm::createStringError("'" + path + "': " + why);
  return contents;
}

OwningOpRef<ModuleOp> parseModule(StringRef tool, StringRef path,
                                  std::unique_ptr<llvm::MemoryBuffer> contents,
                                  const std::shared_ptr<llvm::SourceMgr> &sources, MLIRContext &context,
                                  const std::string *first) {
  ParserGuard guard(tool, path, contents->getBuffer());
  sources->AddNewSourceBuffer(std::move(contents), SMLoc());
  OwningOpRef<ModuleOp> module;
  guard.run(
      [&] {
        module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
        return bool(module);
      },
      first);
  return module;
}
