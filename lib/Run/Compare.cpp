// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms, errors and cosines.

#include "fp8-opt/Run/Compare.h"

#include <cmath>
#include <limits>

using namespace fp8opt::run;

double fp8opt::run::norm(const Tensor &tensor) {
  double sum = 0;
  for (int64_t i = 0, count = tensor.numElements(); i < count; ++i)
    sum += tensor.at(i) * tensor.at(i);
  return std::sqrt(sum);
}

Comparison fp8opt::run::compare(const Tensor &result, const Tensor &reference) {
  double difference = 0, product = 0, squares = 0, referenceSquares = 0;
  for (int64_t i = 0, count = result.numElements(); i < count; ++i) {
    double x = result.at(i), y = reference.at(i);
    if (std::isinf(x) && x == y)
      continue;
    difference += (x - y) * (x - y);
    product += x * y;
    squares += x * x;
    referenceSquares += y * y;
  }
  Comparison comparison;
  const double norm = std::sqrt(squares), referenceNorm = std::sqrt(referenceSquares);
  bool isZero = squares == 0, isReferenceZero = referenceSquares == 0;
  if (isZero || isReferenceZero) {
    bool both = isZero && isReferenceZero;
    comparison.relativeError = both              ? 0
                               : isReferenceZero ? std::numeric_limits<double>::infinity()
                                                 : std::sqrt(difference) / referenceNorm;
    comparison.cosine = both ? 1 : 0;
    return comparison;
  }
  comparison.relativeError = std::sqrt(difference) / referenceNorm;
  comparison.cosine = product / (norm * referenceNorm);
  return comparison;
}

void ComparisonSummary::add(llvm::StringRef name, const Comparison &comparison) {
  // A NaN is lower than everything.
  if (count == 0 || !(comparison.cosine >= lowestCosine)) {
    lowestCosine = comparison.cosine;
    lowestCosineName = name.str();
  }
  meanRelativeError = (meanRelativeError * double(count) + comparison.relativeError) / double(count + 1);
  ++count;
}
