// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers to codes.

#include "CodeEncoder.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// What the chip's conversion calls the format, where it gives the codes of the scheme: rounded to nearest
/// even, saturated, and every NaN as the one code that Numerics has for it.
static Type instructionType(OpBuilder &builder, const numerics::Scheme &scheme) {
  constexpr uint32_t nanOfInstruction = 0x7F;
  bool isAlike = scheme.rounding == numerics::Rounding::NearestEven &&
                 scheme.overflow == numerics::Overflow::Saturate &&
                 numerics::format(scheme.code).nanCode() == nanOfInstruction;
  if (isAlike && scheme.code == numerics::FormatId::F8E4M3FN)
    return builder.getType<Float8E4M3FNType>();
  if (isAlike && scheme.code == numerics::FormatId::F8E5M2)
    return builder.getType<Float8E5M2Type>();
  return {};
}

CodeEncoder::CodeEncoder(Writer &write, const numerics::Scheme &scheme, Type expressed)
    : write(write), arith(write.builder, write.loc), scheme(scheme),
      arithmetic(arith, this->scheme, formatOfExpressed(expressed)),
      instruction(instructionType(write.builder, scheme)) {}

Value CodeEncoder::join(Value low, Value high, int64_t bits) {
  return arith::OrIOp::create(write.builder, write.loc, low, write.shiftLeft(high, bits));
}

/// Codes i and i + 1, in the lower half of a register.
Value CodeEncoder::encodePair(WordOf number, WordOf factor, int64_t i) {
  auto scaled = [&](int64_t element) {
    Value word = arithmetic.scaleElement(number(element), factor(element));
    return arith.floatOfWord(word, write.builder.getF32Type());
  };
  Value low = scaled(i), high = scaled(i + 1);
  Value codes = NVVM::ConvertF32x2ToF8x2Op::create(
      write.builder, write.loc, write.builder.getI16Type(), high, low, NVVM::FPRoundingMode::RN,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, instruction);
  return arith::ExtUIOp::create(write.builder, write.loc, write.builder.getI32Type(), codes);
}

Value CodeEncoder::encode(WordOf number, WordOf factor) {
  if (instruction)
    return join(encodePair(number, factor, 0), encodePair(number, factor, 2), 2 * codeBits);
  auto encoded = [&](int64_t i) { return arithmetic.encodeElement(number(i), factor(i), arith.constant(0)); };
  Value word = encoded(0);
  for (int64_t i = 1; i < codesOfWord; ++i)
    word = join(word, encoded(i), i * codeBits);
  return word;
}
