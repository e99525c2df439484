// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs, started and waited for.

#ifndef FP8_OPT_PROCESS_COMMAND_H
#define FP8_OPT_PROCESS_COMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fp8opt {

/// A folder that is erased with everything in it.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder &&other) : path(std::move(other.path)) { other.path.clear(); }
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();
  /// The path of a file of this name in it.
  std::string file(llvm::StringRef name) const;

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}
  std::string path;
};

struct CommandResult {
  /// 0 where it succeeded.
  int status = 0;
  std::string output, errors;
};

/// Runs a program without a shell and without input. An error where it could not be started or was killed.
llvm::Expected<CommandResult> runCommand(llvm::StringRef program, llvm::ArrayRef<std::string> arguments);

/// The path of a program: `given` itself if it names one, else `name` in the folders of PATH, after
/// `besides`. Empty if there is none.
std::string findProgram(llvm::StringRef given, llvm::StringRef name, llvm::StringRef besides = "");

} // namespace fp8opt

#endif // FP8_OPT_PROCESS_COMMAND_H
