// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels compute of a program, and what is left to the engine: for people, and as JSON.

#ifndef FP8_OPT_REPORT_KERNELS_H
#define FP8_OPT_REPORT_KERNELS_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "llvm/Support/JSON.h"

namespace fp8opt {

/// One line for each quantized product that no kernel computes, with its share of the FLOPs and bytes of all
/// contractions and the reason, then the share of the kernels.
void printShares(llvm::raw_ostream &os, qtile::SharesAttr shares);

/// The sums, and every contraction; docs/HowTo/read-the-report.md describes each field.
llvm::json::Value sharesToJson(qtile::SharesAttr shares);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_KERNELS_H
