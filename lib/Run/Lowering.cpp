// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps from tensors to LLVM.

#include "Lowering.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Import/Import.h"
#include "fp8-opt/Run/Program.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fp8opt::run;

namespace {
/// A step of this room as a pass on the module.
class StepPass : public PassWrapper<StepPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepPass)
  using Step = std::function<LogicalResult(ModuleOp)>;
  StepPass(StringRef name, Step step) : name(name), step(std::move(step)) {}
  StringRef getName() const final { return name; }
  void runOnOperation() final {
    if (failed(step(getOperation())))
      signalPassFailure();
  }

private:
  std::string name;
  Step step;
};
} // namespace

static void addStep(OpPassManager &pm, StringRef name, StepPass::Step step) {
  pm.addPass(std::make_unique<StepPass>(name, std::move(step)));
}

static void addBufferization(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  // A loop that stacks what its iterations compute returns another buffer than it was given.
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

LogicalResult fp8opt::run::lowerProgram(ModuleOp module, LoweringState &state,
                                        llvm::function_ref<void(PassManager &)> prepare) {
  PassManager pm(module.getContext());
  addStep(pm, "protect-arguments", [&](ModuleOp m) { return protectArguments(m, state); });
  addStep(pm, "verify-graph", [](ModuleOp m) {
    return success(succeeded(verifyDialects(m)) && succeeded(verifyResources(m)) &&
                   succeeded(verifyConstants(m)));
  });
  addStep(pm, "verify-calls", verifyCalls);
  prepare(pm);
  addStep(pm, "decompose-aggregates", decomposeAggregates);
  // Arithmetic on whole tensors does not bufferize.
  pm.addPass(createConvertElementwiseToLinalgPass());
  // Before anything folds a function of a constant, which would ask this machine's libm.
  pm.addPass(createConvertMathToReferencePass());
  addStep(pm, "assert-promises", [](ModuleOp m) { return assertPromises(m), success(); });
  // Nothing simplifies callees on the way: that is for the step below.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  addStep(pm, kCanonicalizeTensors, [](ModuleOp m) { return canonicalizeTensors(m), success(); });
  pm.addPass(createCSEPass());
  addStep(pm, "verify-ops", verifyOps);
  addBufferization(pm);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addStep(pm, "assert-accesses", [](ModuleOp m) { return assertAccesses(m), success(); });
  pm.addPass(createCanonicalizerPass());
  addStep(pm, "outline-kernels", [&](ModuleOp m) { return outlineKernels(m, state); });
  addStep(pm, "free-buffers", [&](ModuleOp m) { return freeBuffers(m, state), success(); });
  addStep(pm, "emit-kernels", [&](ModuleOp m) { return emitKernels(m, state); });
  addStep(pm, "expand-shapes", [](ModuleOp m) { return expandShapes(m), success(); });
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addStep(pm, "expand-small-floats", expandSmallFloats);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createSCFToControlFlowPass());
  addStep(pm, "convert-to-llvm", [&](ModuleOp m) { return convertToLLVM(m, state); });
  addStep(pm, "bind-runtime", [&](ModuleOp m) { return bindRuntime(m, state); });
  return pm.run(module);
}
