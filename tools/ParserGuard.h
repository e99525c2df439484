// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's readers crash on some wrong input. A guard makes an error of that.

#ifndef FP8_OPT_TOOLS_PARSERGUARD_H
#define FP8_OPT_TOOLS_PARSERGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

/// A crash inside of run() is told as one error, and the process ends with exit code 1.
class ParserGuard {
public:
  /// `contents` is what is read from `path`.
  ParserGuard(llvm::StringRef tool, llvm::StringRef path, llvm::StringRef contents);
  ~ParserGuard() { stop(); }
  ParserGuard(const ParserGuard &) = delete;
  ParserGuard &operator=(const ParserGuard &) = delete;

  /// `first` is the first error of the reader, if it does not stand on standard error yet.
  void run(llvm::function_ref<void()> parse, const std::string *first = nullptr);

  /// For inside of run(), where more than reading is done: from here on a crash is one again.
  void stop();

private:
  // Made before the crash, behind which memory may be damaged.
  std::string message, ending;
};

/// Bytecode that its reader refuses has most likely been damaged: empty for texts.
llvm::StringRef hintDamage(llvm::StringRef contents);

#endif // FP8_OPT_TOOLS_PARSERGUARD_H
