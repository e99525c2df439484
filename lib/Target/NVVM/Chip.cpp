// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of chips, and the check of ops against them.

#include "fp8-opt/Target/NVVM/Chip.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace mlir;
using namespace fp8opt::nvvm;

// PTX 8.8 is the first that writes all that the three chips have, relaxed arrivals and block scales included.
static constexpr Chip kChips[] = {{"sm_90a", "+ptx88", Products::OfWarpGroups},
                                  {"sm_100a", "+ptx88", Products::None},
                                  {"sm_120a", "+ptx88", Products::OfWarps}};

ArrayRef<Chip> fp8opt::nvvm::chips() { return kChips; }

const Chip *fp8opt::nvvm::findChip(Location location, StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return &chip;
  SmallVector<StringRef> names;
  for (const Chip &chip : kChips)
    names.push_back(chip.name);
  emitError(location) << "expected a chip that this version has (" << llvm::join(names, ", ") << "), got '"
                      << name << "'";
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

LogicalResult fp8opt::nvvm::checkInstructions(ModuleOp module, const Chip &chip) {
  auto version = NVVM::NVVMCheckSMVersion::getTargetSMVersionFromStr(chip.name);
  bool isMissing = false;
  module.walk([&](Operation *op) {
    auto required = requirementOf(op);
    if (!required || required->isCompatibleWith(version))
      return;
    op->emitOpError() << "expected an instruction of " << chip.name << ", got one of "
                      << nameChips(*required);
    isMissing = true;
  });
  return failure(isMissing);
}
