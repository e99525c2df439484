// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opt driver: passes by name.

#include "Driver.h"
#include "../ParserGuard.h"
#include "../ReadModule.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static int fail(const Twine &message) {
  llvm::errs() << "fp8-opt: " << message << '\n';
  return 1;
}

bool namesPasses() {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.dumpPassPipeline(false);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  PassManager given(&context);
  // What is wrong with them has been told.
  return failed(config.setupPassPipeline(given)) || !given.empty();
}

/// Says that a file will be written as it came, where neither a recipe nor a pass is named.
static void noteIfNothingToDo(StringRef outputPath, const MlirOptMainConfig &config) {
  // To look for passes is to print them, where that is asked for.
  if (outputPath == "-" || config.shouldEmitBytecode() || config.shouldDumpPassPipeline() || namesPasses())
    return;
  llvm::errs() << "fp8-opt: no recipe and no pass: the module is written as it came\n";
}

int runDriver(int argc, char **argv, StringRef inputPath, StringRef outputPath, DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  noteIfNothingToDo(outputPath, config);
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputPath, outputPath, registry));
  llvm::InitLLVM setup(argc, argv);
  if (inputPath == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  auto input = openModule(inputPath, "a module");
  if (!input)
    return fail(toString(input.takeError()));
  std::string problem;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputPath, &problem);
  if (!output)
    return fail(problem);
  ParserGuard guard("fp8-opt", inputPath, (*input)->getBuffer());
  // The passes are looked up when the module has been read. A crash of theirs is to be seen as one.
  auto addPasses = [&guard, given = config](PassManager &manager) {
    guard.stop();
    return given.setupPassPipeline(manager);
  };
  config.setPassPipelineSetupFn(addPasses);
  LogicalResult result = failure();
  guard.run([&] {
    result = MlirOptMain(output->os(), std::move(*input), registry, config);
    return succeeded(result);
  });
  if (succeeded(result))
    output->keep();
  return asMainReturnCode(result);
}
