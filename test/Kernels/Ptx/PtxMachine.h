// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs PTX on the host: what a kernel does, bit for bit, where there is no GPU.

#ifndef FP8_OPT_TEST_KERNELS_PTX_PTXMACHINE_H
#define FP8_OPT_TEST_KERNELS_PTX_PTXMACHINE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fp8opt::test {

/// What is being done, for the message of an error.
extern std::string doing;
/// Says what is wrong of what is being done, and ends the program.
[[noreturn]] void refuse(const std::string &what);

/// Where an operand's value comes from.
struct PtxOperand {
  enum Kind { None, Register, Immediate, Special, Parameter } kind = None;
  int64_t value = 0;
};

/// `opcode` is the text up to the first space, as "setp.lt.u32"; operands are in the order of the text, with
/// those in braces one after the other.
struct PtxInstruction {
  std::string opcode;
  int guard = -1;
  bool isGuardNegated = false;
  std::vector<PtxOperand> operands;
  /// The first operand that is not in the first braces: the length of a vector that is loaded or taken apart.
  size_t braced = 0;
  /// Bytes after the register of an address.
  int64_t offset = 0;
  size_t target = 0;
};

struct PtxKernel {
  std::vector<PtxInstruction> code;
  size_t registers = 0;
  unsigned threads = 0;
};

/// The kernels of a file that llc wrote, by name. Only what quantizers and products of warps are made of is
/// known; the rest is refused.
std::map<std::string, PtxKernel> parsePtx(const std::string &text);

/// Memory that a kernel may touch: everything else is refused.
struct PtxMemory {
  const char *name;
  void *begin;
  size_t bytes;
};

/// Runs the blocks of a grid one after the other, the threads of a block in step. Threads that went different
/// ways meet again where the later ones are, which is sound for code whose loops and branches are properly
/// nested. Those that wait for a barrier in shared memory let others go on; copies are done when they are
/// begun. Shared memory begins as bytes 0xFF.
void runPtx(const PtxKernel &kernel, unsigned blocks, size_t sharedBytes,
            const std::vector<uint64_t> &arguments, const std::vector<PtxMemory> &memory);

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_PTX_PTXMACHINE_H
