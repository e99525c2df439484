// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a run for people and as JSON.

#ifndef FP8_OPT_RUN_RESULTS_H
#define FP8_OPT_RUN_RESULTS_H

#include "fp8-opt/Run/Compare.h"
#include "fp8-opt/Run/QuantizerStatistics.h"

#include "llvm/Support/JSON.h"

namespace fp8opt::run {

/// The median step of several: by the clock, and of all processors together. The second tells more on a
/// machine that others use too.
struct StepSeconds {
  double clock = 0, processors = 0;
};

/// What one run of a program gave, and what it is compared with.
struct Results {
  std::vector<NamedTensor> values;
  /// "unquantized", or the path of a file; empty: nothing is compared.
  std::string referenceName;
  /// By name of the result. A result that is not here is not compared.
  std::vector<NamedTensor> reference;
  std::vector<QuantizerDescription> quantizers;
  /// Whether the quantizers were counted; one that never ran may have no entry.
  bool isCounted = false;
  std::vector<numerics::QuantizationError> counts;
  /// One for each quantizer, or none: they were not checked.
  std::vector<QuantizerCheck> checks;
  double compileSeconds = 0, runSeconds = 0;
  /// Of the results and of the unquantized function.
  StepSeconds step, referenceStep;
  /// Most memory that the engine's process held; 0: not measured.
  int64_t peakBytes = 0, referencePeakBytes = 0;
};

/// An error where a result and its reference differ in shape, or where no result has a reference.
llvm::Error checkReference(const Results &results);

/// An error where a quantizer that was checked left other codes or scales than Numerics makes; names the
/// first.
llvm::Error checkCodes(const Results &results);

/// A line for each result, for the comparison as a whole, and for each quantizer. Requires `checkReference`.
void printResults(llvm::raw_ostream &os, const Results &results);

/// As docs/HowTo/run-a-graph.md describes it; a number that JSON has no word for is null.
llvm::json::Value resultsToJson(const Results &results);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_RESULTS_H
