// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints results and comparisons.

#include "fp8-opt/Run/Results.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace fp8opt::run;

// Results of up to this many elements are shown whole.
static constexpr int64_t kShown = 8;

llvm::Error fp8opt::run::checkReference(const Results &results) {
  auto error = [](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  bool isCompared = false;
  for (const NamedTensor &value : results.values) {
    const Tensor *reference = findTensor(results.reference, value.name);
    if (!reference)
      continue;
    isCompared = true;
    if (reference->shape != value.tensor.shape)
      return error("expected a reference of the shape of result '" + value.name + "', " +
                   value.tensor.typeText() + ", got " + reference->typeText() + " from '" +
                   results.referenceName + "'");
  }
  if (isCompared || results.referenceName.empty() || results.values.empty())
    return llvm::Error::success();
  return error("expected a tensor named like a result, such as '" + results.values.front().name + "', in '" +
               results.referenceName + "', got none");
}

/// Digits that tell every two numbers of the type apart.
static int digits(ElementType type) { return type == ElementType::F64 ? 17 : 9; }

static std::string elementText(const Tensor &tensor, int64_t index) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isFloat(tensor.type))
    stream << llvm::format("%.*g", digits(tensor.type), tensor.at(index));
  else
    stream << tensor.integerAt(index);
  return text;
}

static void printValue(llvm::raw_ostream &os, const Tensor &tensor) {
  int64_t count = tensor.numElements();
  if (tensor.shape.empty()) {
    os << " = " << elementText(tensor, 0);
  } else if (count <= kShown) {
    os << " = [";
    for (int64_t i = 0; i < count; ++i)
      os << (i ? ", " : "") << elementText(tensor, i);
    os << ']';
  } else {
    os << llvm::format(" norm %.6g", norm(tensor));
  }
}

static bool countsInSummary(const Tensor &tensor) { return isFloat(tensor.type) && !tensor.shape.empty(); }

static void printComparison(llvm::raw_ostream &os, const Results &results) {
  ComparisonSummary summary;
  for (const NamedTensor &value : results.values) {
    os << value.name << ": " << value.tensor.typeText();
    printValue(os, value.tensor);
    if (const Tensor *reference = findTensor(results.reference, value.name)) {
      Comparison comparison = compare(value.tensor, *reference);
      if (value.tensor.shape.empty())
        os << ", " << results.referenceName << ' ' << elementText(*reference, 0);
      os << llvm::format(", relative error %.4g, cosine %.6f", comparison.relativeError, comparison.cosine);
      if (countsInSummary(value.tensor))
        summary.add(value.name, comparison);
    }
    os << '\n';
  }
  if (summary.count != 0)
    os << llvm::format("lowest cosine %.6f", summary.lowestCosine) << " (" << summary.lowestCosineName << ')'
       << llvm::format(", mean relative error %.4g", summary.meanRelativeError) << " over " << summary.count
       << " float results that are not scalar\n";
}

static QuantizerCounts countsOf(const Results &results, size_t quantizer) {
  return quantizer < results.counts.size() ? results.counts[quantizer] : QuantizerCounts();
}

void fp8opt::run::printResults(llvm::raw_ostream &os, const Results &results) {
  // What a reader came for stands last.
  for (size_t i = 0; i < results.quantizers.size(); ++i) {
    const QuantizerDescription &quantizer = results.quantizers[i];
    QuantizerCounts counts = countsOf(results, i);
    os << "quantized " << quantizer.location << ": " << quantizer.shape << ' ' << quantizer.scheme
       << ": saturated " << counts.saturated << ", flushed " << counts.flushed
       << llvm::format(", SNR %.2f dB\n", counts.snrDecibels());
  }
  printComparison(os, results);
}

static llvm::json::Value number(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value(nullptr);
}

static llvm::json::Value scalar(const Tensor &tensor) {
  return isFloat(tensor.type) ? number(tensor.at(0)) : llvm::json::Value(tensor.integerAt(0));
}

static llvm::json::Object resultToJson(const Results &results, const NamedTensor &value) {
  llvm::json::Object object{{"name", llvm::json::fixUTF8(value.name)}, {"type", value.tensor.typeText()}};
  const Tensor *reference = findTensor(results.reference, value.name);
  bool isScalar = value.tensor.shape.empty();
  object["norm"] = number(norm(value.tensor));
  if (isScalar)
    object["value"] = scalar(value.tensor);
  if (!reference)
    return object;
  Comparison comparison = compare(value.tensor, *reference);
  object["rel_error"] = number(comparison.relativeError);
  object["cosine"] = number(comparison.cosine);
  object["reference_norm"] = number(comparison.referenceNorm);
  if (isScalar)
    object["reference_value"] = scalar(*reference);
  return object;
}

llvm::json::Value fp8opt::run::resultsToJson(const Results &results) {
  llvm::json::Array values, quantizers;
  ComparisonSummary summary;
  for (const NamedTensor &value : results.values) {
    values.push_back(resultToJson(results, value));
    const Tensor *reference = findTensor(results.reference, value.name);
    if (reference && countsInSummary(value.tensor))
      summary.add(value.name, compare(value.tensor, *reference));
  }
  for (size_t i = 0; i < results.quantizers.size(); ++i) {
    QuantizerCounts counts = countsOf(results, i);
    quantizers.push_back(llvm::json::Object{{"location", llvm::json::fixUTF8(results.quantizers[i].location)},
                                            {"shape", results.quantizers[i].shape},
                                            {"scheme", results.quantizers[i].scheme},
                                            {"saturated", counts.saturated},
                                            {"flushed", counts.flushed},
                                            {"snr_db", number(counts.snrDecibels())}});
  }
  llvm::json::Object object{
      {"results", std::move(values)},
      {"quantized", std::move(quantizers)},
      {"seconds", llvm::json::Object{{"compile", results.compileSeconds}, {"run", results.runSeconds}}}};
  if (!results.referenceName.empty())
    object["compared_with"] = llvm::json::fixUTF8(results.referenceName);
  if (summary.count != 0)
    object["summary"] = llvm::json::Object{{"lowest_cosine", number(summary.lowestCosine)},
                                           {"mean_rel_error", number(summary.meanRelativeError)}};
  return object;
}
