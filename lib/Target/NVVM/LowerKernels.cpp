// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on kernels in their order.

#include "fp8-opt/Target/NVVM/LowerKernels.h"
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Target/NVVM/Passes.h"
#include "fp8-opt/Target/NVVM/TargetLibrary.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

void fp8opt::nvvm::addKernelExpansion(OpPassManager &manager) {
  manager.addPass(qtile::createChooseSchedulePass());
  manager.addPass(qtile::createExpandGemmPass());
  manager.addPass(qtile::createExpandQuantizePass());
  manager.addPass(qtile::createPlanRingsPass());
}

void fp8opt::nvvm::addKernelLowering(OpPassManager &manager, StringRef target) {
  LoadTargetPassOptions options;
  options.name = target.str();
  manager.addPass(createLoadTargetPass(options));
  addKernelExpansion(manager);
  manager.addPass(createConvertQTileToNVVMPass());
}

namespace {
struct LoweringOptions : PassPipelineOptions<LoweringOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("Name of the target"), llvm::cl::init("sm_90a")};
};
} // namespace

void fp8opt::nvvm::registerNVVMPipelines() {
  PassPipelineRegistration<LoweringOptions>(
      "qtile-to-nvvm", "Writes kernels in the llvm and nvvm dialects, from what they compute",
      [](OpPassManager &manager, const LoweringOptions &options) {
        addKernelLowering(manager, options.target);
      });
}

template <typename T> static std::string toText(T thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

/// Of a kernel whose rings are planned.
static KernelLaunch describeLaunch(qtile::KernelOp kernel) {
  KernelLaunch launch;
  launch.name = kernel.getSymName().str();
  launch.threads = kernel.countThreads();
  launch.sharedBytes = kernel.getShared().value_or(0);
  for (Type type : kernel.getArgumentTypes()) {
    auto pointer = dyn_cast<qtile::GlobalType>(type);
    launch.arguments.push_back(pointer ? toText(pointer.getElementType()) + "*" : toText(type));
  }
  if (qtile::ScheduleAttr schedule = kernel.getScheduleAttr())
    launch.schedule = toText(schedule);
  return launch;
}

/// Each kernel has a target, of the module or of the library, and that is for the chip.
static LogicalResult provideTargets(ModuleOp module, const Chip &chip) {
  for (qtile::KernelOp kernel : llvm::make_early_inc_range(module.getOps<qtile::KernelOp>())) {
    if (!kernel.getTargetOp() && isShipped(kernel.getTarget()) &&
        failed(loadTarget(kernel.getLoc(), module, kernel.getTarget())))
      return failure();
    qtile::TargetOp its = kernel.getTargetOp();
    if (!its)
      return kernel.emitOpError() << "expected " << kernel.getTargetAttr()
                                  << " to name a qtile.target of the module, or one that this version has";
    if (failed(checkChip(its)))
      return failure();
    if (its.getChip() != chip.name)
      return kernel.emitOpError() << "expected a kernel for " << chip.name << ", got one for "
                                  << its.getChip();
  }
  return success();
}

FailureOr<std::vector<KernelLaunch>> fp8opt::nvvm::lowerKernels(ModuleOp module, const Chip &chip) {
  std::vector<KernelLaunch> launches;
  if (module.getOps<qtile::KernelOp>().empty())
    return launches;
  if (failed(provideTargets(module, chip)))
    return failure();
  PassManager expansion(module.getContext()), conversion(module.getContext());
  addKernelExpansion(expansion);
  conversion.addPass(createConvertQTileToNVVMPass());
  if (failed(expansion.run(module)))
    return failure();
  for (auto kernel : module.getOps<qtile::KernelOp>())
    launches.push_back(describeLaunch(kernel));
  if (failed(conversion.run(module)))
    return failure();
  return launches;
}
