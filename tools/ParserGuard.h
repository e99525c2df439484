// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's readers crash on some wrong input. A guard makes an error of that.

#ifndef FP8_OPT_TOOLS_PARSERGUARD_H
#define FP8_OPT_TOOLS_PARSERGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

/// A crash inside of run() is told as one error, and the process ends with exit code 1. It also ends where
/// bytecode is refused, as memory may be damaged then.
class ParserGuard {
public:
  /// `contents` is what is read from `path`.
  ParserGuard(llvm::StringRef tool, llvm::StringRef path, llvm::StringRef contents);
  ~ParserGuard() { stop(); }
  ParserGuard(const ParserGuard &) = delete;
  ParserGuard &operator=(const ParserGuard &) = delete;

  /// `parse` returns whether it has read. `first` is the first error of the reader, if it does not stand on
  /// standard error yet.
  void run(llvm::function_ref<bool()> parse, const std::string *first = nullptr);

  /// For inside of run(), where more than reading is done: from here on a crash is one again.
  void stop();

private:
  [[noreturn]] void end(llvm::StringRef what, const std::string *first, llvm::StringRef why) const;

  // Made before the crash, behind which memory may be damaged.
  std::string message;
  bool isBytecode, isStopped = false;
};

#endif // FP8_OPT_TOOLS_PARSERGUARD_H
