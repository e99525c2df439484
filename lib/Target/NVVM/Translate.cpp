// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering to the llvm dialect, LLVM IR, and PTX.

#include "fp8-opt/Target/NVVM/Translate.h"

#include "EmitPTX.h"
#include "FatalError.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;
using namespace fp8opt::nvvm;

void fp8opt::nvvm::registerDialects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect, scf::SCFDialect, cf::ControlFlowDialect,
                  arith::ArithDialect, DLTIDialect, qt::QTDialect, qtile::QTileDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void fp8opt::nvvm::addLowering(OpPassManager &manager) {
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertNVVMToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

/// The function that LLVM has an error for; where it says none, the only one, or null.
static LLVM::LLVMFuncOp functionOf(ModuleOp module, StringRef name) {
  if (!name.empty())
    return module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  auto bodies = llvm::make_filter_range(module.getOps<LLVM::LLVMFuncOp>(),
                                        [](LLVM::LLVMFuncOp function) { return !function.isExternal(); });
  return llvm::hasSingleElement(bodies) ? *bodies.begin() : LLVM::LLVMFuncOp();
}

static LogicalResult tell(ModuleOp module, const Chip &chip, const EmissionError &error) {
  LLVM::LLVMFuncOp function = functionOf(module, error.function);
  InFlightDiagnostic diagnostic = emitError(function ? function.getLoc() : module.getLoc());
  diagnostic << "expected " << (function ? "'" + function.getName().str() + "'" : "the module")
             << " to have a form in " << chip.name << "'s instructions (" << chip.features.drop_front()
             << "), got: " << error.message;
  return diagnostic;
}

FailureOr<std::string> fp8opt::nvvm::translateToPTX(ModuleOp module, const Chip &chip) {
  // Before the lowering, which makes inline PTX of some ops.
  if (failed(checkInstructions(module, chip)))
    return failure();
  PassManager manager(module.getContext());
  addLowering(manager);
  if (failed(manager.run(module)))
    return failure();
  auto emission = std::make_shared<Emission>(chip);
  std::optional<std::string> fatal = catchFatalError([emission, module] {
    emission->llvmModule = translateModuleToLLVMIR(module, emission->context, "kernels",
                                                   /*disableVerification=*/true);
    if (emission->llvmModule)
      emission->emit();
  });
  if (fatal)
    return tell(module, chip, explainFatalError(*emission, *fatal));
  // Then the translation has told why.
  if (!emission->llvmModule)
    return failure();
  for (const EmissionError &error : emission->errors)
    (void)tell(module, chip, error);
  if (!emission->errors.empty())
    return failure();
  return std::string(emission->ptx);
}
