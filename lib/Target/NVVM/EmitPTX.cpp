// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation for NVPTX, configured as llc is.

#include "EmitPTX.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <mutex>

using namespace fp8opt::nvvm;

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

namespace {
/// Keeps what LLVM has to say in the emission.
struct CollectErrors : llvm::DiagnosticHandler {
  explicit CollectErrors(std::vector<EmissionError> &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text, function;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    if (const auto *located = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
      function = located->getFunction().getName();
    if (const auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
      if (const llvm::Instruction *instruction = assembly->getInstruction())
        function = instruction->getFunction()->getName();
    errors.push_back({llvm::StringRef(text).trim().str(), function});
    return true;
  }

  std::vector<EmissionError> &errors;
};
} // namespace

/// NVPTX alone: the registry is the process's, and others may register what they use.
static void registerNVPTX() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// Every setting that llc sets other than a TargetOptions is born.
static llvm::TargetOptions optionsOfLlc() {
  llvm::TargetOptions options;
  options.NoTrappingFPMath = false;
  options.UseInitArray = true;
  options.MCOptions.AsmVerbose = true;
  return options;
}

static std::unique_ptr<llvm::TargetMachine> createMachine(const Chip &chip) {
  registerNVPTX();
  std::string problem;
  llvm::Triple triple(kTriple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!found)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      found->createTargetMachine(triple, chip.name, chip.features, optionsOfLlc(), std::nullopt, std::nullopt,
                                 llvm::CodeGenOptLevel::Default));
}

void Emission::emit() {
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(errors));
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(chip);
  if (!machine) {
    errors.push_back({"an LLVM without the NVPTX target", ""});
    return;
  }
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  for (const llvm::Function &function : *llvmModule)
    if (llvm::verifyFunction(function, &problems)) {
      errors.push_back({llvm::StringRef(problem).trim().str(), function.getName().str()});
      problem.clear();
    }
  if (errors.empty() && llvm::verifyModule(*llvmModule, &problems))
    errors.push_back({llvm::StringRef(problem).trim().str(), ""});
  if (!errors.empty())
    return;

  llvm::raw_svector_ostream os(ptx);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(machine->getTargetTriple()));
  if (machine->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    errors.push_back({"a target that writes no text", ""});
    return;
  }
  passes.run(*llvmModule);
}

/// The function that calls an intrinsic of this name, with any suffix for its types.
static llvm::StringRef callerOf(const llvm::Module &module, llvm::StringRef intrinsic) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction())
          if (callee->getName().starts_with(intrinsic))
            return function.getName();
  return "";
}

EmissionError fp8opt::nvvm::explainFatalError(const Emission &emission, llvm::StringRef message) {
  EmissionError error;
  // "Cannot select: 0x55d0c8: i16 = NVPTXISD::CVT 0x55d0c1, 0x55d0c2", operands on lines of their own, and
  // "In function: k"; or "Cannot select: intrinsic %llvm.nvvm.redux.sync.fmax".
  error.function = message.split("\nIn function: ").second.split('\n').first;
  error.message = message.split('\n').first;
  llvm::Regex address("(, )?0x[0-9a-f]+(: ?)?");
  while (address.match(error.message))
    error.message = address.sub("", error.message);
  llvm::StringRef intrinsic = llvm::StringRef(error.message).split("intrinsic %").second;
  if (error.function.empty() && !intrinsic.empty() && emission.llvmModule)
    error.function = callerOf(*emission.llvmModule, intrinsic);
  return error;
}
