// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes from kernels to instructions.

#ifndef FP8_OPT_TARGET_NVVM_PASSES_H
#define FP8_OPT_TARGET_NVVM_PASSES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fp8opt::nvvm {
#define GEN_PASS_DECL
#include "fp8-opt/Target/NVVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fp8-opt/Target/NVVM/Passes.h.inc"
} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_PASSES_H
