// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas prints under --verbose.

#ifndef FP8_OPT_LIB_TARGET_NVVM_PTXASOUTPUT_H
#define FP8_OPT_LIB_TARGET_NVVM_PTXASOUTPUT_H

#include "fp8-opt/Target/NVVM/Assemble.h"

namespace fp8opt::nvvm {

struct PtxasError {
  /// Of the PTX, from 1; 0 where it names none.
  unsigned line = 0;
  /// Empty where it names none.
  std::string function;
  std::string text;
};

struct PtxasOutput {
  std::vector<FunctionReport> functions;
  std::vector<Remark> remarks;
  std::vector<PtxasError> errors;
};

/// Reads every line that says one of these, and passes over the others.
PtxasOutput parsePtxasOutput(llvm::StringRef text);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_LIB_TARGET_NVVM_PTXASOUTPUT_H
