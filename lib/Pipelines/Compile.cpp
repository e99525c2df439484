// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a graph: its steps one by one, and all of them.

#include "fp8-opt/Pipelines/Compile.h"

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr Step kLastStep = Step::Axes;

namespace {
/// Keeps the imported program beside the one that will be quantized, to compare with.
struct KeepUnquantized : PassWrapper<KeepUnquantized, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepUnquantized)
  explicit KeepUnquantized(StringRef function) : function(function) {}
  StringRef getName() const override { return "KeepUnquantized"; }

  void runOnOperation() override {
    auto entry = getOperation().lookupSymbol<func::FuncOp>(function);
    std::string name = function + "_unquantized";
    if (Operation *taken = getOperation().lookupSymbol(name)) {
      taken->emitError() << "expected no function '" << name << "': the program as imported gets this name";
      return signalPassFailure();
    }
    func::FuncOp copy = entry.clone();
    copy.setName(name);
    getOperation().getBody()->getOperations().insertAfter(entry->getIterator(), copy);
  }

  std::string function;
};

/// Writes on the module which step it has reached.
struct MarkStep : PassWrapper<MarkStep, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkStep)
  explicit MarkStep(Step step) : step(step) {}
  StringRef getName() const override { return "MarkStep"; }

  void runOnOperation() override {
    auto &qt = *getContext().getLoadedDialect<QTDialect>();
    qt.getStepAttrHelper().setAttr(getOperation(), StepAttr::get(&getContext(), step));
  }

  Step step;
};
} // namespace

void fp8opt::addStep(OpPassManager &manager, Step step, const CompileOptions &options) {
  switch (step) {
  case Step::Import:
    manager.addPass(createImportLinalgPass({options.function}));
    manager.addPass(createImportSignaturePass({options.function, options.signature}));
    manager.addPass(std::make_unique<KeepUnquantized>(options.function));
    break;
  case Step::Roles:
    manager.addPass(createInferRolesPass({options.function}));
    break;
  case Step::Schemes:
    manager.addPass(createAssignSchemesPass({options.function, options.recipe, /*remarks=*/false}));
    break;
  case Step::Quantize:
    manager.addPass(createMaterializeQuantizationPass({options.function}));
    break;
  case Step::Axes:
    manager.addPass(createMatchOperandAxesPass({options.function}));
    break;
  }
  manager.addPass(std::make_unique<MarkStep>(step));
  // PENDING manager.addPass(createVerifyStagePass({options.function, step}));
}

/// Checks that the module is where `from` says, and that there is a way from there to `until`.
static LogicalResult checkWay(ModuleOp module, const CompileOptions &options) {
  if (options.target != "cpu")
    return module.emitError() << "expected a target that this version has, got '" << options.target
                              << "'; targets are cpu";
  auto &qt = *module.getContext()->getLoadedDialect<QTDialect>();
  StepAttr reached = qt.getStepAttrHelper().getAttr(module);
  Step until = options.until.value_or(kLastStep);
  if (options.from) {
    if (!reached || reached.getValue() != *options.from)
      return module.emitError() << "expected a module that has reached step '" << stringifyStep(*options.from)
                                << "', got one that has reached "
                                << (reached ? "'" + stringifyStep(reached.getValue()).str() + "'" : "none");
    if (until < *options.from)
      return module.emitError() << "expected a last step not before '" << stringifyStep(*options.from) << "', got '"
                                << stringifyStep(until) << "'";
  } else if (reached) {
    return module.emitError() << "expected a module that no step has changed, got one that has reached '"
                              << stringifyStep(reached.getValue()) << "'; --from=" << stringifyStep(reached.getValue())
                              << " goes on from there";
  }
  bool needsRecipe = until >= Step::Schemes && (!options.from || *options.from < Step::Schemes);
  if (needsRecipe && options.recipe.empty())
    return module.emitError("expected a recipe: the step 'schemes' needs one");
  return success();
}

LogicalResult fp8opt::compile(ModuleOp module, const CompileOptions &options,
                              function_ref<LogicalResult(PassManager &)> configure) {
  module.getContext()->loadDialect<QTDialect>();
  if (failed(checkWay(module, options)))
    return failure();
  PassManager manager(module.getContext());
  if (failed(configure(manager)))
    return failure();
  unsigned first = options.from ? unsigned(*options.from) + 1 : 0;
  for (unsigned step = first; step <= unsigned(options.until.value_or(kLastStep)); ++step)
    addStep(manager, Step(step), options);
  return manager.run(module);
}
