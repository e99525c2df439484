// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of chips, and the check of ops against them.

#include "fp8-opt/Target/NVVM/Target.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace mlir;
using namespace fp8opt::nvvm;

// PTX 8.8 is the first that writes all that the three chips have, relaxed arrivals and block scales included.
static constexpr Target kTargets[] = {{"sm_90a", "+ptx88", Products::OfWarpGroups},
                                      {"sm_100a", "+ptx88", Products::None},
                                      {"sm_120a", "+ptx88", Products::OfWarps}};

ArrayRef<Target> fp8opt::nvvm::targets() { return kTargets; }

const Target *fp8opt::nvvm::findTarget(Location location, StringRef chip) {
  for (const Target &target : kTargets)
    if (target.chip == chip)
      return &target;
  SmallVector<StringRef> names;
  for (const Target &target : kTargets)
    names.push_back(target.chip);
  emitError(location) << "expected a chip that this version has (" << llvm::join(names, ", ") << "), got '"
                      << chip << "'";
  return nullptr;
}

/// What the op says that it needs. Some ops become inline PTX, say nothing, and pass instruction selection.
static std::optional<NVVM::NVVMCheckSMVersion> requirementOf(Operation *op) {
  if (isa<NVVM::WgmmaMmaAsyncOp>(op))
    return NVVM::NVVMCheckSMVersion(/*archAccelerated=*/true, 90);
  if (auto requirer = dyn_cast<NVVM::RequiresSMInterface>(op))
    return requirer.getRequiredMinSMVersion();
  return std::nullopt;
}

static std::string nameChips(const NVVM::NVVMCheckSMVersion &version) {
  std::string names;
  for (int number : version.smVersionList)
    names += (names.empty() ? "sm_" : ", sm_") + llvm::utostr(number) + (version.archAccelerated ? "a" : "");
  return names + (version.archAccelerated ? "" : " or later");
}

LogicalResult fp8opt::nvvm::checkInstructions(ModuleOp module, const Target &target) {
  auto chip = NVVM::NVVMCheckSMVersion::getTargetSMVersionFromStr(target.chip);
  bool isMissing = false;
  module.walk([&](Operation *op) {
    auto required = requirementOf(op);
    if (!required || required->isCompatibleWith(chip))
      return;
    op->emitOpError() << "expected an instruction of " << target.chip << ", got one of "
                      << nameChips(*required);
    isMissing = true;
  });
  return failure(isMissing);
}
