// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a graph: its steps one by one, and all of them.

#include "fp8-opt/Pipelines/Compile.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Import/Passes.h"
#include "fp8-opt/Recipes/RecipeLibrary.h"
#include "fp8-opt/Target/NVVM/Passes.h"
#include "fp8-opt/Target/NVVM/TargetLibrary.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Processors take graphs of quantized tensors, devices kernels.
static constexpr StringLiteral kProcessor = "cpu";

Machine fp8opt::machineOf(StringRef target) {
  return target == kProcessor ? Machine::Processor : Machine::Device;
}

Step fp8opt::lastStep(Machine machine) { return machine == Machine::Processor ? Step::Fuse : Step::Expand; }

std::string fp8opt::stepNames() {
  std::string names;
  for (unsigned step = 0; step <= getMaxEnumValForStep(); ++step)
    names += (step ? ", " : "") + stringifyStep(Step(step)).str();
  return names;
}

std::string fp8opt::targetNames() {
  std::string names = kProcessor.str();
  for (const NamedText &target : nvvm::shippedTargets())
    names += (", " + target.name).str();
  return names;
}

bool fp8opt::isTarget(StringRef name) { return name == kProcessor || nvvm::isShipped(name); }

/// The module's file alone: the line of a module that a step has changed holds all its attributes.
static Location briefLocation(ModuleOp module) {
  if (auto file = module.getLoc()->findInstanceOf<FileLineColLoc>())
    return FileLineColLoc::get(file.getFilename(), 0, 0);
  return module.getLoc();
}

llvm::Error fp8opt::checkTarget(ModuleOp module, StringRef nameOrFile) {
  if (isFile(nameOrFile))
    return openNameOrFile("target", nameOrFile, {}).takeError();
  if (isTarget(nameOrFile) || module.lookupSymbol<qtile::TargetOp>(nameOrFile))
    return llvm::Error::success();
  std::string names = targetNames();
  for (auto target : module.getOps<qtile::TargetOp>())
    if (!isTarget(target.getSymName()))
      names += ", " + target.getSymName().str() + " (of this module)";
  return llvm::createStringError("expected the name of a target or the path of a target file, got '" +
                                 nameOrFile + "'; targets are " + names);
}

FailureOr<std::string> fp8opt::findTarget(ModuleOp module, StringRef nameOrFile) {
  if (llvm::Error error = checkTarget(module, nameOrFile))
    return emitError(briefLocation(module)) << toString(std::move(error));
  // What ships is read when it is needed.
  if (!isFile(nameOrFile) && !module.lookupSymbol<qtile::TargetOp>(nameOrFile))
    return nameOrFile.str();
  FailureOr<qtile::TargetOp> loaded = nvvm::loadTarget(briefLocation(module), module, nameOrFile);
  return failed(loaded) ? FailureOr<std::string>() : loaded->getSymName().str();
}

void fp8opt::addStep(OpPassManager &manager, Step step, const CompileOptions &options) {
  switch (step) {
  case Step::Import:
    // Arithmetic on whole tensors, of frameworks and of hand, in the one form that later steps look into.
    manager.addPass(createImportElementwisePass());
    manager.addPass(createImportTosaPass());
    manager.addPass(createImportLinalgPass({options.function}));
    manager.addPass(createImportSignaturePass({options.function, options.signature}));
    manager.addPass(createKeepUnquantizedPass({options.function}));
    manager.addPass(createImportQuantizedPass({options.function}));
    break;
  case Step::Roles:
    manager.addPass(createInferRolesPass({options.function}));
    break;
  case Step::Schemes:
    manager.addPass(createAssignSchemesPass({options.function, options.recipe, /*remarks=*/false}));
    break;
  case Step::Quantize:
    manager.addPass(createMaterializeQuantizationPass({options.function}));
    manager.addPass(createCountTrafficPass({options.function}));
    break;
  case Step::Axes:
    manager.addPass(createMatchOperandAxesPass({options.function}));
    break;
  case Step::Fuse:
    manager.addPass(createHoistQuantizationPass({options.function, options.remarks}));
    manager.addPass(createMergeQuantizersPass({options.function, options.remarks}));
    manager.addPass(createFuseAmaxPass({options.function, /*blocks=*/false, options.remarks}));
    manager.addPass(createCountTrafficPass({options.function}));
    break;
  case Step::Kernels: {
    nvvm::LoadTargetPassOptions target;
    target.name = options.target;
    manager.addPass(nvvm::createLoadTargetPass(target));
    manager.addPass(createConvertQTToQTilePass({options.target, options.function, /*remarks=*/false}));
    manager.addPass(qtile::createReadSlicesPass());
    manager.addPass(qtile::createMergeKernelsPass());
    break;
  }
  case Step::Schedule:
    manager.addPass(qtile::createChooseSchedulePass());
    // Those whose sizes alone differed.
    manager.addPass(qtile::createMergeKernelsPass());
    break;
  case Step::Expand:
    manager.addPass(qtile::createExpandGemmPass());
    manager.addPass(qtile::createExpandQuantizePass());
    manager.addPass(qtile::createPlanRingsPass());
    break;
  }
  manager.addPass(createMarkStepPass({step}));
  manager.addPass(createVerifyStagePass({options.function, step}));
}

/// Kernels of a module that has some are for the target that it is compiled for.
static LogicalResult checkKernels(ModuleOp module, StringRef target) {
  for (auto kernel : module.getOps<qtile::KernelOp>())
    if (kernel.getTarget() != target)
      return kernel.emitError() << "expected kernels for target '" << target << "', got '"
                                << kernel.getSymName() << "' for '" << kernel.getTarget() << "'";
  return success();
}

/// Checks that the module is where `from` says, and that there is a way from there to `until`.
static LogicalResult checkWay(ModuleOp module, const CompileOptions &options) {
  Location where = briefLocation(module);
  FailureOr<std::string> target = findTarget(module, options.target);
  if (failed(target))
    return failure();
  auto &qt = *module.getContext()->getLoadedDialect<QTDialect>();
  StepAttr reached = qt.getStepAttrHelper().getAttr(module);
  Step last = lastStep(machineOf(options.target)), until = options.until.value_or(last);
  if (options.from && *options.from > last) {
    InFlightDiagnostic diagnostic =
        emitError(where) << "expected a target that has step '" << stringifyStep(*options.from) << "', got '"
                         << options.target << "', which has steps up to '" << stringifyStep(last) << "'";
    for (auto target : module.getOps<qtile::TargetOp>())
      diagnostic << "; the module is for --target=" << target.getSymName();
    return diagnostic;
  }
  if (until > last)
    return emitError(where) << "expected a last step that target '" << options.target << "' has, at most '"
                            << stringifyStep(last) << "', got '" << stringifyStep(until) << "'";
  if (options.from) {
    if (!reached || reached.getValue() != *options.from)
      return emitError(where) << "expected a module that has reached step '" << stringifyStep(*options.from)
                              << "', got one that has reached "
                              << (reached ? "'" + stringifyStep(reached.getValue()).str() + "'" : "none");
    if (until < *options.from)
      return emitError(where) << "expected a last step not before '" << stringifyStep(*options.from)
                              << "', got '" << stringifyStep(until) << "'";
  } else if (reached) {
    return emitError(where) << "expected a module that no step has changed, got one that has reached '"
                            << stringifyStep(reached.getValue())
                            << "'; --from=" << stringifyStep(reached.getValue()) << " goes on from there";
  }
  if (last >= Step::Kernels && failed(checkKernels(module, *target)))
    return failure();
  if (options.from && !options.signature.empty())
    return emitError(where)
           << "expected no signature file: names are read at step 'import', and the module has "
              "reached '"
           << stringifyStep(*options.from) << "'";
  bool pastSchemes = options.from && *options.from >= Step::Schemes;
  if (pastSchemes && !options.recipe.empty())
    return emitError(where) << "expected no recipe, got '" << options.recipe
                            << "': schemes are chosen at step 'schemes', and the module has reached '"
                            << stringifyStep(*options.from) << "'";
  if (until >= Step::Schemes && !pastSchemes && options.recipe.empty() && module.getOps<RecipeOp>().empty())
    return emitError(
        where, "expected a recipe: the step 'schemes' needs one, by --recipe or as qt.recipe in the module");
  // A wrong recipe is told before the work, not after.
  return options.recipe.empty() ? success() : LogicalResult(loadRecipe(where, options.recipe));
}

LogicalResult fp8opt::compile(ModuleOp module, const CompileOptions &options,
                              function_ref<LogicalResult(PassManager &)> configure) {
  module.getContext()->loadDialect<QTDialect>();
  if (failed(checkWay(module, options)))
    return failure();
  PassManager manager(module.getContext());
  // Each step ends with a pass that verifies what the step has changed. Verifying both programs after every
  // pass too took most of the time of a big graph, and could only have named the pass.
  manager.enableVerifier(false);
  unsigned first = options.from ? unsigned(*options.from) + 1 : 0;
  for (unsigned step = first; step <= unsigned(options.until.value_or(lastStep(machineOf(options.target))));
       ++step)
    addStep(manager, Step(step), options);
  if (failed(configure(manager)))
    return failure();
  return manager.run(module);
}
