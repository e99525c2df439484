// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exit to IREE: a graph in plain upstream dialects.

#ifndef FP8_OPT_TARGET_IREE_EXIT_H
#define FP8_OPT_TARGET_IREE_EXIT_H

#include "fp8-opt/Target/IREE/Machine.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace fp8opt::iree {

struct ExitOptions {
  std::string function = "main";
  /// Sources, codes and scales of quantizers become results.
  bool exposeQuantizers = false;
  Machine machine = Machine::Processor;
  /// How the names of the kernels' files end; for a device.
  std::string objectEnding;
};

/// The passes from any step from `quantize` on, or a plain graph, to what IREE takes: builtin, func, linalg,
/// arith, math, tensor, scf, cf and ml_program, with no word of the qt dialect; launches of kernels, from the
/// step `expand` on, are ops of IREE's own, for which the context must take unregistered ones.
/// docs/Rationale/IREE.md tells of each.
void addExit(mlir::OpPassManager &manager, const ExitOptions &options);

} // namespace fp8opt::iree

#endif // FP8_OPT_TARGET_IREE_EXIT_H
