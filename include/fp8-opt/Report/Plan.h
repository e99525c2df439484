// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each tensor is quantized and what is kept of it: for people, and as JSON.

#ifndef FP8_OPT_REPORT_PLAN_H
#define FP8_OPT_REPORT_PLAN_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "llvm/Support/JSON.h"

namespace fp8opt {

/// One line for each tensor, "location: what: form (cost); not form (cost), ...", then the sums.
void printPlan(llvm::raw_ostream &os, qt::PlanAttr plan);

/// The whole plan; docs/HowTo/read-the-report.md describes each field.
llvm::json::Value planToJson(qt::PlanAttr plan);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_PLAN_H
