// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewritings that are wrong on purpose, and that the differential test must therefore find.

#ifndef FP8_OPT_TEST_RANDOM_MUTATIONS_H
#define FP8_OPT_TEST_RANDOM_MUTATIONS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace fp8opt::random {

enum class Mutation {
  None,
  /// Takes two quantizers of one type for equal that read different values.
  Share,
  /// Reads square codes without transposing them.
  Transpose,
  /// Multiplies by the operands the other way round, where their types allow it.
  Swap,
  /// Subtracts or divides the other way round, in a program that nothing has quantized yet.
  Operands,
};

/// Rewrites the first place that there is; whether there was one.
bool mutate(mlir::ModuleOp module, Mutation mutation);

/// "share", "transpose", ...
std::optional<Mutation> mutationNamed(llvm::StringRef name);

} // namespace fp8opt::random

#endif // FP8_OPT_TEST_RANDOM_MUTATIONS_H
