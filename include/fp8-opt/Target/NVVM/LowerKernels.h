// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what kernels compute to functions in the llvm and nvvm dialects, and what a launch of them needs.

#ifndef FP8_OPT_TARGET_NVVM_LOWERKERNELS_H
#define FP8_OPT_TARGET_NVVM_LOWERKERNELS_H

#include "fp8-opt/Target/NVVM/Chip.h"

#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace fp8opt::nvvm {

/// What a launch of a kernel needs to know. The grid is the number of multiprocessors, or fewer.
struct KernelLaunch {
  std::string name;
  /// Of a block.
  int64_t threads = 0;
  /// Of a block, dynamic: a driver must be told when they are more than 48 KB.
  int64_t sharedBytes = 0;
  /// In their order: the element type and a star for a pointer to global memory ("f8E4M3FN*"), or "i32".
  std::vector<std::string> arguments;
  /// As text; empty where the kernel has none.
  std::string schedule;
};

/// The passes that give kernels schedules, write their roles, and place these in shared memory. For modules
/// that have the targets of their kernels.
void addKernelExpansion(mlir::OpPassManager &manager);

/// All passes from `qtile.kernel` to the llvm and nvvm dialects, with the shipped target of this name.
void addKernelLowering(mlir::OpPassManager &manager, llvm::StringRef target);

/// The pipeline qtile-to-nvvm, which is addKernelLowering.
void registerNVVMPipelines();

/// Lowers each `qtile.kernel` of the module, as addKernelLowering does, and says how to launch it. A target
/// that the module lacks is the shipped one. An error at a kernel that is for another chip. A module without
/// kernels stays as it was.
mlir::FailureOr<std::vector<KernelLaunch>> lowerKernels(mlir::ModuleOp module, const Chip &chip);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_LOWERKERNELS_H
