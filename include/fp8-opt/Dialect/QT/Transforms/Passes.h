// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on graphs, in the order of the walk.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_H
#define FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/Pass/Pass.h"

namespace fp8opt::qt {

#define GEN_PASS_DECL
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"

/// The name under which a compiled module keeps a function as it was imported.
std::string unquantizedName(llvm::StringRef function);

/// The numbers of the arguments that the module's report has as weights, in order.
llvm::SmallVector<int64_t> findWeights(mlir::ModuleOp module);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_H
