// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas reported, in words and as JSON.

#include "fp8-opt/Target/NVVM/Assemble.h"

using namespace fp8opt::nvvm;

std::vector<std::string> fp8opt::nvvm::findSlowness(const Assembled &assembled) {
  std::vector<std::string> found;
  for (const FunctionReport &function : assembled.functions)
    if (function.spillStoreBytes > 0 || function.spillLoadBytes > 0)
      found.push_back("'" + function.name + "' spills: " + std::to_string(function.spillStoreBytes) +
                      " bytes stored, " + std::to_string(function.spillLoadBytes) + " bytes loaded, at " +
                      std::to_string(function.registers) + " registers");
  for (const Remark &remark : assembled.remarks)
    found.push_back((remark.code.empty() ? "" : remark.code + ": ") + remark.text);
  return found;
}

static llvm::json::Object toJSON(const KernelLaunch &launch) {
  return llvm::json::Object{{"name", launch.name},
                            {"threads", launch.threads},
                            {"shared_bytes", launch.sharedBytes},
                            {"arguments", llvm::json::Array(launch.arguments)},
                            {"schedule", launch.schedule}};
}

llvm::json::Value fp8opt::nvvm::toJSON(const Assembled &assembled, llvm::ArrayRef<KernelLaunch> launches,
                                       const Chip &chip) {
  llvm::json::Array functions, kernels, remarks;
  for (const FunctionReport &function : assembled.functions)
    functions.push_back(llvm::json::Object{{"name", function.name},
                                           {"kernel", function.isKernel},
                                           {"registers", function.registers},
                                           {"barriers", function.barriers},
                                           {"stack_bytes", function.stackBytes},
                                           {"spill_store_bytes", function.spillStoreBytes},
                                           {"spill_load_bytes", function.spillLoadBytes},
                                           {"static_shared_bytes", function.staticSharedBytes}});
  for (const KernelLaunch &launch : launches)
    kernels.push_back(::toJSON(launch));
  for (const Remark &remark : assembled.remarks)
    remarks.push_back(
        llvm::json::Object{{"code", remark.code}, {"function", remark.function}, {"text", remark.text}});
  return llvm::json::Object{{"target", chip.name},
                            {"form", assembled.hasCubin() ? "cubin" : "ptx"},
                            {"functions", std::move(functions)},
                            {"kernels", std::move(kernels)},
                            {"remarks", std::move(remarks)}};
}
