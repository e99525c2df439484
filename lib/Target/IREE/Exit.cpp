// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exit to IREE: a graph in plain upstream dialects.

#include "fp8-opt/Target/IREE/Exit.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Import/Passes.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fp8opt;

void iree::addExit(OpPassManager &manager, const ExitOptions &options) {
  // IREE 3.13 does not know linalg's named elementwise ops.
  manager.addPass(createImportElementwisePass());
  manager.addPass(createIREEWarnOfAssertionsPass());
  manager.addPass(createIREEDescribeQuantizersPass({options.function, options.exposeQuantizers}));
  manager.addPass(createConvertQTToReferencePass({/*orderedProducts=*/false}));
  const bool isForProcessor = options.machine == Machine::Processor;
  if (isForProcessor)
    manager.addPass(createConvertMathToReferencePass({/*keepOthers=*/true}));
  manager.addPass(createIREEDropEmptyLoopsPass());
  manager.addPass(createIREELiftNegationsPass());
  manager.addPass(createIREEMaskCumulativeSumsPass());
  manager.addPass(createIREESplitResultsPass());
  if (!isForProcessor)
    manager.addPass(createIREEWidenMixedPass());
  manager.addPass(createIREEExpandCodeCastsPass());
  if (!isForProcessor) {
    manager.addPass(createIREEWidenLatePass());
    manager.addPass(createIREEDropUnitRowsPass());
  }
  manager.addPass(createIREEKeepRoundingsPass());
  if (!isForProcessor)
    manager.addPass(createIREEKeepTermsPass());
  manager.addPass(createIREEInlineResourcesPass());
  manager.addPass(createIREEKeepArgumentsPass({options.function}));
  if (!isForProcessor) {
    manager.addPass(createIREEAlignResultsPass());
    manager.addPass(createIREEConvertLaunchesPass({options.objectEnding}));
  }
  const StringRef device = isForProcessor ? "local-task" : "cuda";
  manager.addPass(createIREEFinishEntriesPass({options.function, device.str()}));
}

namespace {
struct ExitPipelineOptions : PassPipelineOptions<ExitPipelineOptions> {
  Option<std::string> function{*this, "function", llvm::cl::desc("The function"), llvm::cl::init("main")};
  Option<bool> expose{*this, "expose", llvm::cl::desc("Return sources, codes and scales of quantizers"),
                      llvm::cl::init(false)};
  Option<std::string> objectEnding{
      *this, "object-ending",
      llvm::cl::desc("How the names of the kernels' files end; empty: a graph without kernels")};
};
} // namespace

void fp8opt::registerIREEPipelines() {
  PassPipelineRegistration<ExitPipelineOptions>(
      "convert-to-iree", "Writes a graph as plain upstream dialects, as IREE takes it",
      [](OpPassManager &manager, const ExitPipelineOptions &options) {
        iree::addExit(manager, {options.function, options.expose,
                                options.objectEnding.empty() ? Machine::Processor : Machine::Device,
                                options.objectEnding});
      });
}
