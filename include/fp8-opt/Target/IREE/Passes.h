// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes that make a graph fit for IREE.

#ifndef FP8_OPT_TARGET_IREE_PASSES_H
#define FP8_OPT_TARGET_IREE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace fp8opt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8-opt/Target/IREE/Passes.h.inc"

/// All of it, as the pipeline `convert-to-iree`.
void registerIREEPipelines();
} // namespace fp8opt

#endif // FP8_OPT_TARGET_IREE_PASSES_H
