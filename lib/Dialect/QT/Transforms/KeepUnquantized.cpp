// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the imported program beside the one that will be quantized.

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_KEEPUNQUANTIZEDPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;

std::string fp8opt::qt::unquantizedName(StringRef function) { return (function + "_unquantized").str(); }

namespace {
struct KeepUnquantized : fp8opt::qt::impl::KeepUnquantizedPassBase<KeepUnquantized> {
  using KeepUnquantizedPassBase::KeepUnquantizedPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp entry = fp8opt::findEntry(module, function);
    if (!entry)
      return signalPassFailure();
    std::string name = fp8opt::qt::unquantizedName(function);
    if (Operation *taken = module.lookupSymbol(name)) {
      taken->emitError() << "expected no function '" << name << "': the program as imported gets this name";
      return signalPassFailure();
    }
    func::FuncOp copy = entry.clone();
    copy.setName(name);
    module.getBody()->getOperations().insertAfter(entry->getIterator(), copy);
  }
};
} // namespace
