// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels to files, the graph to IREE's dialects, and both to IREE's compiler.

#include "IREEOutput.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Target/IREE/Compiler.h"
#include "fp8-opt/Target/IREE/Exit.h"
#include "fp8-opt/Target/NVVM/KernelObjects.h"

using namespace mlir;
using namespace fp8opt;

llvm::Expected<IREEOutput> IREEOutput::create(IREEOutputOptions options) {
  if (!options.isText) {
    auto found = iree::findCompiler({options.ireeCompile});
    if (!found)
      return found.takeError();
    options.ireeCompile = *found;
  }
  std::string assembler = findProgram(options.ptxas, "ptxas");
  if (assembler.empty() && !options.ptxas.empty())
    return llvm::createStringError("expected NVIDIA's ptxas at '" + options.ptxas +
                                   "' (--ptxas), got no program");
  options.ptxas = assembler;
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  return IREEOutput(std::move(options), std::move(*folder));
}

LogicalResult IREEOutput::writeKernels(ModuleOp module, std::string &ending) {
  // Where nothing is a kernel, all of the graph is IREE's.
  ending = nvvm::cubinEnding.str();
  auto kernels = module.getOps<qtile::KernelOp>();
  if (kernels.empty())
    return success();
  // Several targets may be for one chip.
  const nvvm::Chip *chip = nvvm::findChip(module.getLoc(), (*kernels.begin()).getTargetOp().getChip());
  if (!chip)
    return failure();
  FailureOr<nvvm::KernelObjects> objects =
      nvvm::writeKernelObjects(module, *chip, options.ptxas, folder.file(""));
  if (failed(objects))
    return failure();
  for (const std::string &line : objects->slowness)
    llvm::errs() << "ptxas: " << line << '\n';
  if (options.ptxas.empty())
    llvm::errs() << "fp8-opt: no ptxas on PATH, and none named by --ptxas: kernels are PTX, which the "
                    "driver assembles\n";
  ending = objects->ending;
  return success();
}

LogicalResult IREEOutput::lower(ModuleOp module, function_ref<LogicalResult(PassManager &)> configure) {
  iree::ExitOptions exit = {options.function, /*exposeQuantizers=*/false, options.machine,
                            /*objectEnding=*/""};
  // IREE's dialects are not linked.
  module.getContext()->allowUnregisteredDialects();
  if (options.machine == Machine::Device && failed(writeKernels(module, exit.objectEnding)))
    return failure();
  PassManager manager(module.getContext());
  iree::addExit(manager, exit);
  return failed(configure(manager)) ? failure() : manager.run(module);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> IREEOutput::compile(ModuleOp module) {
  std::string made = folder.file("graph.vmfb"), objectFolder = folder.file("");
  if (llvm::Error error =
          iree::compileModule(module, options.ireeCompile, options.machine, objectFolder, made))
    return error;
  auto content = llvm::MemoryBuffer::getFile(made);
  if (!content)
    return llvm::createStringError("expected iree-compile to write a file, got: " +
                                   content.getError().message());
  return std::move(*content);
}
