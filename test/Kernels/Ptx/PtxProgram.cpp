// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands, files and cases.

#include "PtxProgram.h"

#include <cstdio>
#include <fstream>
#include <sstream>

using namespace fp8opt;
using namespace fp8opt::test;

std::string test::readFile(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    refuse("expected a file at " + path);
  return text.str();
}

int test::runCommand(int argc, char **argv, const std::vector<Command> &commands) {
  std::string names;
  for (const Command &command : commands) {
    if (argc > 1 && command.name == argv[1]) {
      std::vector<std::string> words(argv + 2, argv + argc);
      words.resize(command.words);
      return command.run(words);
    }
    names += (names.empty() ? "" : " or ") + command.name;
  }
  refuse("expected " + names);
}

void test::Cases::add(size_t differences) {
  ++cases;
  failed += differences != 0;
  if (differences)
    std::printf("%s: %zu differences\n", doing.c_str(), differences);
}

int test::Cases::finish() const {
  std::printf("%zu cases, %zu differ\n", cases, failed);
  return failed != 0;
}
