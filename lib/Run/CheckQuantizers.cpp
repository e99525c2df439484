// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes again what an engine's quantizers did.

#include "fp8-opt/Run/CheckQuantizers.h"

#include "fp8-opt/Dialect/QT/IR/QTNumerics.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/Block.h"
#include "fp8-opt/Numerics/Error.h"

#include <algorithm>

using namespace fp8opt;
using namespace fp8opt::run;
namespace n = fp8opt::numerics;

/// A stored scale: f32 bits, or a code.
static uint32_t wordAt(const Tensor &tensor, int64_t index) {
  if (tensor.type == ElementType::F32)
    return n::bitsOf(float(tensor.at(index)));
  return uint32_t(tensor.integerAt(index)) & ((1u << (8 * bytesPerElement(tensor.type))) - 1);
}

static bool isNan(uint32_t word) { return (word & n::f32::kMagnitude) > n::f32::kInfinity; }

static n::Scales scalesOf(const Tensor &tensor) {
  n::Scales scales;
  scales.shape = tensor.shape;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    scales.words.push_back(wordAt(tensor, i));
  return scales;
}

static int64_t countDifferences(const n::Scales &a, const n::Scales &b, bool areF32) {
  int64_t differing = 0;
  for (size_t i = 0; i < a.words.size(); ++i)
    differing += a.words[i] != b.words[i] && !(areF32 && isNan(a.words[i]) && isNan(b.words[i]));
  return differing;
}

static int64_t countDifferences(const n::Format &code, const std::vector<uint8_t> &a,
                                const std::vector<uint8_t> &b) {
  size_t bytes = size_t(code.storageBits()) / 8;
  int64_t differing = 0;
  for (size_t i = 0; i < a.size(); i += bytes)
    differing += !std::equal(a.begin() + int64_t(i), a.begin() + int64_t(i + bytes), b.begin() + int64_t(i));
  return differing;
}

llvm::Expected<QuantizerCheck> fp8opt::run::checkQuantizer(const iree::Quantizer &quantizer,
                                                           llvm::ArrayRef<Tensor> &tensors,
                                                           n::QuantizationError &error) {
  n::Scheme scheme = qt::numericsOf(quantizer.type);
  size_t parts = 2 + scheme.levels.size();
  auto fail = [](const llvm::Twine &what) {
    return llvm::createStringError("expected " + what + " of each exposed quantizer among the results");
  };
  if (tensors.size() < parts)
    return fail("source, codes and scales");
  const Tensor &source = tensors[0], &codes = tensors[1];
  llvm::ArrayRef<Tensor> scales = tensors.slice(2, scheme.levels.size());
  tensors = tensors.drop_front(parts);

  n::Numbers numbers{qt::formatOfExpressed(quantizer.type.getElementType()), source.shape,
                     source.bytes.data()};
  n::QuantizedNumbers made{codes.shape, codes.bytes, {}};
  for (const Tensor &level : scales)
    made.scales.push_back(scalesOf(level));
  for (auto [level, found] : llvm::zip_equal(scheme.levels, made.scales))
    if (n::scaleShape(level, source.shape) != found.shape)
      return fail("scales of the shape that the scheme gives them");
  if (codes.shape != source.shape ||
      codes.bytes.size() != size_t(source.numElements() * n::format(scheme.code).storageBits() / 8))
    return fail("codes of the source's shape");

  n::QuantizedNumbers wanted = quantizer.hasGivenScales ? n::quantizeByScales(scheme, numbers, made.scales)
                                                        : n::quantize(scheme, numbers);
  QuantizerCheck check;
  check.isChecked = true;
  check.differingCodes = countDifferences(n::format(scheme.code), made.codes, wanted.codes);
  for (size_t level = 0; level < scheme.levels.size(); ++level)
    check.differingScales += countDifferences(made.scales[level], wanted.scales[level],
                                              scheme.levels[level].type == n::FormatId::F32);
  std::vector<float> values(size_t(source.numElements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(source.at(int64_t(i)));
  error += n::measureError(scheme, numbers.type, values, made);
  return check;
}
