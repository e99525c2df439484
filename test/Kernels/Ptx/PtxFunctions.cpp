// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that compute a result from up to three operands.

#include "PtxFunctions.h"
#include "PtxMachine.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <algorithm>
#include <cmath>

using namespace fp8opt;
using namespace fp8opt::test;

namespace {
using Word = PtxWord;
using Function = PtxFunction;

float f32(Word bits) { return numerics::floatOf(uint32_t(bits)); }
Word bitsOf(float value) { return numerics::bitsOf(value); }
Word low(Word a, unsigned bits) { return lowBits(a, bits); }

Word halves(Word a, Word b, bool takesMax) {
  Word result = 0;
  for (unsigned shift : {0, 16}) {
    Word x = (a >> shift) & 0xFFFF, y = (b >> shift) & 0xFFFF;
    result |= (takesMax ? std::max(x, y) : std::min(x, y)) << shift;
  }
  return result;
}

Word encode(Word high, Word lowNumber, numerics::FormatId format) {
  numerics::Host host;
  auto code = [&](Word x) {
    return numerics::encode(host, numerics::format(format), numerics::Conversion(), uint32_t(x), 0u);
  };
  return Word(code(high)) << 8 | code(lowNumber);
}

Word roundHalf(Word number, numerics::FormatId format) {
  numerics::Host host;
  numerics::Conversion conversion;
  conversion.overflow = numerics::Overflow::Ieee;
  return numerics::encode(host, numerics::format(format), conversion, uint32_t(number), 0u);
}

Word widenHalf(Word bits, numerics::FormatId format) {
  numerics::Host host;
  return numerics::decode(host, numerics::format(format), uint32_t(bits));
}

/// Two codes as two f16.
Word decode(Word codes, numerics::FormatId format) {
  Word result = 0;
  for (unsigned i : {0, 1})
    result |= roundHalf(widenHalf(low(codes >> (8 * i), 8), format), numerics::FormatId::F16) << (16 * i);
  return result;
}

Word permute(Word a, Word b, Word selector) {
  Word bytes = a | b << 32, result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xFF) << (8 * i);
  return result;
}

/// With the sign of the product; a NaN stays one.
Word smallerMagnitude(Word a, Word b, Word) {
  if (std::isnan(f32(a)) || std::isnan(f32(b)))
    return numerics::f32::kNan;
  return std::min(a & numerics::f32::kMagnitude, b & numerics::f32::kMagnitude) |
         ((a ^ b) & numerics::f32::kSign);
}

bool starts(const std::string &text, const char *prefix) { return text.rfind(prefix, 0) == 0; }

/// What is computed of the operands of one thread.
template <typename F> Function ofEach(F f) {
  return [f](Word *result, const Word *a, const Word *b, const Word *c, size_t threads) {
    for (size_t i = 0; i < threads; ++i)
      result[i] = f(a[i], b[i], c[i]);
  };
}

Function compare(const std::string &opcode) {
  std::string how = opcode.substr(5, 2), type = opcode.substr(8);
  if (type[0] == 'f')
    refuse("no instruction " + opcode);
  unsigned bits = bitsOfType(opcode);
  bool isSigned = type[0] == 's';
  auto less = [=](Word a, Word b) {
    Word flip = isSigned ? Word(1) << (bits - 1) : 0;
    return (low(a, bits) ^ flip) < (low(b, bits) ^ flip);
  };
  auto equal = [=](Word a, Word b) { return low(a, bits) == low(b, bits); };
  if (how == "lt")
    return ofEach([=](Word a, Word b, Word) { return Word(less(a, b)); });
  if (how == "gt")
    return ofEach([=](Word a, Word b, Word) { return Word(less(b, a)); });
  if (how == "le")
    return ofEach([=](Word a, Word b, Word) { return Word(!less(b, a)); });
  if (how == "ge")
    return ofEach([=](Word a, Word b, Word) { return Word(!less(a, b)); });
  if (how == "eq")
    return ofEach([=](Word a, Word b, Word) { return Word(equal(a, b)); });
  return ofEach([=](Word a, Word b, Word) { return Word(!equal(a, b)); });
}

Function onFloats(const std::string &opcode) {
  if (opcode == "mul.rn.f32")
    return ofEach([](Word a, Word b, Word) { return bitsOf(f32(a) * f32(b)); });
  if (opcode == "fma.rn.f32")
    return ofEach([](Word a, Word b, Word c) { return bitsOf(std::fma(f32(a), f32(b), f32(c))); });
  if (opcode == "neg.f32")
    return ofEach([](Word a, Word, Word) { return a ^ numerics::f32::kSign; });
  if (opcode == "min.NaN.xorsign.abs.f32")
    return ofEach(smallerMagnitude);
  if (opcode == "add.rn.f32")
    return ofEach([](Word a, Word b, Word) { return bitsOf(f32(a) + f32(b)); });
  if (opcode == "sub.rn.f32")
    return ofEach([](Word a, Word b, Word) { return bitsOf(f32(a) - f32(b)); });
  if (opcode == "div.rn.f32")
    return ofEach([](Word a, Word b, Word) { return bitsOf(f32(a) / f32(b)); });
  if (opcode == "rcp.rn.f32")
    return ofEach([](Word a, Word, Word) { return bitsOf(1.0f / f32(a)); });
  // As far from it as may be.
  if (opcode == "rcp.approx.ftz.f32")
    return ofEach([](Word a, Word, Word) { return bitsOf(1.0f / f32(a)) + a % 5 - 2; });
  if (opcode == "abs.f32")
    return ofEach([](Word a, Word, Word) { return a & numerics::f32::kMagnitude; });
  if (opcode == "cvt.rn.satfinite.e4m3x2.f32")
    return ofEach([](Word a, Word b, Word) { return encode(a, b, numerics::FormatId::F8E4M3FN); });
  if (opcode == "cvt.rn.satfinite.e5m2x2.f32")
    return ofEach([](Word a, Word b, Word) { return encode(a, b, numerics::FormatId::F8E5M2); });
  if (opcode == "cvt.rn.f16x2.e4m3x2")
    return ofEach([](Word a, Word, Word) { return decode(a, numerics::FormatId::F8E4M3FN); });
  if (opcode == "cvt.rn.f16x2.e5m2x2")
    return ofEach([](Word a, Word, Word) { return decode(a, numerics::FormatId::F8E5M2); });
  for (auto [name, format] :
       {std::pair("bf16", numerics::FormatId::BF16), std::pair("f16", numerics::FormatId::F16)}) {
    if (opcode == "cvt.rn." + std::string(name) + "x2.f32")
      return ofEach([format = format](Word a, Word b, Word) {
        return roundHalf(a, format) << 16 | roundHalf(b, format);
      });
    if (opcode == "cvt.rn." + std::string(name) + ".f32")
      return ofEach([format = format](Word a, Word, Word) { return roundHalf(a, format); });
  }
  if (opcode == "cvt.f32.f16")
    return ofEach([](Word a, Word, Word) { return widenHalf(a, numerics::FormatId::F16); });
  if (opcode == "cvt.f32.bf16")
    return ofEach([](Word a, Word, Word) { return a << 16 & 0xFFFFFFFF; });
  return nullptr;
}

Function onIntegers(const std::string &opcode, unsigned bits) {
  std::string name = opcode.substr(0, opcode.find('.'));
  if (opcode == "max.u16x2" || opcode == "min.u16x2")
    return ofEach([isMax = name == "max"](Word a, Word b, Word) { return halves(a, b, isMax); });
  if (opcode == "mul.wide.u32")
    return ofEach([](Word a, Word b, Word) { return low(a, 32) * low(b, 32); });
  if (opcode == "bfe.u32")
    return ofEach([](Word a, Word from, Word count) { return low(a >> from, unsigned(count)); });
  if (opcode == "prmt.b32")
    return ofEach(permute);
  if (starts(opcode, "shr.s") || starts(opcode, "min.s") || starts(opcode, "max.s"))
    return nullptr;
  // Operands as wide as the type: immediates may be negative.
  const Word mask = low(~Word(0), bits);
  if (name == "shl")
    return ofEach([=](Word a, Word b, Word) { return low(b, 32) > 63 ? 0 : (a & mask) << low(b, 32); });
  if (name == "shr")
    return ofEach([=](Word a, Word b, Word) { return low(b, 32) > 63 ? 0 : (a & mask) >> low(b, 32); });
  if (name == "selp")
    return ofEach([=](Word a, Word b, Word c) { return (c ? a : b) & mask; });
  auto masked = [=](auto f) {
    return ofEach([=](Word a, Word b, Word c) { return f(a & mask, b & mask, c & mask); });
  };
  if (name == "mov" || name == "cvt")
    return masked([](Word a, Word, Word) { return a; });
  if (name == "and")
    return masked([](Word a, Word b, Word) { return a & b; });
  if (name == "or")
    return masked([](Word a, Word b, Word) { return a | b; });
  if (name == "xor")
    return masked([](Word a, Word b, Word) { return a ^ b; });
  if (name == "not")
    return masked([](Word a, Word, Word) { return ~a; });
  if (name == "add")
    return masked([](Word a, Word b, Word) { return a + b; });
  if (name == "sub")
    return masked([](Word a, Word b, Word) { return a - b; });
  if (name == "mul")
    return masked([](Word a, Word b, Word) { return a * b; });
  if (name == "mad")
    return masked([](Word a, Word b, Word c) { return a * b + c; });
  if (name == "min")
    return masked([](Word a, Word b, Word) { return std::min(a, b); });
  if (name == "max")
    return masked([](Word a, Word b, Word) { return std::max(a, b); });
  if (name == "div")
    return masked([](Word a, Word b, Word) { return b ? a / b : ~Word(0); });
  if (name == "rem")
    return masked([](Word a, Word b, Word) { return b ? a % b : a; });
  return nullptr;
}
} // namespace

unsigned fp8opt::test::bitsOfType(const std::string &opcode) {
  std::string type = opcode.substr(opcode.rfind('.') + 1);
  if (type == "pred")
    return 1;
  return std::stoul(type.substr(1));
}

PtxFunction fp8opt::test::functionOf(const std::string &opcode, unsigned &bits) {
  if (starts(opcode, "setp.")) {
    bits = 1;
    return compare(opcode);
  }
  if (Function function = onFloats(opcode)) {
    bits = starts(opcode, "cvt.rn.satfinite") ? 16 : 32;
    return function;
  }
  bool isOfTwo = opcode == "max.u16x2" || opcode == "min.u16x2";
  bits = isOfTwo ? 32 : bitsOfType(opcode);
  Function function = onIntegers(opcode, bits);
  if (opcode == "mul.wide.u32")
    bits = 64;
  if (starts(opcode, "cvt."))
    bits = bitsOfType(opcode.substr(0, opcode.rfind('.')));
  return function;
}
