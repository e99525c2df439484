// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the parts of a program on all processors and links them.

#include "Jit.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>

using namespace mlir;
using namespace fp8opt::run;

Jit::Jit(std::unique_ptr<llvm::orc::LLJIT> engine) : engine(std::move(engine)) {}
Jit::~Jit() = default;

// Kernels are loop nests and entries are straight lines of calls: what else the default pipelines look for is
// not there, and takes most of their time.
static constexpr llvm::StringLiteral kKernelPasses =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),"
    "instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion),loop-vectorize,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm),early-cse,simplifycfg)";
static constexpr llvm::StringLiteral kEntryPasses = "function(sroa,early-cse,simplifycfg,instsimplify)";

static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef passes) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager pipeline;
  if (llvm::Error error = builder.parsePassPipeline(pipeline, passes))
    return error;
  pipeline.run(module, modules);
  return llvm::Error::success();
}

using Object = std::unique_ptr<llvm::MemoryBuffer>;

static llvm::Expected<Object> compilePart(ModuleOp part, const llvm::orc::JITTargetMachineBuilder &host,
                                          bool isEntry, bool optimizes) {
  auto builder = host;
  // An entry is a straight line of calls: there is nothing to gain, and it is the longest function.
  builder.setCodeGenOptLevel(isEntry || !optimizes ? llvm::CodeGenOptLevel::None
                                                   : llvm::CodeGenOptLevel::Default);
  // Sums and products keep their own roundings on every machine.
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  auto machine = builder.createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(part, context);
  if (!module)
    return llvm::createStringError("expected a module that translates to LLVM IR, got one that does not");
  // Without these the optimizer knows no types' sizes and takes four times as long.
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  for (llvm::Function &function : *module) {
    function.addFnAttr("target-cpu", (*machine)->getTargetCPU());
    function.addFnAttr("target-features", (*machine)->getTargetFeatureString());
  }
  if (llvm::Error error = optimize(*module, **machine, isEntry || !optimizes ? kEntryPasses : kKernelPasses))
    return error;
  return llvm::orc::SimpleCompiler(**machine)(*module);
}

/// Objects of all parts; each thread takes the next part.
static llvm::Expected<std::vector<Object>> compileParts(ArrayRef<OwningOpRef<ModuleOp>> parts,
                                                        const llvm::orc::JITTargetMachineBuilder &host,
                                                        Runtime &runtime) {
  std::vector<Object> objects(parts.size());
  std::vector<std::string> failures(parts.size());
  runtime.pool.parallelFor(int64_t(parts.size()), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      auto object = compilePart(parts[size_t(i)].get(), host, i == 0, runtime.optimize);
      if (object)
        objects[size_t(i)] = std::move(*object);
      else
        failures[size_t(i)] = llvm::toString(object.takeError());
    }
  });
  for (const std::string &failure : failures)
    if (!failure.empty())
      return llvm::createStringError(failure);
  return objects;
}

llvm::Expected<std::unique_ptr<Jit>> Jit::create(ModuleOp module, const LoweringState &state,
                                                 Runtime &runtime) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  if (runtime.processor == Processor::Baseline)
    host = llvm::orc::JITTargetMachineBuilder(host->getTargetTriple());
  host->setRelocationModel(llvm::Reloc::PIC_);
  // Programs see what is defined below and nothing else of this process.
  auto engine = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(*host)
                    .setLinkProcessSymbolsByDefault(false)
                    .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                    .create();
  if (!engine)
    return engine.takeError();

  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, void *address) {
    symbols[(*engine)->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                 llvm::JITSymbolFlags::Exported};
  };
  for (auto [name, address] : runtimeSymbols())
    define(name, address);
  define(symbol::kRuntime, &runtime);
  if (llvm::Error error = (*engine)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;

  // More parts than threads, so that one slow kernel does not keep the others waiting.
  auto parts = splitProgram(module, state, 4 * runtime.pool.size());
  auto objects = compileParts(parts, *host, runtime);
  if (!objects)
    return objects.takeError();
  for (Object &object : *objects)
    if (llvm::Error error = (*engine)->addObjectFile(std::move(object)))
      return error;
  return std::unique_ptr<Jit>(new Jit(std::move(*engine)));
}

llvm::Expected<Jit::Function> Jit::lookup(llvm::StringRef name) {
  auto address = engine->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<Function>();
}
