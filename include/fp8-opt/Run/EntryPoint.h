// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that is run: names, kinds and types of its arguments, and names of its results.

#ifndef FP8_OPT_RUN_ENTRYPOINT_H
#define FP8_OPT_RUN_ENTRYPOINT_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Run/Arguments.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fp8opt::run {

struct EntryPoint {
  std::vector<Argument> arguments;
  std::vector<std::string> resultNames;
  /// Arguments that count as parameters only because the compiler found them to be weights.
  std::vector<std::string> guessedParameters;
};

/// The function of this name with a body. `path` is the module's, for errors.
llvm::Expected<mlir::func::FuncOp> findFunction(mlir::ModuleOp module, llvm::StringRef name,
                                                llvm::StringRef path);

/// Names for the function: those of the JSON file `signaturePath`, which must fit, else, where that is empty,
/// those that the module carries, else numbers. The module carries them afterwards.
llvm::Expected<qt::SignatureAttr> findSignature(mlir::ModuleOp module, mlir::func::FuncOp function,
                                                llvm::StringRef signaturePath);

/// `names` fit `type`, which may have further results; `weights` are numbers of arguments.
llvm::Expected<EntryPoint> describeEntry(mlir::FunctionType type, qt::SignatureAttr names,
                                         llvm::ArrayRef<int64_t> weights);

/// Results in the order of their names; those beyond are left out.
std::vector<NamedTensor> nameResults(const EntryPoint &entry, std::vector<Tensor> tensors);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_ENTRYPOINT_H
