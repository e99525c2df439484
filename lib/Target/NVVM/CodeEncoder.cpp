// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers to codes.

#include "CodeEncoder.h"

#include "fp8-opt/Numerics/SharedDivisor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

Value ChipEmitter::fmaF(Value a, Value b, Value c) {
  Type f32 = write.builder.getF32Type();
  Value sum = LLVM::FMAOp::create(write.builder, write.loc, f32, floatOfWord(a, f32), floatOfWord(b, f32),
                                  floatOfWord(c, f32));
  return wordOfFloat(sum);
}

Value ChipEmitter::negF(Value a) {
  return wordOfFloat(
      LLVM::FNegOp::create(write.builder, write.loc, floatOfWord(a, write.builder.getF32Type())));
}

/// The chip's is 2^-23 off at most, of a result of 0.5 to 1.
Value ChipEmitter::reciprocalF(Value a) {
  Type f32 = write.builder.getF32Type();
  return wordOfFloat(NVVM::RcpApproxFtzF32Op::create(write.builder, write.loc, f32, floatOfWord(a, f32)));
}

/// The limit has no sign, so that the result has that of the number.
Value ChipEmitter::clampF(Value a, uint32_t limit) {
  Type f32 = write.builder.getF32Type();
  auto clamped = LLVM::CallIntrinsicOp::create(
      write.builder, write.loc, f32, write.builder.getStringAttr("llvm.nvvm.fmin.nan.xorsign.abs.f"),
      ValueRange{floatOfWord(a, f32), floatOfWord(constant(limit), f32)});
  return wordOfFloat(clamped.getResults());
}

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
    : write(write), arith(write), scheme(scheme), expressed(qt::formatOfExpressed(expressed)),
      arithmetic(arith, this->scheme, this->expressed), instruction(instructionType(write.builder, scheme)) {}

Value CodeEncoder::join(Value low, Value high, int64_t bits) {
  return arith::OrIOp::create(write.builder, write.loc, low, write.shiftLeft(high, bits));
}

/// Codes i and i + 1, in the lower half of a register.
Value CodeEncoder::convertPair(ScaledOf scaled, int64_t i) {
  Type f32 = write.builder.getF32Type();
  Value low = arith.floatOfWord(scaled(i), f32), high = arith.floatOfWord(scaled(i + 1), f32);
  Value codes = NVVM::ConvertF32x2ToF8x2Op::create(
      write.builder, write.loc, write.builder.getI16Type(), high, low, NVVM::FPRoundingMode::RN,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, instruction);
  return arith::ExtUIOp::create(write.builder, write.loc, write.builder.getI32Type(), codes);
}

Value CodeEncoder::convert(ScaledOf scaled, int64_t first) {
  return join(convertPair(scaled, first), convertPair(scaled, first + 2), 2 * codeBits);
}

Value CodeEncoder::encode(WordOf number, WordOf factor) {
  if (instruction)
    return convert([&](int64_t i) { return arithmetic.scaleElement(number(i), factor(i)); }, 0);
  auto encoded = [&](int64_t i) { return arithmetic.encodeElement(number(i), factor(i), arith.constant(0)); };
  Value word = encoded(0);
  for (int64_t i = 1; i < codesOfWord; ++i)
    word = join(word, encoded(i), i * codeBits);
  return word;
}

SmallVector<Value> CodeEncoder::encode(int64_t count, WordOf number, ArrayRef<Value> factors) {
  auto factorOf = [&](int64_t i) { return factors.size() == 1 ? 0 : i; };
  auto plain = [&](int64_t first) {
    return encode([&](int64_t i) { return number(first + i); },
                  [&](int64_t i) { return factors[factorOf(first + i)]; });
  };
  using WordFrom = function_ref<Value(int64_t)>;
  auto writeAll = [&](WordFrom wordFrom) {
    SmallVector<Value> words;
    for (int64_t first = 0; first < count; first += codesOfWord)
      words.push_back(wordFrom(first));
    return words;
  };
  if (!instruction || !arithmetic.divides())
    return writeAll(plain);

  SmallVector<numerics::SharedDivisor<ChipEmitter>> divisors;
  Value areExact;
  for (Value factor : factors) {
    Value isExact =
        divisors.emplace_back(arith, factor, numerics::format(expressed), numerics::format(scheme.code))
            .isExact();
    areExact = areExact ? arith::AndIOp::create(write.builder, write.loc, areExact, isExact) : isExact;
  }
  auto quotient = [&](int64_t i) { return divisors[factorOf(i)].divide(number(i)); };
  auto shared = [&](int64_t first) { return convert(quotient, first); };
  SmallVector<Type> types(count / codesOfWord, write.builder.getI32Type());
  auto branch = scf::IfOp::create(write.builder, write.loc, types, areExact, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(write.builder);
  for (auto [block, wordFrom] :
       {std::pair<Block *, WordFrom>(branch.thenBlock(), shared), {branch.elseBlock(), plain}}) {
    write.builder.setInsertionPointToStart(block);
    scf::YieldOp::create(write.builder, write.loc, writeAll(wordFrom));
  }
  return branch.getResults();
}
