// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions of chips that ship.

#include "fp8-opt/Target/NVVM/TargetLibrary.h"
#include "fp8-opt/Target/NVVM/Chip.h"
#include "fp8-opt/Target/NVVM/Passes.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

namespace fp8opt::nvvm {
#define GEN_PASS_DEF_LOADTARGETPASS
#include "fp8-opt/Target/NVVM/Passes.h.inc"
} // namespace fp8opt::nvvm

using namespace mlir;
using namespace fp8opt;

static constexpr NamedText kShipped[] = {
#include "Targets.inc"
};

ArrayRef<NamedText> nvvm::shippedTargets() { return kShipped; }

bool nvvm::isShipped(StringRef name) {
  return llvm::any_of(kShipped, [&](const NamedText &target) { return target.name == name; });
}

/// The instruction of so many columns.
static qtile::MmaAttr withColumns(qtile::MmaAttr mma, int64_t n) {
  return qtile::MmaAttr::get(mma.getContext(), mma.getM(), n, mma.getK(), mma.getStep(), mma.getLhs(),
                             mma.getRhs(), mma.getAccumulator(), mma.getScale(), mma.getEach(),
                             mma.getThreads(), mma.getIsAsynchronous());
}

/// A file may leave columns of an instruction unused, and whole instructions.
static LogicalResult checkProducts(qtile::TargetOp target, const nvvm::Chip &chip) {
  llvm::SmallPtrSet<Attribute, 8> seen;
  for (auto mma : target.getInstructions().getAsRange<qtile::MmaAttr>()) {
    qtile::MmaAttr known = nvvm::instructionOf(chip, mma.getLhs(), mma.getRhs());
    if (!known)
      return target.emitOpError() << "expected instructions for operands that kernels for " << chip.name
                                  << " multiply, got " << mma;
    if (mma.getN() > known.getN() || withColumns(mma, known.getN()) != known)
      return target.emitOpError() << "expected " << known
                                  << (known.getN() > known.getStep() ? ", or one of fewer columns" : "")
                                  << ", got " << mma;
    if (!seen.insert(known).second)
      return target.emitOpError() << "expected one instruction for " << mma.getLhs() << " and "
                                  << mma.getRhs() << ", got a second, " << mma;
  }
  return success();
}

LogicalResult nvvm::checkChip(qtile::TargetOp target) {
  const Chip *chip = findChip(target.getLoc(), target.getChip());
  if (!chip)
    return failure();
  if (target.getFeatures() != chip->features)
    return target.emitOpError() << "expected features \"" << chip->features << "\", with which kernels for "
                                << chip->name << " are written, got " << target.getFeaturesAttr();
  return checkProducts(target, *chip);
}

FailureOr<OwningOpRef<qtile::TargetOp>> nvvm::readTarget(Location user, StringRef nameOrFile) {
  auto text = openNameOrFile("target", nameOrFile, kShipped);
  if (!text)
    return emitError(user) << llvm::toString(text.takeError());
  MLIRContext *context = user.getContext();
  context->loadDialect<qtile::QTileDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*text), SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, context);
  if (!module)
    return failure();
  auto targets = llvm::to_vector(module->getOps<qtile::TargetOp>());
  if (targets.size() != 1)
    return module->emitError() << "expected exactly one qtile.target in a target file, got "
                               << targets.size();
  if (!isFile(nameOrFile) && targets.front().getSymName() != nameOrFile)
    return targets.front()->emitError()
           << "expected target @" << nameOrFile << " in its file, got @" << targets.front().getSymName();
  if (failed(checkChip(targets.front())))
    return failure();
  targets.front()->remove();
  return OwningOpRef<qtile::TargetOp>(targets.front());
}

/// Whether two targets are the same, wherever they were read.
static bool isSame(qtile::TargetOp target, qtile::TargetOp other) {
  return OperationEquivalence::isEquivalentTo(target, other, OperationEquivalence::IgnoreLocations);
}

FailureOr<qtile::TargetOp> nvvm::loadTarget(Location user, ModuleOp module, StringRef nameOrFile) {
  if (Operation *named = module.lookupSymbol(nameOrFile)) {
    if (auto own = dyn_cast<qtile::TargetOp>(named))
      return failed(checkChip(own)) ? FailureOr<qtile::TargetOp>() : own;
    return named->emitError() << "expected '" << nameOrFile << "' to be a qtile.target, got "
                              << named->getName();
  }
  FailureOr<OwningOpRef<qtile::TargetOp>> read = readTarget(user, nameOrFile);
  if (failed(read))
    return failure();
  qtile::TargetOp target = **read;
  if (Operation *taken = module.lookupSymbol(target.getSymName())) {
    if (auto own = dyn_cast<qtile::TargetOp>(taken); own && isSame(own, target))
      return own;
    InFlightDiagnostic diagnostic = target.emitError() << "expected a target with a name of its own, got '"
                                                       << target.getSymName() << "'";
    diagnostic.attachNote(taken->getLoc()) << "the program has this name here";
    return diagnostic;
  }
  module.getBody()->push_front(read->release());
  return target;
}

namespace {
struct LoadTarget : nvvm::impl::LoadTargetPassBase<LoadTarget> {
  using LoadTargetPassBase::LoadTargetPassBase;

  void runOnOperation() override {
    if (failed(nvvm::loadTarget(getOperation().getLoc(), getOperation(), name)))
      signalPassFailure();
  }
};
} // namespace
