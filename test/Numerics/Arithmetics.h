// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number through a conversion, one block with one element through the arithmetic of a scheme.

#ifndef FP8_OPT_TEST_NUMERICS_ARITHMETICS_H
#define FP8_OPT_TEST_NUMERICS_ARITHMETICS_H

#include "fp8-opt/Numerics/Host.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include <cmath>

namespace fp8opt::numerics {

inline uint32_t codeOf(FormatId to, float x, const Conversion &how = Conversion(), uint32_t random = 0) {
  Host host;
  return encode(host, format(to), how, bitsOf(x), random);
}
inline float valueOf(FormatId from, uint32_t code) {
  Host host;
  return floatOf(decode(host, format(from), code));
}

inline Scheme schemeOf(FormatId code, std::vector<ScaleLevel> levels) {
  Scheme scheme;
  scheme.code = code;
  scheme.levels = std::move(levels);
  return scheme;
}

struct Quantized {
  std::vector<uint32_t> stored;
  float encodeFactor, decodeFactor;
  uint32_t code;
  float decodedCode, dequantized;
};

/// `x` in a block with these amaxes, innermost first.
inline Quantized quantized(const Scheme &scheme, const std::vector<float> &amaxes, float x,
                           FormatId expressed = FormatId::BF16) {
  Host host;
  SchemeArithmetic<Host> arithmetic(host, scheme, expressed);
  std::vector<uint32_t> words;
  for (float amax : amaxes)
    words.push_back(bitsOf(amax));
  Quantized result;
  result.stored = arithmetic.storedScales(words);
  const uint32_t encodeFactor = arithmetic.encodeFactor(words, result.stored);
  const uint32_t decodeFactor = arithmetic.decodeFactor(result.stored);
  result.encodeFactor = floatOf(encodeFactor);
  result.decodeFactor = floatOf(decodeFactor);
  result.code = arithmetic.encodeElement(bitsOf(x), encodeFactor, 0);
  result.decodedCode = valueOf(scheme.code, result.code);
  result.dequantized = floatOf(arithmetic.decodeElement(result.code, decodeFactor));
  return result;
}

} // namespace fp8opt::numerics

#endif // FP8_OPT_TEST_NUMERICS_ARITHMETICS_H
