// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of a program on its walk through the compiler, pass by pass.

#ifndef FP8_OPT_TEST_RANDOM_VERSIONS_H
#define FP8_OPT_TEST_RANDOM_VERSIONS_H

#include "Mutations.h"
#include "RandomGraph.h"

namespace fp8opt::random {

/// What the results of a version must equal.
enum class Origin { Written, Unquantized, Quantized };

struct Version {
  /// Of what came before: "qt-match-operand-axes", "canonicalize,cse after quantize".
  std::string after;
  Origin origin;
  /// Holds one public function, main.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

struct Versions {
  /// The first of each origin is what the others are compared with. No two of one origin have equal text, and
  /// none is alone. Empty where all passes left the text alone.
  std::vector<Version> list;
  /// The compiler did not accept the graph, for this reason.
  std::string refusal;
  /// A promise other than equal bits was broken: bytecode that reads as something else, a step that changes
  /// code and may not.
  std::string breach;
  unsigned products = 0, quantizedProducts = 0;
  /// The mutation found a place.
  bool isMutated = false;
};

/// Takes a module through all steps. Requires a context with all dialects, and all passes registered.
Versions makeVersions(mlir::ModuleOp written, const RandomGraph &graph, Mutation mutation);

} // namespace fp8opt::random

#endif // FP8_OPT_TEST_RANDOM_VERSIONS_H
