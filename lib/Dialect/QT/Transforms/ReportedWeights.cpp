// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What roles found out about a program's arguments, from its report.

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"

using namespace mlir;
using namespace fp8opt::qt;

SmallVector<int64_t> fp8opt::qt::findWeights(ModuleOp module) {
  SmallVector<int64_t> weights;
  if (ReportAttr report = QTDialect::ReportAttrHelper(module.getContext()).getAttr(module))
    for (EntryAttr entry : report.getEntries())
      if (LinearAttr linear = entry.getLinear()) {
        if (linear.getArgument() >= 0)
          weights.push_back(linear.getArgument());
        llvm::append_range(weights, linear.getParts());
      }
  llvm::sort(weights);
  weights.erase(llvm::unique(weights), weights.end());
  return weights;
}
