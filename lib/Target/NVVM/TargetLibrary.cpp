// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions of chips that ship.

#include "fp8-opt/Target/NVVM/TargetLibrary.h"
#include "fp8-opt/Target/NVVM/Passes.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

namespace fp8opt::nvvm {
#define GEN_PASS_DEF_LOADTARGETPASS
#include "fp8-opt/Target/NVVM/Passes.h.inc"
} // namespace fp8opt::nvvm

using namespace mlir;
using namespace fp8opt;

static constexpr nvvm::ShippedTarget kShipped[] = {
#include "Targets.inc"
};

ArrayRef<nvvm::ShippedTarget> nvvm::shippedTargets() { return kShipped; }

bool nvvm::isShipped(StringRef name) {
  return llvm::any_of(kShipped, [&](const ShippedTarget &target) { return target.name == name; });
}

/// The text of a shipped target as a module, named so that diagnostics point into it.
/// The only op of the target's file.
static OwningOpRef<qtile::TargetOp> parseTarget(MLIRContext *context, const nvvm::ShippedTarget &target) {
  context->loadDialect<qtile::QTileDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(target.text, ("target " + target.name).str()),
                              SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, context);
  if (!module)
    return {};
  auto targets = llvm::to_vector(module->getOps<qtile::TargetOp>());
  if (targets.size() != 1 || targets.front().getSymName() != target.name) {
    InFlightDiagnostic diagnostic = targets.empty() ? module->emitError() : targets.front()->emitError();
    diagnostic << "expected one qtile.target, @" << target.name << ", in its file, got ";
    if (targets.size() == 1)
      diagnostic << "@" << targets.front().getSymName();
    else
      diagnostic << targets.size();
    return {};
  }
  targets.front()->remove();
  return targets.front();
}

FailureOr<qtile::TargetOp> nvvm::loadTarget(ModuleOp module, StringRef name) {
  if (Operation *taken = module.lookupSymbol(name)) {
    if (auto target = dyn_cast<qtile::TargetOp>(taken))
      return target;
    return taken->emitError() << "expected '" << name << "' to be a qtile.target, got " << taken->getName();
  }
  const auto *shipped =
      llvm::find_if(kShipped, [&](const ShippedTarget &target) { return target.name == name; });
  if (shipped == std::end(kShipped)) {
    InFlightDiagnostic diagnostic = module.emitError() << "expected a target that kernels in qtile have (";
    llvm::interleaveComma(kShipped, diagnostic,
                          [&](const ShippedTarget &target) { diagnostic << target.name; });
    diagnostic << "), got '" << name << "'";
    return diagnostic;
  }
  OwningOpRef<qtile::TargetOp> target = parseTarget(module.getContext(), *shipped);
  if (!target)
    return failure();
  module.getBody()->push_front(*target);
  return target.release();
}

namespace {
struct LoadTarget : nvvm::impl::LoadTargetPassBase<LoadTarget> {
  using LoadTargetPassBase::LoadTargetPassBase;

  void runOnOperation() override {
    if (failed(nvvm::loadTarget(getOperation(), name)))
      signalPassFailure();
  }
};
} // namespace
