// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a graph for this machine and runs it: the exact reference.

#ifndef FP8_OPT_RUN_PROGRAM_H
#define FP8_OPT_RUN_PROGRAM_H

#include "fp8-opt/Run/QuantizerStatistics.h"
#include "fp8-opt/Run/TensorFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fp8opt::run {

/// The dialects, models and translations that compiling a program needs.
void registerProgramDialects(mlir::DialectRegistry &registry);

/// "tensor<2x128xbf16>" and the like for the type of an argument or result; what `Program::run` accepts for
/// it.
struct ValueType {
  ElementType element;
  /// -1 where any size goes.
  std::vector<int64_t> shape;
  /// Not a tensor: "f32", passed as a tensor without dimensions.
  bool isScalar = false;

  std::string text() const;
  bool accepts(const Tensor &tensor) const;
};

/// What files can hold: ranked tensors of the element types, and scalars (index as I64). An error for all
/// else.
llvm::Expected<ValueType> valueType(mlir::Type type);

/// What machine code may use. Results do not depend on it; Baseline is there to show that.
enum class Processor {
  /// Everything this machine has.
  Host,
  /// What every processor of this machine's architecture has.
  Baseline
};

/// The name of the step of the lowering that runs upstream's canonicalization on tensors.
constexpr llvm::StringLiteral kCanonicalizeTensors = "canonicalize-tensors";

struct ProgramOptions {
  /// Functions to compile; each must have a body.
  std::vector<std::string> entries = {"main"};
  /// Adds the passes that leave nothing but upstream's dialects on tensors. May watch those that follow.
  std::function<void(mlir::PassManager &)> prepare;
  /// Including the caller; 0 takes one per processor. Results do not depend on it.
  unsigned threads = 0;
  Processor processor = Processor::Host;
  /// Without it compiling takes a fraction of the time, and running longer. Results do not depend on it.
  bool optimize = true;
  /// Fills every buffer with this byte before the program gets it. Results do not depend on it; a run with
  /// another byte shows that.
  std::optional<uint8_t> poison;
};

class Program {
public:
  ~Program();
  /// Consumes the module's contents. Requires a context with `registerProgramDialects`.
  static llvm::Expected<std::unique_ptr<Program>> compile(mlir::ModuleOp module,
                                                          const ProgramOptions &options);

  /// Runs one entry. Arguments are not changed. An error says which argument was expected to be what, or
  /// which assertion of the graph failed and where.
  llvm::Expected<std::vector<Tensor>> run(llvm::StringRef entry,
                                          const std::vector<const Tensor *> &arguments);

  /// Counted since the last call of `run` began.
  const std::vector<numerics::QuantizationError> &quantizers() const;

private:
  struct Parts;
  explicit Program(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts;
};

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_PROGRAM_H
