// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs PTX, an instruction at a time for all threads of a block that are there.

#include "PtxMachine.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <algorithm>
#include <cstring>
#include <functional>

using namespace fp8opt;
using namespace fp8opt::test;

namespace {
using Word = uint64_t;

float f32(Word bits) { return numerics::floatOf(uint32_t(bits)); }
Word bitsOf(float value) { return numerics::bitsOf(value); }
Word low(Word a, unsigned bits) { return bits == 64 ? a : a & ((Word(1) << bits) - 1); }

unsigned bitsOfType(const std::string &opcode) {
  std::string type = opcode.substr(opcode.rfind('.') + 1);
  if (type == "pred")
    return 1;
  return std::stoul(type.substr(1));
}

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

Word widenHalf(Word bits, numerics::FormatId format) {
  numerics::Host host;
  return numerics::decode(host, numerics::format(format), uint32_t(bits));
}

Word permute(Word a, Word b, Word selector) {
  Word bytes = a | b << 32, result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xFF) << (8 * i);
  return result;
}

/// From up to three operands to a result.
using Function = std::function<Word(Word, Word, Word)>;

bool starts(const std::string &text, const char *prefix) { return text.rfind(prefix, 0) == 0; }

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
    return [=](Word a, Word b, Word) { return Word(less(a, b)); };
  if (how == "gt")
    return [=](Word a, Word b, Word) { return Word(less(b, a)); };
  if (how == "le")
    return [=](Word a, Word b, Word) { return Word(!less(b, a)); };
  if (how == "ge")
    return [=](Word a, Word b, Word) { return Word(!less(a, b)); };
  if (how == "eq")
    return [=](Word a, Word b, Word) { return Word(equal(a, b)); };
  return [=](Word a, Word b, Word) { return Word(!equal(a, b)); };
}

Function onFloats(const std::string &opcode) {
  if (opcode == "mul.rn.f32")
    return [](Word a, Word b, Word) { return bitsOf(f32(a) * f32(b)); };
  if (opcode == "add.rn.f32")
    return [](Word a, Word b, Word) { return bitsOf(f32(a) + f32(b)); };
  if (opcode == "sub.rn.f32")
    return [](Word a, Word b, Word) { return bitsOf(f32(a) - f32(b)); };
  if (opcode == "div.rn.f32")
    return [](Word a, Word b, Word) { return bitsOf(f32(a) / f32(b)); };
  if (opcode == "rcp.rn.f32")
    return [](Word a, Word, Word) { return bitsOf(1.0f / f32(a)); };
  if (opcode == "abs.f32")
    return [](Word a, Word, Word) { return a & numerics::f32::kMagnitude; };
  if (opcode == "cvt.rn.satfinite.e4m3x2.f32")
    return [](Word a, Word b, Word) { return encode(a, b, numerics::FormatId::F8E4M3FN); };
  if (opcode == "cvt.rn.satfinite.e5m2x2.f32")
    return [](Word a, Word b, Word) { return encode(a, b, numerics::FormatId::F8E5M2); };
  if (opcode == "cvt.f32.f16")
    return [](Word a, Word, Word) { return widenHalf(a, numerics::FormatId::F16); };
  if (opcode == "cvt.f32.bf16")
    return [](Word a, Word, Word) { return a << 16 & 0xFFFFFFFF; };
  return nullptr;
}

Function onIntegers(const std::string &opcode, unsigned bits) {
  std::string name = opcode.substr(0, opcode.find('.'));
  if (opcode == "max.u16x2" || opcode == "min.u16x2")
    return [isMax = name == "max"](Word a, Word b, Word) { return halves(a, b, isMax); };
  if (opcode == "mul.wide.u32")
    return [](Word a, Word b, Word) { return low(a, 32) * low(b, 32); };
  if (opcode == "bfe.u32")
    return [](Word a, Word from, Word count) { return low(a >> from, unsigned(count)); };
  if (opcode == "prmt.b32")
    return permute;
  if (starts(opcode, "shr.s") || starts(opcode, "min.s") || starts(opcode, "max.s"))
    return nullptr;
  static const std::map<std::string, Word (*)(Word, Word, Word)> table = {
      {"mov", [](Word a, Word, Word) { return a; }},
      {"and", [](Word a, Word b, Word) { return a & b; }},
      {"or", [](Word a, Word b, Word) { return a | b; }},
      {"xor", [](Word a, Word b, Word) { return a ^ b; }},
      {"not", [](Word a, Word, Word) { return ~a; }},
      {"add", [](Word a, Word b, Word) { return a + b; }},
      {"sub", [](Word a, Word b, Word) { return a - b; }},
      {"mul", [](Word a, Word b, Word) { return a * b; }},
      {"mad", [](Word a, Word b, Word c) { return a * b + c; }},
      {"min", [](Word a, Word b, Word) { return std::min(a, b); }},
      {"max", [](Word a, Word b, Word) { return std::max(a, b); }},
      {"div", [](Word a, Word b, Word) { return b ? a / b : ~Word(0); }},
      {"rem", [](Word a, Word b, Word) { return b ? a % b : a; }},
      {"shl", [](Word a, Word b, Word) { return b > 63 ? 0 : a << b; }},
      {"shr", [](Word a, Word b, Word) { return b > 63 ? 0 : a >> b; }},
      {"selp", [](Word a, Word b, Word c) { return c ? a : b; }},
      {"cvt", [](Word a, Word, Word) { return a; }},
  };
  auto found = table.find(name);
  if (found == table.end())
    return nullptr;
  // Operands as wide as the type: immediates may be negative. The last one of selp is a predicate.
  bool isShift = name == "shl" || name == "shr";
  return [=, function = found->second](Word a, Word b, Word c) {
    return function(low(a, bits), isShift ? low(b, 32) : low(b, bits), name == "selp" ? c : low(c, bits));
  };
}

enum Kind { Compute, Load, Store, Branch, Return, Sync, Shuffle, Atomic, Pack, Unpack };

struct Decoded {
  Kind kind = Compute;
  Function function;
  /// Of the result; of an element in memory.
  unsigned bits = 0;
  bool isShared = false, isParameter = false, isButterfly = false;
};

void decodeFunction(const std::string &opcode, Decoded &decoded) {
  if (starts(opcode, "setp.")) {
    decoded.function = compare(opcode);
    decoded.bits = 1;
    return;
  }
  if ((decoded.function = onFloats(opcode))) {
    decoded.bits = starts(opcode, "cvt.rn") ? 16 : 32;
    return;
  }
  bool isOfTwo = opcode == "max.u16x2" || opcode == "min.u16x2";
  decoded.bits = isOfTwo ? 32 : bitsOfType(opcode);
  decoded.function = onIntegers(opcode, decoded.bits);
  if (opcode == "mul.wide.u32")
    decoded.bits = 64;
  if (starts(opcode, "cvt."))
    decoded.bits = bitsOfType(opcode.substr(0, opcode.rfind('.')));
}

Decoded decode(const PtxInstruction &made) {
  const std::string &opcode = made.opcode;
  Decoded decoded;
  if (starts(opcode, "bra")) {
    decoded.kind = Branch;
  } else if (opcode == "ret") {
    decoded.kind = Return;
  } else if (starts(opcode, "bar.sync")) {
    decoded.kind = Sync;
  } else if (starts(opcode, "shfl.sync.")) {
    decoded.kind = Shuffle;
    decoded.isButterfly = starts(opcode, "shfl.sync.bfly");
  } else if (opcode == "atom.global.max.u32" || opcode == "atom.relaxed.gpu.global.max.u32") {
    decoded.kind = Atomic;
  } else if (starts(opcode, "ld.") || starts(opcode, "st.")) {
    decoded.kind = opcode[0] == 'l' ? Load : Store;
    decoded.isShared = starts(opcode.substr(3), "shared");
    decoded.isParameter = starts(opcode.substr(3), "param");
    decoded.bits = bitsOfType(opcode);
  } else if (starts(opcode, "mov.") && made.braced) {
    decoded.kind = made.braced == made.operands.size() ? Pack : Unpack;
  } else {
    decodeFunction(opcode, decoded);
    if (!decoded.function)
      refuse("no instruction " + opcode);
  }
  return decoded;
}

/// A block of threads.
class Machine {
public:
  Machine(const PtxKernel &kernel, unsigned blocks, size_t sharedBytes,
          const std::vector<uint64_t> &arguments, const std::vector<PtxMemory> &memory)
      : kernel(kernel), blocks(blocks), arguments(arguments), memory(memory), shared(sharedBytes),
        registers(kernel.registers * kernel.threads), places(kernel.threads) {
    for (const PtxInstruction &made : kernel.code)
      code.push_back(decode(made));
  }

  void run(unsigned number) {
    block = number;
    std::fill(shared.begin(), shared.end(), uint8_t(0xFF));
    std::fill(places.begin(), places.end(), 0);
    while (true) {
      size_t place = *std::min_element(places.begin(), places.end());
      if (place >= kernel.code.size())
        return;
      active.clear();
      for (unsigned thread = 0; thread < kernel.threads; ++thread)
        if (places[thread] == place)
          active.push_back(thread);
      // Straight code is run without asking again who is there.
      bool isAlone = active.size() == kernel.threads;
      do
        step(place);
      while (isAlone && code[place].kind != Branch && code[place].kind != Return && ++place < code.size());
    }
  }

private:
  Word &at(int64_t number, unsigned thread) { return registers[number * kernel.threads + thread]; }

  Word read(const PtxOperand &operand, unsigned thread) {
    switch (operand.kind) {
    case PtxOperand::Register:
      return at(operand.value, thread);
    case PtxOperand::Immediate:
      return Word(operand.value);
    case PtxOperand::Special:
      return operand.value == 0 ? thread : operand.value == 1 ? block : blocks;
    case PtxOperand::Parameter:
      return arguments.at(operand.value);
    case PtxOperand::None:
      break;
    }
    return 0;
  }

  uint8_t *locate(Word address, size_t bytes, bool isShared) {
    if (address % bytes != 0)
      refuse("an address that is not aligned to " + std::to_string(bytes) + " bytes");
    if (isShared) {
      address = low(address, 32);
      if (address + bytes <= shared.size())
        return shared.data() + address;
      refuse("byte " + std::to_string(address) + " of shared memory");
    }
    for (const PtxMemory &region : memory) {
      Word begin = reinterpret_cast<Word>(region.begin);
      if (address >= begin && address + bytes <= begin + region.bytes)
        return reinterpret_cast<uint8_t *>(address);
    }
    refuse("an address outside of all arrays");
  }

  void step(size_t place) {
    const PtxInstruction &made = kernel.code[place];
    const Decoded &how = code[place];
    if (how.kind == Shuffle)
      shuffle(made, how);
    else if (how.kind == Sync && active.size() != kernel.threads)
      refuse("a barrier that not all threads reach");
    for (unsigned thread : active) {
      places[thread] = place + 1;
      bool runs = made.guard < 0 || (at(made.guard, thread) != 0) != made.isGuardNegated;
      if (runs)
        execute(made, how, thread);
    }
  }

  void execute(const PtxInstruction &made, const Decoded &how, unsigned thread) {
    const std::vector<PtxOperand> &operands = made.operands;
    switch (how.kind) {
    case Compute: {
      Word values[3] = {};
      for (size_t i = 1; i < operands.size() && i < 4; ++i)
        values[i - 1] = read(operands[i], thread);
      at(operands[0].value, thread) = low(how.function(values[0], values[1], values[2]), how.bits);
      break;
    }
    case Load: {
      size_t count = std::max<size_t>(made.braced, 1), bytes = how.bits / 8;
      if (how.isParameter) {
        at(operands[0].value, thread) = low(read(operands[1], thread), how.bits);
        break;
      }
      uint8_t *from = locate(read(operands[count], thread) + made.offset, count * bytes, how.isShared);
      for (size_t i = 0; i < count; ++i) {
        Word value = 0;
        std::memcpy(&value, from + i * bytes, bytes);
        at(operands[i].value, thread) = value;
      }
      break;
    }
    case Store: {
      size_t count = operands.size() - 1, bytes = how.bits / 8;
      uint8_t *to = locate(read(operands[0], thread) + made.offset, count * bytes, how.isShared);
      for (size_t i = 0; i < count; ++i) {
        Word value = read(operands[i + 1], thread);
        std::memcpy(to + i * bytes, &value, bytes);
      }
      break;
    }
    case Atomic: {
      uint8_t *to = locate(read(operands[1], thread) + made.offset, 4, false);
      uint32_t old, value = uint32_t(read(operands[2], thread));
      std::memcpy(&old, to, 4);
      value = std::max(old, value);
      std::memcpy(to, &value, 4);
      break;
    }
    case Pack: {
      Word value = 0;
      unsigned width = 16;
      for (size_t i = 1; i < operands.size(); ++i)
        value |= low(read(operands[i], thread), width) << (width * (i - 1));
      at(operands[0].value, thread) = value;
      break;
    }
    case Unpack: {
      Word value = read(operands.back(), thread);
      for (size_t i = 0; i + 1 < operands.size(); ++i)
        if (operands[i].kind == PtxOperand::Register)
          at(operands[i].value, thread) = low(value >> (16 * i), 16);
      break;
    }
    case Branch:
      places[thread] = made.target;
      break;
    case Return:
      places[thread] = kernel.code.size();
      break;
    case Sync:
    case Shuffle:
      break;
    }
  }

  void shuffle(const PtxInstruction &made, const Decoded &how) {
    if (active.size() % 32 != 0)
      refuse("a shuffle that not all lanes reach");
    std::vector<Word> results;
    for (unsigned thread : active) {
      Word with = read(made.operands[2], thread);
      unsigned lane = how.isButterfly ? (thread % 32) ^ unsigned(with) : unsigned(with) % 32;
      results.push_back(read(made.operands[1], thread / 32 * 32 + lane));
    }
    for (size_t i = 0; i < active.size(); ++i)
      at(made.operands[0].value, active[i]) = results[i];
  }

  const PtxKernel &kernel;
  unsigned blocks, block = 0;
  const std::vector<uint64_t> &arguments;
  const std::vector<PtxMemory> &memory;
  std::vector<uint8_t> shared;
  std::vector<Word> registers;
  std::vector<size_t> places;
  std::vector<unsigned> active;
  std::vector<Decoded> code;
};
} // namespace

void fp8opt::test::runPtx(const PtxKernel &kernel, unsigned blocks, size_t sharedBytes,
                          const std::vector<uint64_t> &arguments, const std::vector<PtxMemory> &memory) {
  Machine machine(kernel, blocks, sharedBytes, arguments, memory);
  for (unsigned block = 0; block < blocks; ++block)
    machine.run(block);
}
