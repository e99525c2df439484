// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler leaves on a module for people to read.

#ifndef FP8_OPT_TOOLS_FP8_OPT_RECORDS_H
#define FP8_OPT_TOOLS_FP8_OPT_RECORDS_H

#include "fp8-opt/Report/Kernels.h"
#include "fp8-opt/Report/LeftAlone.h"
#include "fp8-opt/Report/Plan.h"
#include "fp8-opt/Report/Report.h"

/// Null where the compiler did not get so far.
struct Records {
  fp8opt::qt::ReportAttr made;
  fp8opt::qt::PlanAttr plan;
  fp8opt::qt::TrafficAttr traffic;
  fp8opt::qt::SignatureAttr signature;
  fp8opt::qtile::SharesAttr shares;
  llvm::SmallVector<fp8opt::LeftAlone> unknown;
};

/// Those of the module, which `function` of it was compiled to.
Records findRecords(mlir::ModuleOp module, llvm::StringRef function);

/// To standard error, all but the plan. Requires a report.
void print(const Records &records, mlir::ModuleOp module);

/// The report. `kernelForm`: see IREEOutput; `remarks`: of the run.
llvm::json::Object toJson(const Records &records, mlir::ModuleOp module, llvm::StringRef target,
                          llvm::StringRef kernelForm, llvm::json::Array remarks);

#endif // FP8_OPT_TOOLS_FP8_OPT_RECORDS_H
