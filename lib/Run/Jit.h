// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code of a lowered program in this process.

#ifndef FP8_OPT_LIB_RUN_JIT_H
#define FP8_OPT_LIB_RUN_JIT_H

#include "Lowering.h"
#include "Runtime.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace fp8opt::run {

/// Cuts a module of the llvm dialect into modules of about equal size that declare what they use of each
/// other. Entries and constants stay together, first; every kernel stays with its pieces.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>> splitProgram(mlir::ModuleOp module, const LoweringState &state,
                                                            unsigned parts);

class Jit {
public:
  ~Jit();
  /// Requires a module that `lowerProgram` made. Uses all processors. The code holds the address of
  /// `runtime`.
  static llvm::Expected<std::unique_ptr<Jit>> create(mlir::ModuleOp module, const LoweringState &state,
                                                     Runtime &runtime);
  using Function = void (*)(void **arguments, void **results);
  llvm::Expected<Function> lookup(llvm::StringRef name);

private:
  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> engine);
  std::unique_ptr<llvm::orc::LLJIT> engine;
};

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_JIT_H
