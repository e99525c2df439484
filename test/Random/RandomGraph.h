// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generated graph as generate.py writes it, and the values that it is run on.

#ifndef FP8_OPT_TEST_RANDOM_RANDOMGRAPH_H
#define FP8_OPT_TEST_RANDOM_RANDOMGRAPH_H

#include "fp8-opt/Run/TensorFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fp8opt::random {

/// How argument values are made: of a normal distribution, or with zeros, NaN, infinities, and rows whose
/// elements are huge or tiny among them.
enum class Values { Normal, Special };

struct Run {
  Values values = Values::Normal;
  /// The shape of each argument.
  std::vector<std::vector<int64_t>> shapes;
};

struct RandomGraph {
  uint64_t seed = 0;
  /// A recipe of the library.
  std::string recipe;
  /// Compare what import makes with what is written. Requires contractions with an f32 accumulator that is
  /// rounded once, and sums in the order of the normal form.
  bool compareImport = false;
  /// For each argument: 0 for floats that are no weight, -1 for a weight, n for integers in [0, n).
  std::vector<int64_t> kinds;
  std::vector<Run> runs;
  /// The module, behind its description.
  std::string text;
};

/// The graphs of a file of generate.py, which are apart by lines of "// -----".
llvm::Expected<std::vector<RandomGraph>> readGraphs(llvm::StringRef path);

/// Values for the arguments of `function` in one run. An argument beyond those described is a normal float of
/// its static shape.
llvm::Expected<std::vector<run::Tensor>> makeArguments(const RandomGraph &graph, const Run &run,
                                                       mlir::TypeRange types);

} // namespace fp8opt::random

#endif // FP8_OPT_TEST_RANDOM_RANDOMGRAPH_H
