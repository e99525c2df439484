// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds or generates a value for every argument of a program.

#ifndef FP8_OPT_RUN_ARGUMENTS_H
#define FP8_OPT_RUN_ARGUMENTS_H

#include "fp8-opt/Run/Init.h"
#include "fp8-opt/Run/Program.h"

namespace fp8opt::run {

struct Argument {
  std::string name;
  ArgumentKind kind;
  ValueType type;
};

struct ArgumentSource {
  /// Values by name. The path is for errors.
  std::string path;
  std::vector<NamedTensor> given;
  /// Generates what is not given.
  std::optional<uint64_t> seed;
};

/// Values in the order of `arguments`. `remark` is told what a user should know: integers that became 0,
/// names in the file that are no arguments. Errors name the argument, its type and what to do.
llvm::Expected<std::vector<Tensor>> collectArguments(const std::vector<Argument> &arguments,
                                                     const ArgumentSource &source,
                                                     llvm::function_ref<void(const std::string &)> remark);

/// The names as a text, the first few of many.
std::string listNames(std::vector<std::string> names);

/// The number of "normal:NUMBER".
llvm::Expected<uint64_t> parseSeed(llvm::StringRef text);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_ARGUMENTS_H
