// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs, started and waited for.

#include "fp8-opt/Process/Command.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <optional>

using namespace fp8opt;

llvm::Expected<TemporaryFolder> TemporaryFolder::create() {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("fp8-opt", path))
    return llvm::createStringError(code, "expected to create a temporary folder, got: " + code.message());
  return TemporaryFolder(std::string(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (!path.empty())
    (void)llvm::sys::fs::remove_directories(path);
}

std::string TemporaryFolder::file(llvm::StringRef name) const {
  llvm::SmallString<128> result(path);
  llvm::sys::path::append(result, name);
  return std::string(result);
}

static std::string contentOf(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

llvm::Expected<CommandResult> fp8opt::runCommand(llvm::StringRef program,
                                                 llvm::ArrayRef<std::string> arguments) {
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  std::string output = folder->file("output"), errors = folder->file("errors");
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(output),
                                                llvm::StringRef(errors)};
  std::vector<llvm::StringRef> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::string problem;
  CommandResult result;
  result.status = llvm::sys::ExecuteAndWait(program, words, /*Env=*/std::nullopt, redirects,
                                            /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (result.status < 0)
    return llvm::createStringError("expected '" + program + "' to run to its end, got: " + problem);
  result.output = contentOf(output);
  result.errors = contentOf(errors);
  return result;
}

std::string fp8opt::findProgram(llvm::StringRef given, llvm::StringRef name, llvm::StringRef besides) {
  if (!given.empty())
    return llvm::sys::fs::can_execute(given) ? given.str() : std::string();
  if (!besides.empty())
    if (auto found = llvm::sys::findProgramByName(name, llvm::sys::path::parent_path(besides)))
      return *found;
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : std::string();
}
