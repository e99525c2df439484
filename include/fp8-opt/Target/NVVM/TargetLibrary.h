// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions of chips that ship, and how one gets into a module.

#ifndef FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H
#define FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Process/NameOrFile.h"
#include "fp8-opt/Target/NVVM/Chip.h"
#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::nvvm {

/// All targets that ship: each text is one `qtile.target` of that name.
llvm::ArrayRef<NamedText> shippedTargets();
bool isShipped(llvm::StringRef name);

/// An error at a target for a chip that PTX is not made for, by a version of PTX that kernels are not in, or
/// with an instruction that is not the one which kernels for the chip have.
mlir::LogicalResult checkChip(qtile::TargetOp target);

/// The instruction that kernels for a chip multiply such operands by, with the most columns that it has; null
/// where they have none.
qtile::MmaAttr instructionOf(const Chip &chip, mlir::Type lhs, mlir::Type rhs);

/// The target that ships under this name, or that of the file at this path (NameOrFile.h), for a
/// chip of checkChip. Errors are emitted with a location in the text, or, for an unknown name or unreadable
/// file, at `user`.
mlir::FailureOr<mlir::OwningOpRef<qtile::TargetOp>> readTarget(mlir::Location user,
                                                               llvm::StringRef nameOrFile);

/// The target of this name of the module; where it has none, the one that ships. Or that of the file at this
/// path, where the module has no other of its name. What was read is put into the module. Errors are those of
/// readTarget, or at what else has the name.
mlir::FailureOr<qtile::TargetOp> loadTarget(mlir::Location user, mlir::ModuleOp module,
                                            llvm::StringRef nameOrFile);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_TARGETLIBRARY_H
