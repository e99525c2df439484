// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the import passes.

#ifndef FP8_OPT_IMPORT_PASSES_H
#define FP8_OPT_IMPORT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace fp8opt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

#endif // FP8_OPT_IMPORT_PASSES_H
