// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on an engine: arguments in, named and compared results out.

#ifndef FP8_OPT_RUN_ENGINE_H
#define FP8_OPT_RUN_ENGINE_H

#include "fp8-opt/Run/EntryPoint.h"
#include "fp8-opt/Run/Results.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <memory>

namespace fp8opt::run {

/// What is asked of an engine. Both engines answer with the same Results.
struct RunRequest {
  /// Of the graph, for messages.
  std::string path;
  std::string function = "main";
  /// JSON file with names; empty: those of the module.
  std::string signaturePath;
  /// Files and seed of the arguments, as fp8-run's options; empty: none.
  std::string argumentsPath, init;
  /// Runs the unquantized function too, as the reference.
  bool comparesUnquantized = false;
  /// Steps to time after a first one; 0: the only one is timed.
  unsigned steps = 0;
  /// Fills every buffer of the reference's run with this byte first.
  std::optional<uint8_t> poison;
  /// Is told what a user should know.
  std::function<void(const std::string &)> remark;
  /// Called before what may take long, with its description; what it returns lives until that is done.
  std::function<std::shared_ptr<void>(const std::string &)> begin;
};

/// The values of the arguments that the request asks for.
llvm::Expected<std::vector<Tensor>> argumentsFor(const EntryPoint &entry, const RunRequest &request);

/// A graph with what it is run on.
struct OpenGraph {
  mlir::func::FuncOp function;
  EntryPoint entry;
  std::vector<Tensor> values;
};

/// The function, the names and the values that the request asks for. The module carries the names afterwards.
llvm::Expected<OpenGraph> openGraph(mlir::ModuleOp module, const RunRequest &request);

/// On the exact reference. The module is used up.
llvm::Expected<Results> runOnReference(mlir::ModuleOp module, const RunRequest &request);

struct IREEOptions {
  /// Paths of iree-compile and of a Python that has iree-base-runtime. Empty: as PATH finds them, Python
  /// beside iree-compile first, as in a virtual environment.
  std::string compiler, python;
  /// Reads every quantizer's source, codes and scales back, counts, and computes codes and scales again from
  /// the source.
  bool checkQuantizers = false;
};

/// On IREE's CPU back end. The module is used up.
llvm::Expected<Results> runOnIREE(mlir::ModuleOp module, const RunRequest &request,
                                  const IREEOptions &options);
/// The same for a .vmfb that fp8-opt wrote, whose path is that of the request.
llvm::Expected<Results> runCompiledByIREE(mlir::MLIRContext &context, const RunRequest &request,
                                          const IREEOptions &options);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_ENGINE_H
