// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all versions of a program compute the same bits.

#ifndef FP8_OPT_TEST_RANDOM_CHECK_H
#define FP8_OPT_TEST_RANDOM_CHECK_H

#include "Versions.h"

namespace fp8opt::random {

struct Verdict {
  /// What differs first, or what failed; empty: nothing.
  std::string failure;
  /// The number of the result that differs, if that is what failed.
  std::optional<unsigned> result;
  /// The compiler did not accept the graph, for this reason.
  std::string refusal;
  unsigned versions = 0, products = 0, quantizedProducts = 0;
  bool isMutated = false;
};

/// Compiles all versions as one program, whose equal kernels are compiled once, and runs each on all values.
/// Bits of numbers must be equal; one NaN is as good as another, since IEEE 754 leaves open which comes out
/// of two.
Verdict check(mlir::ModuleOp written, const RandomGraph &graph, Mutation mutation);

/// A smaller program that fails too: ops become arguments and results are left out as long as it does.
mlir::OwningOpRef<mlir::ModuleOp> reduce(mlir::ModuleOp written, const RandomGraph &graph, Mutation mutation);

} // namespace fp8opt::random

#endif // FP8_OPT_TEST_RANDOM_CHECK_H
