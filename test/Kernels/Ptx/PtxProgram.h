// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs that run kernels on the host have in common: commands, files, and cases that are counted.

#ifndef FP8_OPT_TEST_KERNELS_PTX_PTXPROGRAM_H
#define FP8_OPT_TEST_KERNELS_PTX_PTXPROGRAM_H

#include "PtxMachine.h"

#include <functional>

namespace fp8opt::test {

std::string readFile(const std::string &path);

/// A command of a program, which gets the words behind its name: so many, empty where they are not given.
struct Command {
  std::string name;
  size_t words;
  std::function<int(const std::vector<std::string> &)> run;
};
/// Runs the command that the first word names; refuses any other.
int runCommand(int argc, char **argv, const std::vector<Command> &commands);

/// Counts cases, and prints those that differ.
class Cases {
public:
  /// Of what is `doing`.
  void add(size_t differences);
  size_t count() const { return cases; }
  /// Prints both numbers; the exit status.
  int finish() const;

private:
  size_t cases = 0, failed = 0;
};

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_PTX_PTXPROGRAM_H
