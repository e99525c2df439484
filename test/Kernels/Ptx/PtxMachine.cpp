// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs PTX, an instruction at a time for all threads of a block that are there.

#include "PtxMachine.h"
#include "PtxFunctions.h"
#include "PtxWarp.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

using namespace fp8opt;
using namespace fp8opt::test;

namespace {
using Word = PtxWord;
Word low(Word a, unsigned bits) { return lowBits(a, bits); }
bool starts(const std::string &text, const char *prefix) { return text.rfind(prefix, 0) == 0; }

enum Kind {
  Compute,
  Load,
  Store,
  Branch,
  Return,
  Sync,
  Shuffle,
  Atomic,
  Pack,
  Unpack,
  Nothing,
  Warp,
  Barrier,
  TryWait
};

struct Decoded {
  Kind kind = Compute;
  PtxFunction function;
  BarrierAction action = BarrierAction::Initialize;
  /// Of the result; of an element in memory.
  unsigned bits = 0;
  bool isShared = false, isParameter = false, isButterfly = false;
};

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
  } else if (isWarpInstruction(opcode)) {
    decoded.kind = Warp;
  } else if (auto action = barrierAction(opcode)) {
    decoded.kind = Barrier;
    decoded.action = *action;
  } else if (starts(opcode, "mbarrier.try_wait.parity.")) {
    decoded.kind = TryWait;
  } else if (starts(opcode, "fence.") || starts(opcode, "setmaxnreg.")) {
    decoded.kind = Nothing;
  } else {
    decoded.function = functionOf(opcode, decoded.bits);
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
    for (std::vector<Word> &row : rows)
      row.resize(kernel.threads);
    // Few of thousands of instructions are different ones.
    std::unordered_map<std::string, Decoded> known;
    for (const PtxInstruction &made : kernel.code) {
      std::string spelled = made.opcode + (made.braced == made.operands.size() ? "}"
                                           : made.braced                       ? "{"
                                                                               : "");
      auto [decoded, isNew] = known.try_emplace(spelled);
      if (isNew)
        decoded->second = decode(made);
      code.push_back(decoded->second);
    }
  }

  void run(unsigned number) {
    block = number;
    std::fill(shared.begin(), shared.end(), uint8_t(0xFF));
    std::fill(places.begin(), places.end(), 0);
    barriers.clear();
    while (true) {
      size_t place = nextPlace();
      if (place >= kernel.code.size())
        return;
      active.clear();
      size_t others = kernel.code.size();
      const bool isWaitedFor = isWait(place);
      for (unsigned thread = 0; thread < kernel.threads; ++thread)
        if (places[thread] == place && !(isWaitedFor && isBlocked(thread)))
          active.push_back(thread);
        else
          others = std::min(others, places[thread]);
      // Straight code is run up to the next of the others without asking again who is there.
      do
        step(place);
      while (code[place].kind != Branch && code[place].kind != Return && ++place < others && !isAsked(place));
    }
  }

private:
  /// Whether the thread waits for a barrier whose phase is not complete, for lanes of its warp, or for all.
  bool isBlocked(unsigned thread) {
    const size_t place = places[thread];
    if (!isWait(place))
      return false;
    if (code[place].kind == Warp) {
      auto first = places.begin() + thread / 32 * 32;
      return std::any_of(first, first + 32, [&](size_t other) { return other != place; });
    }
    if (code[place].kind == Sync)
      return std::any_of(places.begin(), places.end(), [&](size_t other) { return other != place; });
    const std::vector<PtxOperand> &operands = kernel.code[places[thread]].operands;
    return !barriers.isComplete(low(read(operands[1], thread), 32), read(operands[2], thread));
  }

  /// Whether it depends on other threads which of the active ones run the instruction.
  bool isAsked(size_t place) const {
    const Kind kind = code[place].kind;
    return kind == TryWait || ((kind == Warp || kind == Sync) && active.size() != kernel.threads);
  }

  bool isWait(size_t place) const {
    if (place >= code.size())
      return false;
    const Kind kind = code[place].kind;
    return kind == TryWait || kind == Warp || kind == Sync;
  }

  /// The first place where a thread is that can go on.
  size_t nextPlace() {
    size_t first = *std::min_element(places.begin(), places.end());
    if (!isWait(first))
      return first;
    size_t place = code.size();
    for (unsigned thread = 0; thread < kernel.threads; ++thread)
      if (places[thread] < place && !isBlocked(thread))
        place = places[thread];
    if (place >= code.size())
      refuse("threads that wait for each other");
    return place;
  }

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

  uint8_t *locate(Word address, size_t bytes, bool isShared, size_t alignment = 0) {
    if (address % (alignment ? alignment : bytes) != 0)
      refuse("an address that is not aligned to " + std::to_string(alignment ? alignment : bytes) + " bytes");
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
    else if (how.kind == Warp)
      runWarps(made);
    for (unsigned thread : active)
      places[thread] = place + 1;
    const std::vector<unsigned> &running = made.guard < 0 ? active : guarded(made);
    if (how.kind == Compute)
      return compute(made, how, running);
    for (unsigned thread : running)
      execute(made, how, thread);
  }

  /// The active threads that an instruction's guard lets run it.
  const std::vector<unsigned> &guarded(const PtxInstruction &made) {
    unguarded.clear();
    for (unsigned thread : active)
      if ((at(made.guard, thread) != 0) != made.isGuardNegated)
        unguarded.push_back(thread);
    return unguarded;
  }

  /// In all running threads at once, which is several times faster than one after the other.
  void compute(const PtxInstruction &made, const Decoded &how, const std::vector<unsigned> &running) {
    const std::vector<PtxOperand> &operands = made.operands;
    const bool areAll = running.size() == kernel.threads;
    const Word *given[3];
    for (size_t i = 0; i < 3; ++i) {
      const PtxOperand operand = i + 1 < operands.size() ? operands[i + 1] : PtxOperand();
      given[i] = rows[i].data();
      if (operand.kind == PtxOperand::Register && areAll)
        given[i] = &at(operand.value, 0);
      else if (operand.kind == PtxOperand::Immediate)
        std::fill_n(rows[i].begin(), running.size(), Word(operand.value));
      else if (operand.kind != PtxOperand::None)
        std::transform(running.begin(), running.end(), rows[i].begin(),
                       [&](unsigned thread) { return read(operand, thread); });
    }
    Word *result = rows[3].data(), *into = &at(operands[0].value, 0);
    how.function(result, given[0], given[1], given[2], running.size());
    for (size_t i = 0; i < running.size(); ++i)
      into[areAll ? i : running[i]] = low(result[i], how.bits);
  }

  void execute(const PtxInstruction &made, const Decoded &how, unsigned thread) {
    const std::vector<PtxOperand> &operands = made.operands;
    switch (how.kind) {
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
    case Barrier:
      actOnBarrier(made, how.action, thread);
      break;
    case TryWait:
      at(operands[0].value, thread) = 1;
      break;
    case Compute:
    case Sync:
    case Shuffle:
    case Warp:
    case Nothing:
      break;
    }
  }

  /// Operands: a barrier, and a count or bytes; or a state that nobody reads before them; or of a copy, where
  /// to, from where, how many bytes, and the barrier that counts them.
  void actOnBarrier(const PtxInstruction &made, BarrierAction action, unsigned thread) {
    auto word = [&](size_t i) { return low(read(made.operands[i], thread), 32); };
    switch (action) {
    case BarrierAction::Initialize:
      return barriers.initialize(word(0), int64_t(word(1)));
    case BarrierAction::Arrive:
      return barriers.arrive(word(1), 0);
    case BarrierAction::ArriveExpect:
      return barriers.arrive(word(1), int64_t(word(2)));
    case BarrierAction::Copy: {
      size_t bytes = word(2);
      if (bytes % 16 != 0 || word(0) % 16 != 0)
        refuse("a copy that is not of whole 16 bytes");
      if (bytes)
        std::memcpy(locate(word(0), bytes, true, 16),
                    locate(read(made.operands[1], thread), bytes, false, 16), bytes);
      return barriers.complete(word(3), int64_t(bytes));
    }
    }
  }

  void runWarps(const PtxInstruction &made) {
    for (size_t first = 0; first < active.size(); first += 32) {
      auto value = [&, first](size_t operand, unsigned lane) {
        return read(made.operands[operand], active[first + lane]);
      };
      auto set = [&, first](size_t operand, unsigned lane, Word word) {
        at(made.operands[operand].value, active[first + lane]) = word;
      };
      auto address = [&, first](size_t operand, unsigned lane) {
        return locate(read(made.operands[operand], active[first + lane]) + made.offset, 16, true);
      };
      runWarpInstruction(made.opcode, {value, set, address});
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
  std::vector<unsigned> active, unguarded;
  /// What operands and a result are in the running threads.
  std::vector<Word> rows[4];
  std::vector<Decoded> code;
  PtxBarriers barriers;
};
} // namespace

void fp8opt::test::runPtx(const PtxKernel &kernel, unsigned blocks, size_t sharedBytes,
                          const std::vector<uint64_t> &arguments, const std::vector<PtxMemory> &memory) {
  Machine machine(kernel, blocks, sharedBytes, arguments, memory);
  for (unsigned block = 0; block < blocks; ++block)
    machine.run(block);
}
