// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints results and comparisons.

#include "fp8-opt/Run/Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

using namespace fp8opt;
using namespace fp8opt::run;

// Results of up to this many elements are shown whole.
static constexpr int64_t kShown = 8;

llvm::Error fp8opt::run::checkReference(const Results &results) {
  bool isCompared = false;
  for (const NamedTensor &value : results.values) {
    const Tensor *reference = findTensor(results.reference, value.name);
    if (!reference)
      continue;
    isCompared = true;
    if (reference->shape != value.tensor.shape)
      return llvm::createStringError("expected a reference of the shape of result '" + value.name + "', " +
                                     value.tensor.typeText() + ", got " + reference->typeText() + " from '" +
                                     results.referenceName + "'");
  }
  if (isCompared || results.referenceName.empty() || results.values.empty())
    return llvm::Error::success();
  return llvm::createStringError("expected a tensor named like a result, such as '" +
                                 results.values.front().name + "', in '" + results.referenceName +
                                 "', got none");
}

/// A NaN in one spelling: the sign that processors give it says nothing.
static double shown(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Digits that tell every two numbers of the type apart.
static int digits(ElementType type) { return type == ElementType::F64 ? 17 : 9; }

static std::string elementText(const Tensor &tensor, int64_t index) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isFloat(tensor.type))
    stream << llvm::format("%.*g", digits(tensor.type), shown(tensor.at(index)));
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
    os << llvm::format(" norm %.6g", shown(norm(tensor)));
  }
}

static bool countsInSummary(const Tensor &tensor) {
  return isFloat(tensor.type) && !tensor.shape.empty() && tensor.numElements() != 0;
}

/// A scalar has no direction that a cosine could compare.
static void printMeasures(llvm::raw_ostream &os, const Tensor &tensor, const Comparison &comparison) {
  if (tensor.numElements() == 0) {
    os << ", no elements";
    return;
  }
  os << llvm::format(", relative error %.4g", shown(comparison.relativeError));
  if (!tensor.shape.empty())
    os << llvm::format(", cosine %.6f", shown(comparison.cosine));
}

static void printComparison(llvm::raw_ostream &os, const Results &results) {
  ComparisonSummary summary;
  for (const NamedTensor &value : results.values) {
    os << value.name << ": " << value.tensor.typeText();
    printValue(os, value.tensor);
    const Tensor *reference = findTensor(results.reference, value.name);
    if (!reference && !results.referenceName.empty())
      os << ", not compared: '" << results.referenceName << "' has no tensor of this name";
    if (reference) {
      if (reference->type != value.tensor.type)
        os << ", reference of another type, " << reference->typeText();
      Comparison comparison = compare(value.tensor, *reference);
      if (value.tensor.shape.empty())
        os << ", " << results.referenceName << ' ' << elementText(*reference, 0);
      printMeasures(os, value.tensor, comparison);
      if (countsInSummary(value.tensor))
        summary.add(value.name, comparison);
    }
    os << '\n';
  }
  if (summary.count != 0)
    os << llvm::format("lowest cosine %.6f", shown(summary.lowestCosine)) << " (" << summary.lowestCosineName
       << ')' << llvm::format(", mean relative error %.4g", shown(summary.meanRelativeError)) << " over "
       << summary.count << " float results that are not scalar\n";
}

/// Which quantizer it is, to a reader of the program.
static std::string placeOf(const QuantizerDescription &quantizer) {
  return quantizer.location + (quantizer.operand.empty() ? "" : ", ") + quantizer.operand;
}

llvm::Error fp8opt::run::checkCodes(const Results &results) {
  size_t differing = 0;
  std::string first;
  for (auto [quantizer, check] : llvm::zip(results.quantizers, results.checks)) {
    if (check.differingCodes == 0 && check.differingScales == 0)
      continue;
    if (differing++ == 0)
      first = llvm::formatv("{0} codes and {1} scales of {2}", check.differingCodes, check.differingScales,
                            placeOf(quantizer));
  }
  if (differing == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("expected the codes and scales that Numerics makes, got others from {0} "
                    "of {1} quantizers, first {2}",
                    differing, results.checks.size(), first));
}

static void printQuantizer(llvm::raw_ostream &os, const Results &results, size_t i) {
  const QuantizerDescription &quantizer = results.quantizers[i];
  os << "quantized " << placeOf(quantizer) << ": " << quantizer.shape << ' ' << quantizer.scheme;
  if (i < results.checks.size() && !results.checks[i].isChecked) {
    os << ": in a loop, of dynamic shape, not read back\n";
    return;
  }
  // A quantizer that never ran has no counts.
  numerics::QuantizationError counts =
      i < results.counts.size() ? results.counts[i] : numerics::QuantizationError();
  os << ": saturated " << counts.saturated << ", flushed " << counts.flushed;
  if (counts.nonfinite != 0)
    os << ", not finite " << counts.nonfinite;
  if (counts.count == 0)
    os << ", no elements";
  else if (counts.count == counts.nonfinite)
    os << ", all of them";
  else if (counts.isExact())
    os << ", exact";
  else
    os << llvm::format(", SNR %.2f dB", shown(counts.decibels()));
  if (i < results.checks.size())
    os << ", " << results.checks[i].differingCodes << " codes and " << results.checks[i].differingScales
       << " scales differ";
  os << '\n';
}

void fp8opt::run::printResults(llvm::raw_ostream &os, const Results &results) {
  // What a reader came for stands last.
  if (results.isCounted)
    for (size_t i = 0; i < results.quantizers.size(); ++i)
      printQuantizer(os, results, i);
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
  if (value.tensor.numElements() != 0) {
    object["rel_error"] = number(comparison.relativeError);
    object["cosine"] = number(comparison.cosine);
  }
  object["reference_norm"] = number(norm(*reference));
  if (isScalar)
    object["reference_value"] = scalar(*reference);
  return object;
}

static llvm::json::Object quantizerToJson(const Results &results, size_t i) {
  const QuantizerDescription &quantizer = results.quantizers[i];
  llvm::json::Object object{{"location", llvm::json::fixUTF8(quantizer.location)},
                            {"shape", quantizer.shape},
                            {"scheme", quantizer.scheme}};
  if (!quantizer.operand.empty())
    object["operand"] = llvm::json::fixUTF8(quantizer.operand);
  bool isRead = results.isCounted && (i >= results.checks.size() || results.checks[i].isChecked);
  if (isRead) {
    numerics::QuantizationError counts =
        i < results.counts.size() ? results.counts[i] : numerics::QuantizationError();
    object["saturated"] = counts.saturated;
    object["flushed"] = counts.flushed;
    object["nonfinite"] = counts.nonfinite;
    object["exact"] = counts.isExact();
    object["snr_db"] = number(counts.decibels());
  }
  if (i < results.checks.size() && isRead) {
    object["differing_codes"] = results.checks[i].differingCodes;
    object["differing_scales"] = results.checks[i].differingScales;
  }
  return object;
}

static llvm::json::Object secondsToJson(const Results &results) {
  llvm::json::Object seconds{{"compile", results.compileSeconds},
                             {"run", results.runSeconds},
                             {"step", results.step.clock},
                             {"step_processors", results.step.processors}};
  if (results.referenceStep.clock != 0) {
    seconds["unquantized_step"] = results.referenceStep.clock;
    seconds["unquantized_step_processors"] = results.referenceStep.processors;
  }
  return seconds;
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
  for (size_t i = 0; i < results.quantizers.size(); ++i)
    quantizers.push_back(quantizerToJson(results, i));
  llvm::json::Object object{{"results", std::move(values)},
                            {"quantized", std::move(quantizers)},
                            {"seconds", secondsToJson(results)}};
  if (results.peakBytes != 0)
    object["peak_bytes"] = results.peakBytes;
  if (results.referencePeakBytes != 0)
    object["unquantized_peak_bytes"] = results.referencePeakBytes;
  if (!results.referenceName.empty())
    object["compared_with"] = llvm::json::fixUTF8(results.referenceName);
  if (summary.count != 0)
    object["summary"] = llvm::json::Object{{"lowest_cosine", number(summary.lowestCosine)},
                                           {"mean_rel_error", number(summary.meanRelativeError)}};
  return object;
}
