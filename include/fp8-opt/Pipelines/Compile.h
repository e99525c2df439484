// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a graph: its steps one by one, and all of them.

#ifndef FP8_OPT_PIPELINES_COMPILE_H
#define FP8_OPT_PIPELINES_COMPILE_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Target/IREE/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace fp8opt {

struct CompileOptions {
  /// Name of a shipped recipe or path of a recipe file. Empty: the module's own. Refused where `from` is
  /// `schemes` or later: schemes have been chosen.
  std::string recipe;
  /// What the result runs on: one of targetNames(), or a qtile.target of the module.
  std::string target = "cpu";
  /// JSON file with names of arguments and results; empty: they are numbered. Refused with `from`: they have
  /// names.
  std::string signature;
  /// The function to compile.
  std::string function = "main";
  /// Whether to remark on what the step `fuse` leaves as it is, and why.
  bool remarks = false;
  /// The step that the module has reached; none: it comes from elsewhere.
  std::optional<qt::Step> from;
  /// The last step to take; none: the last that the target has.
  std::optional<qt::Step> until;
};

/// "import, roles, ...": the steps in order, for messages.
std::string stepNames();

/// "cpu, sm_90a, ...": the targets that every graph can be compiled for.
std::string targetNames();
bool isTarget(llvm::StringRef name);

/// An error where nothing that ships, is in the module, or can be read is meant; it says what there is.
llvm::Error checkTarget(mlir::ModuleOp module, llvm::StringRef nameOrFile);

/// The name of the target that is meant: one of targetNames(), a qtile.target of the module, or that of the
/// file at this path, which is put into the module. An error at the module where there is none.
mlir::FailureOr<std::string> findTarget(mlir::ModuleOp module, llvm::StringRef nameOrFile);

/// What a target of this name is: "cpu" the processor, any other a device.
Machine machineOf(llvm::StringRef target);
/// The last step of the walk for a machine: `fuse` for a processor, `expand` for a device.
qt::Step lastStep(Machine machine);

/// The passes of one step, and the check of what the step promises; the public pieces that `compile` is made
/// of.
void addStep(mlir::OpPassManager &manager, qt::Step step, const CompileOptions &options);

/// Takes `module` from step `options.from` to step `options.until`. Afterwards the function is the compiled
/// one, the function FUNCTION_unquantized is as imported, and the module's qt attributes hold signature,
/// report and step. `configure` is applied to the pass manager with its passes before it runs (timing,
/// reproducers, a look at the passes), when target, recipe and steps are known to be right. Errors are
/// located.
mlir::LogicalResult compile(mlir::ModuleOp module, const CompileOptions &options,
                            llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)> configure);

} // namespace fp8opt

#endif // FP8_OPT_PIPELINES_COMPILE_H
