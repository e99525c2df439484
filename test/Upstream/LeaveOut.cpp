// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves a pass out of a pipeline by taking back what it did.

#include "LeaveOut.h"

#include "fp8-opt/Run/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::upstream;

/// The name of a pass of upstream, else nothing. Steps of the lowering have no name that a pipeline could be
/// written with, and this project's passes are the ones that this tool has registered.
static StringRef upstreamName(Pass *pass) {
  if (pass->getName() == run::kCanonicalizeTensors)
    return run::kCanonicalizeTensors;
  return PassInfo::lookup(pass->getArgument()) ? StringRef() : pass->getArgument();
}

namespace {
class LeaveOut : public PassInstrumentation {
public:
  LeaveOut(StringRef leftOut, std::vector<UpstreamPass> &passes) : leftOut(leftOut), passes(passes) {}

  void runBeforePass(Pass *pass, Operation *op) final {
    auto module = dyn_cast<ModuleOp>(op);
    StringRef name = upstreamName(pass);
    if (!module || name.empty())
      return;
    auto known = llvm::find_if(passes, [&](const UpstreamPass &other) { return other.name == name; });
    current = size_t(known - passes.begin());
    if (known == passes.end())
      passes.push_back({name.str()});
    print.emplace(module);
    if (name != leftOut)
      return;
    if (name != "one-shot-bufferize")
      before = module.clone();
    else if (failed(
                 pass->initializeOptions("copy-before-write=true", [](const Twine &) { return failure(); })))
      llvm::report_fatal_error("expected bufferization to have an option copy-before-write");
  }

  void runAfterPass(Pass *, Operation *op) final {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || !print)
      return;
    passes[current].isChanging |= *print != OperationFingerPrint(module);
    print.reset();
    if (!before)
      return;
    module->setAttrs((*before)->getAttrDictionary());
    module.getBodyRegion().takeBody(before->getBodyRegion());
    before = nullptr;
  }

private:
  std::string leftOut;
  std::vector<UpstreamPass> &passes;
  size_t current = 0;
  std::optional<OperationFingerPrint> print;
  OwningOpRef<ModuleOp> before;
};
} // namespace

void fp8opt::upstream::watch(PassManager &manager, StringRef leftOut, std::vector<UpstreamPass> &passes) {
  manager.addInstrumentation(std::make_unique<LeaveOut>(leftOut, passes));
}
