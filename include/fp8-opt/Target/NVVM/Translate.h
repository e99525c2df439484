// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From kernels in the llvm and nvvm dialects to PTX, in process.

#ifndef FP8_OPT_TARGET_NVVM_TRANSLATE_H
#define FP8_OPT_TARGET_NVVM_TRANSLATE_H

#include "fp8-opt/Target/NVVM/Chip.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace fp8opt::nvvm {

/// The dialects that kernels are written in (qtile, llvm, nvvm, scf, cf, arith), and how llvm and nvvm become
/// LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);

/// The passes from scf, cf, arith, and nvvm ops that stand for several instructions, to what translates to
/// LLVM IR. For modules.
void addLowering(mlir::OpPassManager &manager);

/// PTX for the kernels of a module, which goes through addLowering on the way. A kernel is an llvm.func with
/// nvvm.kernel. The context must have what registerDialects registers.
///
/// It is what `mlir-translate --mlir-to-llvmir` and `llc -march=nvptx64 -mcpu=CHIP -mattr=FEATURES` make of
/// the module: level O2 of code generation and none of LLVM's optimization passes, which leaves the order
/// that the kernel was written in. The same module gives the same text. What cannot be translated is an error
/// at an op, at a function, or at the module; also what LLVM takes for fatal, as an instruction that the chip
/// lacks. After such an error a sleeping thread stays behind, with the memory that it had.
mlir::FailureOr<std::string> translateToPTX(mlir::ModuleOp module, const Chip &chip);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_TARGET_NVVM_TRANSLATE_H
