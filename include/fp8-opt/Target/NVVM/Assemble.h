// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From PTX to a cubin by NVIDIA's ptxas, where there is one, with what it reports.

#ifndef FP8_OPT_TARGET_NVVM_ASSEMBLE_H
#define FP8_OPT_TARGET_NVVM_ASSEMBLE_H

#include "fp8-opt/Target/NVVM/LowerKernels.h"
#include "fp8-opt/Target/NVVM/Translate.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fp8opt::nvvm {

/// What ptxas has counted for one function, for each thread but for the shared memory, which is a block's.
struct FunctionReport {
  std::string name;
  /// A function that kernels call has no registers, barriers and shared memory of its own.
  bool isKernel = false;
  int64_t registers = 0;
  int64_t barriers = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  /// Without what is asked for at launch.
  int64_t staticSharedBytes = 0;
};

/// A remark of ptxas's that has a number (C7508 setmaxnreg ignored, C7514 wgmma serialized, C7517 a wait put
/// in, C7519 an arrival put in, ...), or a warning.
struct Remark {
  /// "C7514"; empty where it has none.
  std::string code;
  /// The function that it names; empty where it names none.
  std::string function;
  std::string text;
};

struct Assembled {
  std::string ptx;
  /// ELF. Empty where there was no ptxas; then there are no reports and no remarks either.
  std::string cubin;
  /// By name.
  std::vector<FunctionReport> functions;
  /// As they came.
  std::vector<Remark> remarks;

  bool hasCubin() const { return !cubin.empty(); }
};

/// Assembles PTX. `ptxas` is the path of the program; empty: the result is the PTX alone. Errors of ptxas are
/// errors at the function of the module that the PTX is of, with the line of PTX.
mlir::FailureOr<Assembled> assemble(mlir::ModuleOp module, std::string ptx, const Chip &chip,
                                    llvm::StringRef ptxas);

/// What makes a kernel slower than it was written to be, in words: a spill, or a remark. Empty where there is
/// nothing, and where there was no ptxas.
std::vector<std::string> findSlowness(const Assembled &assembled);

/// Functions, remarks, how kernels are launched, and which form the result has. Units are in the names.
llvm::json::Value toJSON(const Assembled &assembled, llvm::ArrayRef<KernelLaunch> launches, const Chip &chip);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_ASSEMBLE_H
