// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far results are from a reference.

#ifndef FP8_OPT_RUN_COMPARE_H
#define FP8_OPT_RUN_COMPARE_H

#include "fp8-opt/Run/TensorFile.h"

namespace fp8opt::run {

/// Over all elements, in f64, in row-major order. NaN anywhere makes NaN. Equal
/// infinities are left out: they agree, and have no measure.
///
/// | case                    | relativeError | cosine |
/// |-------------------------|---------------|--------|
/// | both all zero, or empty | 0             | 1      |
/// | only the reference zero | infinity      | 0      |
/// | only the result zero    | 1             | 0      |
struct Comparison {
  /// Norm of the difference, divided by the norm of the reference.
  double relativeError;
  double cosine;
};

/// Requires equal shapes; element types may differ.
Comparison compare(const Tensor &result, const Tensor &reference);

double norm(const Tensor &tensor);

/// Of the comparisons of float results that are not scalar.
struct ComparisonSummary {
  /// The name of the result with the lowest cosine.
  std::string lowestCosineName;
  double lowestCosine = 1, meanRelativeError = 0;
  int64_t count = 0;

  void add(llvm::StringRef name, const Comparison &comparison);
};

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_COMPARE_H
