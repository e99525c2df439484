// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler leaves on a module, as text and as JSON.

#include "Records.h"

using namespace mlir;
using namespace fp8opt;

Records findRecords(ModuleOp module, StringRef function) {
  auto &qt = *module.getContext()->getLoadedDialect<qt::QTDialect>();
  Records records;
  records.made = qt.getReportAttrHelper().getAttr(module);
  records.plan = qt.getPlanAttrHelper().getAttr(module);
  records.traffic = qt.getTrafficAttrHelper().getAttr(module);
  records.signature = qt.getSignatureAttrHelper().getAttr(module);
  if (auto *qtile = module.getContext()->getLoadedDialect<qtile::QTileDialect>())
    records.shares = qtile->getSharesAttrHelper().getAttr(module);
  if (auto entry = module.lookupSymbol<func::FuncOp>(function); entry && records.made)
    records.unknown = findLeftAlone(entry);
  return records;
}

void print(const Records &records, ModuleOp module) {
  printLeftAlone(llvm::errs(), records.unknown);
  printReport(llvm::errs(), records.made);
  if (records.traffic)
    printTraffic(llvm::errs(), records.traffic, records.plan, records.made);
  if (records.shares) {
    printShares(llvm::errs(), records.shares);
    printKernels(llvm::errs(), module);
  }
}

llvm::json::Object toJson(const Records &records, ModuleOp module, StringRef target, StringRef kernelForm,
                          llvm::json::Array remarks) {
  llvm::json::Object json = reportToJson(records.made, target);
  if (!records.unknown.empty())
    json["left_alone"] = leftAloneToJson(records.unknown);
  if (records.plan)
    json["plan"] = planToJson(records.plan);
  if (!remarks.empty())
    json["remarks"] = std::move(remarks);
  if (records.traffic)
    json["traffic"] = trafficToJson(records.traffic, records.plan, records.signature);
  if (records.shares) {
    llvm::json::Object kernels = kernelsToJson(records.shares, module);
    if (!kernelForm.empty())
      kernels["form"] = kernelForm;
    json["kernels"] = std::move(kernels);
  }
  return json;
}
