// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's runtime, which is a Python package.

#ifndef FP8_OPT_LIB_RUN_IREERUNTIME_H
#define FP8_OPT_LIB_RUN_IREERUNTIME_H

#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Run/Results.h"

#include "llvm/ADT/StringMap.h"

namespace fp8opt::run {

/// What one call of a function gave.
struct IREECall {
  std::vector<Tensor> results;
  StepSeconds seconds;
  int64_t peakBytes = 0;
};

/// Each call starts a Python of its own, whose memory ends with it.
class IREERuntime {
public:
  /// `python` is its path; empty: python3 beside `compiler`, else on PATH.
  static llvm::Expected<IREERuntime> create(llvm::StringRef python, llvm::StringRef compiler);

  /// The reflection of each exported function.
  llvm::Expected<llvm::StringMap<llvm::StringMap<std::string>>> reflection(llvm::StringRef vmfb);
  /// Arguments for the calls that follow.
  llvm::Error setArguments(std::vector<Tensor> arguments);
  llvm::Expected<IREECall> call(llvm::StringRef vmfb, llvm::StringRef function, unsigned steps);
  std::string temporaryFile(llvm::StringRef name) const { return folder.file(name); }

private:
  IREERuntime(std::string python, TemporaryFolder folder)
      : python(std::move(python)), folder(std::move(folder)) {}
  llvm::Expected<std::string> runScript(std::vector<std::string> arguments);

  std::string python;
  TemporaryFolder folder;
};

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_IREERUNTIME_H
