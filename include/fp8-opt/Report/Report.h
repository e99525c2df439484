// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of every contraction: for people, and as JSON.

#ifndef FP8_OPT_REPORT_REPORT_H
#define FP8_OPT_REPORT_REPORT_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace fp8opt {

/// Counts over the entries of a report. A multiply-add is two FLOPs; a dynamic size counts as 1, and
/// `dynamic` says that there was one.
struct ReportSummary {
  unsigned contractions = 0, quantized = 0;
  /// Contractions at site `linear`, and those of them that are quantized.
  unsigned linears = 0, linearsQuantized = 0;
  /// FLOPs of all products that read or make a weight (sites linear, head, router), and those of them
  /// quantized.
  double weightFlops = 0, weightFlopsQuantized = 0;
  bool dynamic = false;
};

ReportSummary summarize(qt::ReportAttr report);

/// One line for each contraction that stays in high precision, "location: kept: what (why)", then the
/// summary.
void printReport(llvm::raw_ostream &os, qt::ReportAttr report);

/// The whole report; docs/HowTo/read-the-report.md describes each field.
llvm::json::Object reportToJson(qt::ReportAttr report, llvm::StringRef target);

/// One line: how often quantizing reads tensors and how many bytes it moves, before and after step `fuse`.
/// Nothing where that step has not run. Then what the plan, which may be null, computes again to quantize it.
void printTraffic(llvm::raw_ostream &os, qt::TrafficAttr traffic, qt::PlanAttr plan, qt::ReportAttr report);

/// Its sums, and an entry for each tensor; arguments have the names of the signature. That and the plan may
/// be null.
llvm::json::Value trafficToJson(qt::TrafficAttr traffic, qt::PlanAttr plan, qt::SignatureAttr signature);

/// The contractions that the recipe wanted quantized and that are not, each as an error at its location.
/// Succeeds if there are none.
mlir::LogicalResult checkStrict(qt::ReportAttr report);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_REPORT_H
