// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels compute of a program, under which schedules, and what is left to the engine: for people, and
// as JSON.

#ifndef FP8_OPT_REPORT_KERNELS_H
#define FP8_OPT_REPORT_KERNELS_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace fp8opt {

/// One line for each reason for which no kernel computes contractions, with their share of the FLOPs and
/// bytes of all and where the first is, then the share of the kernels; it says so if sizes are dynamic.
void printShares(llvm::raw_ostream &os, qtile::SharesAttr shares);

/// One line for each kernel: how often the program launches it, and its schedule as far as it has one.
void printKernels(llvm::raw_ostream &os, mlir::ModuleOp module);

/// The sums, every contraction, and every kernel; docs/HowTo/read-the-report.md describes each field.
llvm::json::Object kernelsToJson(qtile::SharesAttr shares, mlir::ModuleOp module);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_KERNELS_H
