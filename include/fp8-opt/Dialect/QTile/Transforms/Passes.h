// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on kernels.

#ifndef FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_H
#define FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace fp8opt::qtile {
#define GEN_PASS_DECL
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

#endif // FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_H
