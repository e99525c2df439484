// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler writes for IREE: a .vmfb, or the text that IREE's compiler is given.

#ifndef FP8_OPT_TOOLS_FP8_OPT_IREEOUTPUT_H
#define FP8_OPT_TOOLS_FP8_OPT_IREEOUTPUT_H

#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Target/IREE/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

struct IREEOutputOptions {
  std::string function;
  fp8opt::Machine machine = fp8opt::Machine::Processor;
  /// Paths of programs; empty: as PATH finds them.
  std::string ireeCompile, ptxas;
  /// Whether the text is written, for which no compiler is needed.
  bool isText = false;
};

class IREEOutput {
public:
  /// Finds the programs, so that what is missing is told before the work.
  static llvm::Expected<IREEOutput> create(IREEOutputOptions options);

  /// What kernels are in the output: "cubin", or "ptx" where no ptxas was found; empty where there are none.
  llvm::StringRef kernelForm() const {
    return options.machine == fp8opt::Machine::Processor ? "" : options.ptxas.empty() ? "ptx" : "cubin";
  }

  /// Writes the kernels of the module, and makes of it what IREE is given. `configure` is applied to the pass
  /// manager. Errors are located.
  mlir::LogicalResult lower(mlir::ModuleOp module,
                            llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)> configure);
  /// The .vmfb.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compile(mlir::ModuleOp module);

private:
  IREEOutput(IREEOutputOptions options, fp8opt::TemporaryFolder folder)
      : options(std::move(options)), folder(std::move(folder)) {}
  mlir::LogicalResult writeKernels(mlir::ModuleOp module, std::string &ending);

  IREEOutputOptions options;
  fp8opt::TemporaryFolder folder;
};

#endif // FP8_OPT_TOOLS_FP8_OPT_IREEOUTPUT_H
