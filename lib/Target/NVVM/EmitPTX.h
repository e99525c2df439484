// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of LLVM's code generation for NVPTX.

#ifndef FP8_OPT_LIB_TARGET_NVVM_EMITPTX_H
#define FP8_OPT_LIB_TARGET_NVVM_EMITPTX_H

#include "fp8-opt/Target/NVVM/Chip.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace fp8opt::nvvm {

struct EmissionError {
  std::string message;
  /// Empty where it is not known.
  std::string function;
};

/// What one run reads and writes. It has to outlive a run that a fatal error stops.
struct Emission {
  explicit Emission(const Chip &chip) : chip(chip) {}

  /// From `llvmModule`, which it changes, to `ptx`, or to `errors`.
  void emit();

  const Chip &chip;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule;
  llvm::SmallString<0> ptx;
  std::vector<EmissionError> errors;
};

/// The message without addresses, which differ from run to run, and the function that it is about.
EmissionError explainFatalError(const Emission &emission, llvm::StringRef message);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_LIB_TARGET_NVVM_EMITPTX_H
